package taskmaster

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is the name of the format in commands, labels and annotations.
const Format = "taskmaster"

// untagged is the plan of a file of the time before tags.
const untagged = "taskmaster"

// Convert is a migrate.Converter for one or several files tasks.json.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder(Format, "Task Master", in)}
	for _, f := range in.Files {
		if r, ok := b.parse(f); ok {
			b.file(f, untagged, r, 0)
		}
	}
	if !b.known {
		b.Foreign("there are no tasks in it as Task Master writes them, with a title and a status")
	}
	b.otherTags()
	return b.Finish()
}

type builder struct {
	*migrate.Builder
	known bool     // there are tasks, or lists of none
	tags  []string // in the order in which they were read
}

// tag makes a plan of a tag, and tasks of what is in it.
func (b *builder) tag(f migrate.File, name string, r *migrate.Record) {
	if strings.TrimSpace(name) == "" {
		name = untagged
	}
	b.tags = append(b.tags, name)
	if v, ok := r.Peek("tasks", "value"); ok && isStore(v) {
		b.known = true
	}
	plan := b.MakePlan(name, name).From(f)
	for _, t := range r.Records("tasks", "value") {
		b.task(f, name, t)
	}
	if meta := r.Inner("metadata"); meta != nil {
		plan.Created(meta.Time("created", "createdAt"))
		plan.Rest("metadata", meta)
	}
	for _, field := range r.Rest() {
		plan.Keep(field.Name, field.Value)
	}
}

// idFields are the names of what a task is known by.
var idFields = []string{"id", "taskId", "key", "uuid"}

// numberOf takes what a task is known by. 1.0 is 1.
func numberOf(r *migrate.Record) string {
	number, whole := strings.CutSuffix(strings.TrimSpace(r.Text(idFields...)), ".0")
	if whole {
		r.Keep(idFields...)
	}
	return number
}

// task reads a task with those below it.
func (b *builder) task(f migrate.File, tag string, r *migrate.Record) {
	number := numberOf(r)
	d := b.TaskNamed(f, r, scoped(tag, number), tag, "")
	if d != nil {
		d.Refer(func(id string) string { return scoped(tag, id) })
		b.below(f, tag, number, d.ID, r)
	}
}

// below reads the tasks below a task.
func (b *builder) below(f migrate.File, tag, parent, parentID string, r *migrate.Record) {
	for _, name := range []string{"subtasks", "children"} {
		subtasks := r.Records(name)
		siblings := map[string]bool{}
		for _, s := range subtasks {
			if v, ok := s.Peek(idFields...); ok {
				siblings[v.Text] = true
			}
		}
		for _, s := range subtasks {
			b.subtask(f, tag, parent, parentID, s, siblings)
		}
	}
}

// scoped is the id of a task of a tag; "" for none.
func scoped(tag, number string) string {
	if number = strings.TrimSpace(number); number == "" {
		return ""
	}
	return tag + "-" + number
}

func (b *builder) subtask(f migrate.File, tag, parent, parentID string, r *migrate.Record, siblings map[string]bool) {
	migrate.TakeIf(r, parent, "parentTaskId", "parentId")
	number, id := numberOf(r), ""
	if number != "" {
		number = below(parent, number)
		id = scoped(tag, number)
	}
	d := b.TaskNamed(f, r, id, tag, parentID)
	if d == nil {
		return
	}
	d.Refer(func(on string) string {
		if siblings[on] {
			on = below(parent, on)
		}
		return scoped(tag, on)
	})
	b.below(f, tag, number, d.ID, r)
}

// below is the number of a subtask, which some versions write out: "4" and "23.4" are the same below 23.
func below(parent, number string) string {
	if strings.HasPrefix(number, parent+".") {
		return number
	}
	return parent + "." + number
}

// otherTags finds what is referred to by its tag and its number, "master:23".
func (b *builder) otherTags() {
	for _, d := range b.Drafts(resources.Tasks) {
		d.Refer(func(on string) string {
			if b.Find(resources.Tasks, on) != nil {
				return on
			}
			for _, tag := range b.tags {
				if _, number, ok := strings.Cut(on, "-"+tag+":"); ok && b.Find(resources.Tasks, scoped(tag, number)) != nil {
					return scoped(tag, number)
				}
			}
			return on
		})
	}
}
