package migrate

import (
	"slices"
	"strings"
)

// refNames are the names under which an object says what it refers to.
const refNames = "id taskId dependsOnId dependsOn target to ref issueId key uuid name title"

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
	case String, Number:
		return unlinked(split(v.Text)), true
	case List:
		plain = true
		for _, item := range v.Items {
			inner, simple := refsIn(item)
			ids, plain = append(ids, inner...), plain && (simple || item.Type == Null)
		}
	case Object:
		if id, ok := FirstText(v, strings.Fields(refNames)...); ok {
			return []string{id}, false
		}
		for _, f := range v.Fields {
			if f.Value.Type != List && f.Value.Text != "false" {
				ids = append(ids, f.Name)
			}
		}
		ids = unlinked(ids)
	}
	return ids, plain
}

// unlinked takes the brackets of a link off ids, [[task-1]], and leaves out empty ones.
func unlinked(ids []string) []string {
	for i, id := range ids {
		ids[i] = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(id), "[["), "]]"))
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "" })
}
