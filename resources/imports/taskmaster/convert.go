package taskmaster

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// untagged is the plan of a file without tags, which old versions wrote.
const untagged = "taskmaster"

// Convert is a migrate.Converter for one or several tasks.json files.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder("taskmaster", "Task Master", in)}
	for _, f := range in.Files {
		if list, ok := migrate.Objects(f.Data); ok { // a list of tasks, one per line
			b.file(f, untagged, migrate.NewRecord(migrate.Value{Type: migrate.List, Items: list}), 0)
		} else if r, ok := b.Parse(f); ok {
			b.file(f, untagged, r, 0)
		}
	}
	if !b.recognized {
		b.Foreign = "a task of Task Master has a title and a status"
	}
	b.otherTags()
	return b.Finish()
}

// builder converts the files of Task Master.
type builder struct {
	*migrate.Builder
	recognized bool     // there are tasks, or empty lists
	tags       []string // in reading order
}

// tag creates a plan for a tag, and tasks for its content.
func (b *builder) tag(f migrate.File, name string, r *migrate.Record) {
	if strings.TrimSpace(name) == "" {
		name = untagged
	}
	b.tags = append(b.tags, name)
	if v, ok := r.Peek("tasks", "value"); ok && isStore(v) {
		b.recognized = true
	}
	plan := b.MakePlan(name, name).SetSource(f)
	b.tasks(f, tagged{tag: name}, r.Records("tasks", "value"))
	meta := r.Inner("metadata")
	plan.Created(meta.Time("created", "createdAt"))
	plan.Annotate("metadata.description", meta.Text("description"))
	plan.LeaveRest("metadata.", meta)
	plan.LeaveRest("", r)
}

// tagged is the context of tasks: a tag, and the number and ID of the parent task, which
// may be empty.
type tagged struct{ tag, parent, parentID string }

// scoped returns the ID of a task in a tag, or "".
func (t tagged) scoped(number string) string {
	if number = strings.TrimSpace(number); number == "" {
		return ""
	}
	return t.tag + "-" + number
}

// childNumber returns the full number of a task. Some versions write the full number of a
// subtask: "4" and "23.4" are equal below 23.
func (t tagged) childNumber(number string) string {
	if t.parentID == "" || number == "" || strings.HasPrefix(number, t.parent+".") {
		return number
	}
	return t.parent + "." + number
}

// tasks reads tasks with their subtasks. A number that a subtask refers to means a sibling
// if there is one.
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
		number := at.childNumber(strings.TrimSuffix(strings.TrimSpace(r.Text(ids...)), ".0")) // 1.0 means 1
		d := b.Task(f, r, at.scoped(number), at.tag, at.parentID)
		if d == nil {
			continue
		}
		d.Refer(func(on string) string {
			if siblings[on] {
				on = at.childNumber(on)
			}
			return at.scoped(on)
		})
		for _, name := range []string{"subtasks", "children"} {
			b.tasks(f, tagged{at.tag, number, d.ID}, r.Records(name))
		}
	}
}

// otherTags resolves references with a tag and a number, "master:23".
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
