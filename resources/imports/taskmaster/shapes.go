package taskmaster

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// wrappers lists names of fields that contain an entire file of tasks. They are not names
// of tags.
var wrappers = []string{"data", "result", "state", "store", "tags", "value"}

// file reads a container of tasks: tags, an object with tasks, or a list of tasks, possibly
// wrapped. name is the tag of tasks without one.
func (b *builder) file(f migrate.File, name string, r *migrate.Record, depth int) {
	tasks, ok := r.Peek("tasks", "value")
	own := ok && (tasks.Type == migrate.List || tasks.Type == migrate.Object && !hasTags(r))
	for _, field := range r.Value.Fields {
		inner := field.Name
		if slices.Contains(wrappers, migrate.Fold(inner)) {
			inner = name
		}
		switch {
		case own && isTasks(field.Name) || !r.Has(field.Name) || depth > 4:
		case isTagList(field.Value):
			for _, t := range r.Records(field.Name) {
				b.file(f, t.Text("name", "tag", "id", "title"), t, depth+1)
			}
		case holds(field, 4):
			r.Take(field.Name)
			b.file(f, inner, migrate.NewRecord(field.Value), depth+1)
		}
	}
	if own {
		b.tag(f, name, r)
		return
	}
	b.LeaveRest(f, r, "fields of tasks.json")
}

// isTasks reports whether a field name contains a list of tasks.
func isTasks(name string) bool {
	return slices.Contains([]string{"tasks", "value"}, migrate.Fold(name))
}

// holds reports whether a field contains tasks.
func holds(f migrate.Field, depth int) bool {
	switch f.Value.Type {
	case migrate.List:
		return isTasks(f.Name) || isTagList(f.Value) || slices.ContainsFunc(f.Value.Items, isTask)
	case migrate.Object:
		tasks, _ := f.Value.Lookup("tasks")
		return tasks.Type == migrate.List || tasks.Type == migrate.Object ||
			depth > 0 && slices.ContainsFunc(f.Value.Fields, func(f migrate.Field) bool { return holds(f, depth-1) })
	}
	return false
}

// hasTags reports whether a record contains task lists by tag.
func hasTags(r *migrate.Record) bool {
	return slices.ContainsFunc(r.Value.Fields, func(f migrate.Field) bool { return !isTasks(f.Name) && holds(f, 2) })
}

// isTagList reports whether a value is a list of tags with names.
func isTagList(v migrate.Value) bool {
	return v.Type == migrate.List && slices.ContainsFunc(v.Items, func(item migrate.Value) bool {
		tasks, ok := item.Lookup("tasks")
		return ok && tasks.Type == migrate.List
	})
}

// isTask reports whether a value is a task of Task Master, as opposed to
// another record with a title.
func isTask(v migrate.Value) bool {
	return mayBeTask(v) && has(v, "status", "state", "dependencies", "subtasks")
}

// mayBeTask reports whether a value among tasks is a task. It may be truncated.
func mayBeTask(v migrate.Value) bool {
	return has(v, "title", "name", "summary", "description") && has(v, "id", "key", "uuid", "taskId", "status", "state", "dependencies") && !has(v, "issue_type")
}

// has reports whether an object has one of the fields.
func has(v migrate.Value, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := v.Lookup(name); return ok })
}

// isStore reports whether a value is a list of tasks, possibly empty.
func isStore(v migrate.Value) bool {
	keyed := func(f migrate.Field) bool { return has(f.Value, "title", "name", "summary") }
	return v.Nothing() || slices.ContainsFunc(v.Items, mayBeTask) || slices.ContainsFunc(v.Fields, keyed)
}
