package reconcilers

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// observedKinds lists the plurals of the kinds whose status this reconciler writes.
var observedKinds = [...]string{resources.Roles, resources.Configs, resources.ChainRules, resources.Shell, resources.Triggers, resources.Delegations}

// observeKeys returns the object itself. For a delegation, and for a task that got another parent,
// it returns all delegations, because they form chains; for a task whose outcome changed or that
// has a new checkpoint, the delegations of the task; for a session, its delegation.
func observeKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, observedKinds[:]...)
	}
	switch ch.Key.Kind {
	case resources.Roles, resources.Configs, resources.ChainRules, resources.Shell:
		if configChanged(ch) {
			return append(c.List(resources.Delegations), ch.Key) // config.delegationGrace, config.sessionStaleAfter
		}
		if !ch.StatusOnly {
			return []resources.Key{ch.Key}
		}
	case resources.Triggers:
		if !ch.StatusOnly {
			return []resources.Key{ch.Key}
		}
	case resources.Delegations:
		if !ch.StatusOnly {
			return append(c.List(resources.Delegations), ch.Key)
		}
	case resources.CheckpointsKind:
		return referring(c, taskKey(ch.Key.Name), resources.Delegations)
	case resources.Tasks:
		// Another parent of a task can change all delegations.
		if ch.StatusOnly || !specChanged(ch) {
			return nil
		}
		if parentOf(ch.Old) != parentOf(ch.New) {
			return c.List(resources.Delegations)
		}
		if outcomeChanged(ch, c) {
			return referring(c, ch.Key, resources.Delegations)
		}
		return nil
	case resources.Sessions:
		return delegationsAfterSession(ch)
	}
	return nil
}

// delegationsAfterSession returns the delegation that a session accepted or left, or under which
// the session started or ended. It ignores a change of lastSeenAt.
func delegationsAfterSession(ch controller.Change) []resources.Key {
	if ch.StatusOnly {
		return nil
	}
	var keys []resources.Key
	before, after := sessionWorkOf(ch.Old), sessionWorkOf(ch.New)
	if before == after {
		return nil
	}
	for _, u := range []sessionWork{before, after} {
		if u.delegation != "" {
			keys = append(keys, resources.Key{Kind: resources.Delegations, Name: u.delegation})
		}
	}
	return slices.Compact(keys)
}

// sessionWork is the part of a session that the status of a delegation depends on.
type sessionWork struct {
	delegation string
	ended      bool
}

// sessionWorkOf returns the sessionWork of a session; the zero value for an object of another
// kind.
func sessionWorkOf(o resources.Object) sessionWork {
	s, ok := o.(*resources.Session)
	if !ok {
		return sessionWork{}
	}
	return sessionWork{s.Spec.Delegation, status.HasEnded(s)}
}

// parentOf returns the parent of a task. It returns "" for a task without one and for an object of
// another kind.
func parentOf(o resources.Object) string {
	if t := asTask(o); t != nil {
		return t.Spec.Parent
	}
	return ""
}

// reconcileObserved writes the status of an object of one of observedKinds.
func reconcileObserved(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	now := newSnapshot(c)
	before := statusBefore[struct {
		resources.Common
		Chain []string `json:"chain"`
	}](seen)
	status, next := graph.Derive(seen.Object, now)
	conditions := slices.Clone(resources.CommonOf(status).Conditions)
	if err := c.WriteStatus(ctx, seen, status); err != nil {
		return controller.Result{}, err
	}
	if len(before.Chain) > 0 {
		announceCondition(c, key, resources.DelegateGone, before.Conditions, conditions, event{resources.Normal, "DelegateBack", "an agent works under it again, or it has ended"})
		announceCondition(c, key, resources.ChainBroken, before.Conditions, conditions, event{resources.Normal, "ChainMended", "the chain of delegations holds again"})
	}
	return now.requeueAt(next), nil
}
