package plans

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// waiting returns the fields through which objects of a kind depend on others
// of the same kind.
func waiting(kind string) []string {
	switch kind {
	case resources.Tasks:
		return []string{"spec.dependsOn", "spec.temporalGate", "spec.parent"}
	case resources.WorkPlans, resources.Decisions:
		return []string{"spec.dependsOn"}
	}
	return nil
}

// before returns the dependencies of an object on objects of the same kind.
func before(o resources.Object) []string {
	switch o := o.(type) {
	case *resources.Task:
		names := slices.Clone(resources.ComesFirst(o))
		if o.Spec.Parent != "" {
			names = append(names, o.Spec.Parent)
		}
		return names
	case *resources.WorkPlan:
		return o.Spec.DependsOn
	case *resources.Decision:
		var names []string
		for _, on := range o.Spec.DependsOn {
			names = append(names, strings.TrimPrefix(on, resources.Decisions+"/"))
		}
		return names
	}
	return nil
}

// objectsAt adapts one side of the exchange to status.Precedence. It does not
// know the tasks of a plan, so it follows no edges from a plan to its tasks.
type objectsAt func(resources.Key) resources.Object

func (at objectsAt) Get(key resources.Key) (resources.Object, bool) {
	o := at(key)
	return o, o != nil
}

// PlanTasks returns nothing.
func (at objectsAt) PlanTasks(string) []string { return nil }

func (at objectsAt) steps(s status.Step) []status.Step { return graph.Steps(status.Precedence(s, at)) }

// writtenOut formats a cycle.
func writtenOut(cycle []resources.Key) string {
	var names []string
	for _, key := range append(slices.Clone(cycle), cycle[0]) {
		name := key.Name
		if key.Kind != cycle[0].Kind {
			name = key.String()
		}
		names = append(names, name)
	}
	return strings.Join(names, " -> ")
}

// shape prevents that merging two valid sides creates a cycle or a reference to
// an object that is archived remotely. In the affected fields the remote value
// wins. A version without new references cannot close a cycle.
func (l *look) shape(ctx context.Context) error {
	var teams graph.CircleFinder
	circles := &graph.CircleFinder{}
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s := l.steps[key]
		if s.deed != Send {
			continue
		}
		yields, reason := l.dangling(s)
		if len(waiting(key.Kind)) > 0 && !s.namesNothingNew() {
			after := objectsAt(func(k resources.Key) resources.Object { return l.after(ctx, k) })
			theirs := objectsAt(func(k resources.Key) resources.Object { return l.theirs(ctx, k) })
			circle := circles.Find(key, after.steps)
			if circle != nil && teams.Find(key, theirs.steps) == nil {
				yields, reason = append(yields, waiting(key.Kind)...), "with what the team has, it would wait for itself: "+writtenOut(circle)
			}
		}
		if reason != "" {
			l.yield(s, yields, reason)
			circles = &graph.CircleFinder{} // the dependencies have changed
		}
	}
	return nil
}

// dangling returns the fields with references to objects that are archived
// remotely.
func (l *look) dangling(s *step) (fields []string, reason string) {
	for _, r := range resources.References(s.object) {
		if !shared(r.Key.Kind) || l.team.archived[r.Key].key == "" || l.team.objects[r.Key].key != "" {
			continue
		}
		if other := l.steps[r.Key]; other != nil && other.deed == Send {
			continue // it is restored together with this object
		}
		field, _, _ := strings.Cut(r.Field, "[")
		fields, reason = append(fields, field), "it names "+r.Key.String()+", which the team set aside"
	}
	return fields, reason
}

// yield drops the local changes of a step in some fields. An object that does
// not exist remotely is not pushed.
func (l *look) yield(s *step, fields []string, reason string) {
	var err error = errorText(reason)
	if s.team.text != nil {
		s.yields = fields
		err = l.merge(s)
	}
	if err != nil {
		l.hold(s.key, err)
		l.open[s.key] = true // depends on other objects
		s.deed = Rest
		return
	}
	s.reason = reason
	delete(l.decoded, s.key)
}

// errorText is a reason as an error.
type errorText string

func (e errorText) Error() string { return string(e) }

// after returns the local object after all steps, or nil.
func (l *look) after(ctx context.Context, key resources.Key) resources.Object {
	if o, known := l.decoded[key]; known {
		return o
	}
	text := l.at(ctx, key).text
	switch s := l.steps[key]; {
	case s == nil && text == nil:
		text = l.teamText(ctx, key)
	case s == nil:
	case s.deed == Drop:
		text = nil
	case s.deed == Send, s.deed == Take, s.deed == PutBack:
		text = s.text
	}
	l.decoded[key] = decoded(key, text)
	return l.decoded[key]
}

// theirs returns the remote object, or nil.
func (l *look) theirs(ctx context.Context, key resources.Key) resources.Object {
	return decoded(key, l.teamText(ctx, key))
}

// teamText returns the text of a remote object that is not compared in this
// pass, or nil.
func (l *look) teamText(ctx context.Context, key resources.Key) []byte {
	if l.team.objects[key].key == "" && grouped(key.Kind) {
		l.failed = errors.Join(l.failed, l.x.seek(ctx, l.e, key, ""))
	}
	l.guard(l.team.objects[key].key)
	text, err := l.x.textOf(ctx, l.e, key, l.team.objects[key])
	if err != nil {
		l.failed = errors.Join(l.failed, err)
	}
	return text
}

func decoded(key resources.Key, text []byte) resources.Object {
	if text == nil {
		return nil
	}
	o, _, err := resources.DecodeFile(key, text)
	if err != nil {
		return nil
	}
	return o
}
