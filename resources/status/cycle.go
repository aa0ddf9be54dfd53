package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Lookup returns the last valid version of any object.
type Lookup interface {
	Get(key resources.Key) (resources.Object, bool)
}

// ancestry is a relation between objects of one kind that must not have cycles. See
// Precedence for prerequisites, which are checked separately.
type ancestry struct {
	field     string
	parentsOf func(resources.Object) []string
}

// acyclic returns the relations of a kind that must be acyclic.
func acyclic(kind string) []ancestry {
	switch kind {
	case resources.Tasks:
		return []ancestry{{"spec.parent", func(o resources.Object) []string { return one(o.(*resources.Task).Spec.Parent) }}}
	case resources.Artifacts:
		return []ancestry{
			{"spec.supersedes", func(o resources.Object) []string { return one(o.(*resources.Artifact).Spec.Supersedes) }},
			{"spec.parent", func(o resources.Object) []string { return one(o.(*resources.Artifact).Spec.Parent) }},
			{"spec.derivedFrom", func(o resources.Object) []string { return derivedFrom(o.(*resources.Artifact)) }},
		}
	case resources.Mems:
		return []ancestry{
			{"spec.supersedes", func(o resources.Object) []string { return one(o.(*resources.Mem).Spec.Supersedes) }},
			{"spec.parent", func(o resources.Object) []string { return one(o.(*resources.Mem).Spec.Parent) }},
		}
	case resources.Decisions:
		return []ancestry{
			{"spec.supersedes", func(o resources.Object) []string { return one(o.(*resources.Decision).Spec.Supersedes) }},
		}
	}
	return nil
}

// one returns a list with the name, or nil for "".
func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// CheckCycle returns an error for each relation in which an object would be
// part of a cycle after it is written and, without such an error, one for a
// cycle of prerequisites. The error contains the cycle. The Order others
// provides all other objects. Each reachable object is visited once.
func CheckCycle(object resources.Object, others Order) []resources.FieldError {
	var errs []resources.FieldError
	add := func(field string, path []string) {
		errs = append(errs, resources.FieldError{Field: field, Detail: fmt.Sprintf("Invalid value: %q: would make a circle: %s", strings.TrimSuffix(strings.TrimSuffix(path[1], " (its parent)"), " (its plan)"), formatCycle(path))})
	}
	for _, relation := range acyclic(object.Key().Kind) {
		if path := pathBack(object, relation.parentsOf, others); path != nil {
			add(relation.field, path)
		}
	}
	if len(errs) > 0 {
		return errs
	}
	if path := CycleOf(object, others); path != nil {
		add(cmp.Or(path[0].Field, "spec.dependsOn"), writtenCycle(object.Key(), path))
	}
	return errs
}

// pathBack returns the shortest path from object over a relation back to object, including
// both ends. It returns nil if there is no cycle.
func pathBack(object resources.Object, of func(resources.Object) []string, others Lookup) []string {
	self := object.Key()
	cameFrom := map[string]string{}
	queue := []string{self.Name}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		current := object
		if name != self.Name {
			o, ok := others.Get(resources.Key{Kind: self.Kind, Name: name})
			if !ok {
				continue
			}
			current = o
		}
		for _, next := range of(current) {
			if next == self.Name {
				return trace(cameFrom, self.Name, name)
			}
			if _, seen := cameFrom[next]; !seen {
				cameFrom[next] = name
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// trace returns the path from first to last that cameFrom records, and back to
// first.
func trace(cameFrom map[string]string, first, last string) []string {
	path := []string{first}
	for name := last; name != first; name = cameFrom[name] {
		path = append(path, name)
	}
	path = append(path, first)
	slices.Reverse(path)
	return path
}

// maxCycleNames is the maximum number of names of a cycle in a message.
const maxCycleNames = 8

// formatCycle formats a path as "a -> b -> a". It shortens long paths in the middle.
func formatCycle(path []string) string {
	if len(path) <= maxCycleNames+1 {
		return strings.Join(path, " -> ")
	}
	return fmt.Sprintf("%s -> ... (%d in all) -> %s", strings.Join(path[:maxCycleNames], " -> "), len(path)-1, path[len(path)-1])
}
