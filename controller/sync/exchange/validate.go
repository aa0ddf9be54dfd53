package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// dependencyFields returns the fields through which objects of a kind depend on others
// of the same kind.
func dependencyFields(kind string) []string {
	switch kind {
	case resources.Tasks:
		return []string{"spec.dependsOn", "spec.temporalGate", "spec.parent"}
	case resources.WorkPlans, resources.Decisions:
		return []string{"spec.dependsOn"}
	}
	return nil
}

// dependenciesOf returns the dependencies of an object on objects of the same kind.
func dependenciesOf(o resources.Object) []string {
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

// Get returns an object of this side. It returns false if the object is missing
// or cannot be decoded.
func (at objectsAt) Get(key resources.Key) (resources.Object, bool) {
	o := at(key)
	return o, o != nil
}

// PlanTasks returns nothing.
func (at objectsAt) PlanTasks(string) []string { return nil }

// steps returns the direct prerequisites of a step.
func (at objectsAt) steps(s status.Step) []status.Step { return graph.Steps(status.Precedence(s, at)) }

// cycleText formats a cycle.
func cycleText(cycle []resources.Key) string {
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

// validate prevents that merging two valid sides creates a cycle or a reference to
// an object that is archived remotely. In the affected fields the remote value
// wins. A version without new references cannot close a cycle.
func (l *pass) validate(ctx context.Context) error {
	var teams graph.CircleFinder
	circles := &graph.CircleFinder{}
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s := l.steps[key]
		if s.action != Push {
			continue
		}
		// references to objects that are archived remotely
		var yields []string
		var reason string
		for _, r := range resources.References(s.object) {
			if !shared(r.Key.Kind) || l.remote.archived[r.Key].key == "" || l.remote.objects[r.Key].key != "" {
				continue
			}
			if other := l.steps[r.Key]; other != nil && other.action == Push {
				continue // it is restored together with this object
			}
			field, _, _ := strings.Cut(r.Field, "[")
			yields, reason = append(yields, field), "it names "+r.Key.String()+", which the team archived"
		}
		if len(dependencyFields(key.Kind)) > 0 && !s.namesNothingNew() {
			after := objectsAt(func(k resources.Key) resources.Object { return l.localAfter(ctx, k) })
			theirs := objectsAt(func(k resources.Key) resources.Object { return decoded(k, l.teamText(ctx, k)) })
			circle := circles.Find(key, after.steps)
			if circle != nil && teams.Find(key, theirs.steps) == nil {
				yields, reason = append(yields, dependencyFields(key.Kind)...), "merged with the team's version, it would depend on itself: "+cycleText(circle)
			}
		}
		if reason != "" {
			l.dropFields(s, yields, reason)
			circles = &graph.CircleFinder{} // the dependencies have changed
		}
	}
	return nil
}

// dropFields drops the local changes of a step in some fields. An object that does
// not exist remotely is not pushed.
func (l *pass) dropFields(s *step, fields []string, reason string) {
	var err error = errorText(reason)
	if s.remote.text != nil {
		s.remoteWins = fields
		err = l.merge(s)
	}
	if err != nil {
		l.skip(s.key, err)
		l.requeue[s.key] = true // depends on other objects
		s.action = NoAction
		return
	}
	s.reason = reason
	delete(l.decoded, s.key)
}

// errorText is a reason as an error.
type errorText string

func (e errorText) Error() string { return string(e) }

// localAfter returns the local object after all steps; if this clone does not
// have it, the remote one; or nil.
func (l *pass) localAfter(ctx context.Context, key resources.Key) resources.Object {
	if o, known := l.decoded[key]; known {
		return o
	}
	text := l.localOf(ctx, key).text
	switch s := l.steps[key]; {
	case s == nil && text == nil:
		text = l.teamText(ctx, key)
	case s == nil:
	case s.action == ArchiveLocal:
		text = nil
	case s.action == Push, s.action == Pull, s.action == RestoreLocal:
		text = s.text
	}
	l.decoded[key] = decoded(key, text)
	return l.decoded[key]
}

// teamText returns the text of a remote object that is not compared in this
// pass, or nil. It requests the object if needed, and guards the push against
// changes of it. Errors are added to l.err.
func (l *pass) teamText(ctx context.Context, key resources.Key) []byte {
	if l.remote.objects[key].key == "" && grouped(key.Kind) {
		l.err = errors.Join(l.err, l.x.request(ctx, l.engine, key, ""))
	}
	l.guard(l.remote.objects[key].key)
	text, err := l.x.textOf(ctx, l.engine, key, l.remote.objects[key])
	if err != nil {
		l.err = errors.Join(l.err, err)
	}
	return text
}

// decoded decodes the text of an object. It returns nil for a nil or invalid
// text.
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

// decodeStrict decodes and validates a version strictly, like user input. A truncated
// version, or one that only a newer build understands, is neither pushed nor
// pulled.
func decodeStrict(key resources.Key, text []byte) (resources.Object, error) {
	o, _, err := resources.Decode(key, text)
	if p := (resources.Problem{}); errors.As(err, &p) {
		p.File = key.String() // it may not be in a file
		return nil, p
	}
	if err != nil {
		return nil, err
	}
	if errs := resources.Validate(o); len(errs) > 0 {
		return nil, &resources.InvalidError{Key: key, Errs: errs}
	}
	return o, nil
}

// ErrSecret means that a version seems to contain a secret. A pushed version is
// on every machine of the team and in backups.
var ErrSecret = errors.New("it seems to contain a token or a key")

// ErrUnproven means that a completed task lacks evidence. Checkpoints are
// local, so other clones would see a claim without proof.
var ErrUnproven = errors.New("it is completed without result.evidence or result.verified, and the team could not see why; `idumb complete` fills them in")

// ErrUnfollowed means that a plan is completed locally but its tasks are not
// followed, so some may be open.
var ErrUnfollowed = errors.New("it is completed here, and its tasks are not followed, so that some may be open; `idumb sync subscribe` it first")

// sendable returns the reason why a readable object is not pushed, or nil.
func (x *Exchange) sendable(o resources.Object, text []byte) error {
	if t, ok := o.(*resources.Task); ok && t.Spec.State == resources.TaskCompleted {
		if r := t.Spec.Result; r == nil || strings.TrimSpace(r.Evidence) == "" && len(r.Verified) == 0 {
			return ErrUnproven
		}
	}
	if p, ok := o.(*resources.WorkPlan); ok && p.Spec.State == resources.PlanCompleted && x.passState != nil && x.passState.unfollowed(p.Metadata.Name) {
		return ErrUnfollowed
	}
	if resources.HoldsSecret(string(text)) && !x.agreedToSend(o.Key(), text) {
		kind, _ := resources.KindOf(o.Key().Kind)
		return fmt.Errorf("%w; `idumb sync resolve %s/%s --send` sends it all the same", ErrSecret, kind.Singular, o.Key().Name)
	}
	return nil
}
