package taskmaster

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// untagged is the plan of a file of the time before tags.
const untagged = "taskmaster"

// Convert is a migrate.Converter for one or several files tasks.json.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder("taskmaster", "Task Master", in)}
	for _, f := range in.Files {
		if list, ok := migrate.Objects(f.Data); ok { // one task a line is a list of tasks
			b.file(f, untagged, migrate.NewRecord(migrate.Value{Type: migrate.List, Items: list}), 0)
		} else if r, ok := b.Parse(f); ok {
			b.file(f, untagged, r, 0)
		}
	}
	if !b.known {
		b.Foreign = "there are no tasks in it as Task Master writes them, with a title and a status"
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
	b.tasks(f, tagged{tag: name}, r.Records("tasks", "value"))
	meta := r.Inner("metadata")
	plan.Created(meta.Time("created", "createdAt"))
	plan.Annotate("metadata.description", meta.Text("description"))
	plan.LeaveRest("metadata.", meta)
	plan.LeaveRest("", r)
}

// tagged is where tasks stand: in a tag, and there below a task, by its number and its id, or below none.
type tagged struct{ tag, parent, parentID string }

// scoped is the id of a task of a tag; "" for none.
func (t tagged) scoped(number string) string {
	if number = strings.TrimSpace(number); number == "" {
		return ""
	}
	return t.tag + "-" + number
}

// below is the number of a task here. Some versions write that of a subtask out: "4" and "23.4" are the same below 23.
func (t tagged) below(number string) string {
	if t.parentID == "" || number == "" || strings.HasPrefix(number, t.parent+".") {
		return number
	}
	return t.parent + "." + number
}

// tasks reads the tasks that stand somewhere, with those below them. A number that a subtask refers to is that of a sibling, where
// there is one.
func (b *builder) tasks(f migrate.File, at tagged, list []*migrate.Record) {
	ids := []string{"id", "taskId", "key", "uuid"}
	siblings := map[string]bool{}
	for _, r := range list {
		if v, ok := r.Peek(ids...); ok && at.parentID != "" {
			siblings[v.Text] = true
		}
	}
	for _, r := range list {
		r.Drop("parentTaskId", "parentId")
		number := at.below(strings.TrimSuffix(strings.TrimSpace(r.Text(ids...)), ".0")) // 1.0 is 1
		d := b.Task(f, r, at.scoped(number), at.tag, at.parentID)
		if d == nil {
			continue
		}
		d.Refer(func(on string) string {
			if siblings[on] {
				on = at.below(on)
			}
			return at.scoped(on)
		})
		for _, name := range []string{"subtasks", "children"} {
			b.tasks(f, tagged{at.tag, number, d.ID}, r.Records(name))
		}
	}
}

// otherTags finds what is referred to by its tag and its number, "master:23".
func (b *builder) otherTags() {
	for _, d := range b.Drafts(resources.Tasks) {
		d.Refer(func(on string) string {
			if b.Find(resources.Tasks, on) != nil {
				return on
			}
			for _, tag := range b.tags {
				if _, number, ok := strings.Cut(on, "-"+tag+":"); ok {
					if id := (tagged{tag: tag}).scoped(number); b.Find(resources.Tasks, id) != nil {
						return id
					}
				}
			}
			return on
		})
	}
}
