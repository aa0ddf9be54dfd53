package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Lookup finds the last good version of any object.
type Lookup interface {
	Get(key resources.Key) (resources.Object, bool)
}

// ancestry names, for one kind, the references that must not lead back to where
// they began, in groups: each group is a relation of its own. What comes before what is
// not among them: see Precedence.
type ancestry struct {
	field string
	of    func(resources.Object) []string
}

// acyclic is the one table of such relations, by kind.
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

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// CheckCycle returns an error for each relation in which the object, as it is about
// to be written, would come before itself, with the cycle written out. others
// answers for everything else. Each object is looked at once: the cost is that of
// what can be reached.
func CheckCycle(object resources.Object, others Order) []resources.FieldError {
	var errs []resources.FieldError
	add := func(field string, path []string) {
		errs = append(errs, resources.FieldError{Field: field, Detail: fmt.Sprintf("Invalid value: %q: would make a circle: %s", strings.TrimSuffix(strings.TrimSuffix(path[1], " (its parent)"), " (its plan)"), writtenOut(path))})
	}
	for _, relation := range acyclic(object.Key().Kind) {
		if path := pathBack(object, relation.of, others); path != nil {
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

// pathBack returns the shortest way from object over its relation back to it,
// both ends included, or nil.
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

// trace follows cameFrom from last back to first.
func trace(cameFrom map[string]string, first, last string) []string {
	path := []string{first}
	for name := last; name != first; name = cameFrom[name] {
		path = append(path, name)
	}
	path = append(path, first)
	slices.Reverse(path)
	return path
}

// maxWrittenOut is how many names of a circle a message holds.
const maxWrittenOut = 8

// writtenOut writes a path as "a -> b -> a", cut in the middle if it is long.
func writtenOut(path []string) string {
	if len(path) <= maxWrittenOut+1 {
		return strings.Join(path, " -> ")
	}
	return fmt.Sprintf("%s -> ... (%d in all) -> %s", strings.Join(path[:maxWrittenOut], " -> "), len(path)-1, path[len(path)-1])
}
