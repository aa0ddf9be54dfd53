package migrate

import (
	"slices"
	"strings"
)

// Fields that say what comes before a record, and what waits for it, by the names that tools give them.
var (
	dependencyFields = []string{
		"dependsOn", "dependencies", "deps", "blockedBy", "blockers", "requires", "prerequisites", "predecessors",
		"dependencyIds", "dependsOnIds", "waitsFor", "waitingFor",
	}
	blockingFields = []string{"blocks", "blocking", "dependents", "successors", "blockedTasks"}
)

// refFields are the names under which an object says what it refers to.
var refFields = []string{"id", "taskId", "dependsOnId", "dependsOn", "target", "to", "ref", "issueId", "key", "uuid", "name", "title"}

// Refs takes all fields of these names that refer to other records, and returns what they refer to, each once:
// lists of ids, of objects with an id, objects whose names are ids, a text with ids. What says more than the
// ids is left as well.
func (r *Record) Refs(names ...string) []string {
	var all []string
	for i, f := range r.Value.Fields {
		if f.Value.Type == Null || !slices.ContainsFunc(names, func(name string) bool { return Fold(name) == Fold(f.Name) }) {
			continue
		}
		ids, plain := refsIn(f.Value)
		r.taken[i] = plain
		for _, id := range ids {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// refsIn returns the ids in a value; plain: it says nothing else.
func refsIn(v Value) (ids []string, plain bool) {
	switch v.Type {
	case String:
		return trimmed(split(v.Text)), !strings.Contains(v.Text, "[[")
	case Number:
		return []string{v.Text}, true
	case List:
		plain = true
		for _, item := range v.Items {
			inner, simple := refsIn(item)
			ids, plain = append(ids, inner...), plain && (simple || item.Type == Null)
		}
		return ids, plain
	case Object:
		if id, ok := FirstText(v, refFields...); ok {
			return []string{id}, false
		}
		for _, f := range v.Fields {
			if f.Value.Type != List && f.Value.Text != "false" {
				ids = append(ids, f.Name)
			}
		}
		return trimmed(ids), false
	}
	return nil, false
}

// trimmed takes the brackets of a link off ids, [[task-1]], and leaves out empty ones.
func trimmed(ids []string) []string {
	for i, id := range ids {
		ids[i] = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(id), "[["), "]]"))
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "" })
}
