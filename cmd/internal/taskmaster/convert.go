package taskmaster

import (
	"slices"
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
	b := &builder{migrate.NewBuilder(Format, "Task Master", in)}
	for _, f := range in.Files {
		if r, ok := b.Parse(f); ok {
			b.file(f, r)
		}
	}
	return b.Finish()
}

type builder struct{ *migrate.Builder }

// file reads a file in any of its shapes: tags, an object with tasks, or a list of tasks.
func (b *builder) file(f migrate.File, r *migrate.Record) {
	if tasks, ok := r.Peek("tasks", "value"); ok && (tasks.Type == migrate.List || !hasTags(r)) {
		b.tag(f, untagged, r)
		return
	}
	if inner := r.Inner("tags"); inner != nil {
		b.file(f, inner)
	}
	for _, field := range r.Value.Fields {
		if tag := tagIn(field); tag != nil && r.Has(field.Name) {
			r.Take(field.Name)
			b.tag(f, field.Name, tag)
		}
	}
	b.LeaveRest(f, r, "fields of tasks.json", "it is no tag")
}

func hasTags(r *migrate.Record) bool {
	return slices.ContainsFunc(r.Value.Fields, func(f migrate.Field) bool { return f.Name != "tasks" && tagIn(f) != nil })
}

// tagIn returns a tag, which is an object with tasks, or their list; nil for anything else.
func tagIn(f migrate.Field) *migrate.Record {
	switch f.Value.Type {
	case migrate.Object:
		if v, ok := f.Value.At("tasks"); ok && (v.Type == migrate.List || v.Type == migrate.Object) {
			return migrate.NewRecord(f.Name, f.Value)
		}
	case migrate.List:
		if slices.ContainsFunc(f.Value.Items, func(v migrate.Value) bool { return v.Type == migrate.Object }) {
			return migrate.NewRecord(f.Name, migrate.Value{Type: migrate.Object, Fields: []migrate.Field{{Name: "tasks", Value: f.Value}}})
		}
	}
	return nil
}

// tag makes a plan of a tag, and tasks of what is in it.
func (b *builder) tag(f migrate.File, name string, r *migrate.Record) {
	plan := b.Make(resources.WorkPlans, name)
	plan.From(f)
	spec := plan.Object.SpecPointer().(*resources.WorkPlanSpec)
	spec.Title, spec.Acceptance = name, []string{"Every task of the plan is completed"}
	open := spec.State == resources.PlanActive
	for _, t := range r.Records("tasks", "value") {
		if d := b.task(f, name, t); d != nil && !isOver(d) {
			open = true
		}
	}
	if spec.State = resources.PlanCompleted; open {
		spec.State = resources.PlanActive
	}
	if meta := r.Inner("metadata"); meta != nil {
		plan.Created(meta.Time("created", "createdAt"))
		plan.Rest("metadata", meta)
	}
	for _, field := range r.Rest() {
		plan.Keep(field.Name, field.Value)
	}
}

func isOver(d *migrate.Draft) bool {
	state := d.Object.SpecPointer().(*resources.TaskSpec).State
	return state == resources.TaskCompleted || state == resources.TaskAbandoned || state == resources.TaskFailed
}

// task reads a task with its subtasks.
func (b *builder) task(f migrate.File, tag string, r *migrate.Record) *migrate.Draft {
	number := r.Text("id")
	d := b.TaskNamed(f, r, scoped(tag, number), tag, "")
	if d == nil {
		return nil
	}
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	for i, on := range spec.DependsOn {
		spec.DependsOn[i] = scoped(tag, on)
	}
	subtasks := r.Records("subtasks")
	siblings := map[string]bool{}
	for _, s := range subtasks {
		if v, ok := s.Peek("id"); ok {
			siblings[v.Text] = true
		}
	}
	for _, s := range subtasks {
		b.subtask(f, tag, number, d.ID, s, siblings)
	}
	return d
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
	number := r.Text("id")
	id := ""
	if number != "" {
		id = scoped(tag, below(parent, number))
	}
	d := b.TaskNamed(f, r, id, tag, parentID)
	if d == nil {
		return
	}
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	for i, on := range spec.DependsOn {
		if siblings[on] {
			on = below(parent, on)
		}
		spec.DependsOn[i] = scoped(tag, on)
	}
}

// below is the number of a subtask, which some versions write out: "4" and "23.4" are the same below 23.
func below(parent, number string) string {
	if strings.HasPrefix(number, parent+".") {
		return number
	}
	return parent + "." + number
}
