package reconcilers

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// observed are their plurals.
var observed = [...]string{resources.Roles, resources.Configs, resources.ChainRules, resources.Shell, resources.Triggers, resources.Delegations}

// observeKeys: the object itself; all delegations for any of them, because they
// follow from each other; those of a task that concluded, or that became or ceased to
// be a part of another one; and the one that a session works under.
func observeKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.First {
		return itself(ch, observed[:]...)
	}
	switch ch.Key.Kind {
	case resources.Roles, resources.Configs, resources.ChainRules, resources.Shell:
		if isConfig(ch) {
			return append(c.List(resources.Delegations), ch.Key) // delegationGrace, sessionStaleAfter
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
		return delegationsAfterTask(ch, c)
	case resources.Sessions:
		return delegationsAfterSession(ch)
	}
	return nil
}

func delegationsAfterTask(ch controller.Change, c controller.Client) []resources.Key {
	if ch.StatusOnly || !respecified(ch) {
		return nil
	}
	if parentOf(ch.Old) != parentOf(ch.New) {
		return c.List(resources.Delegations)
	}
	if concluded(ch, c) {
		return referring(c, ch.Key, resources.Delegations)
	}
	return nil
}

// delegationsAfterSession: the one that a session took or left, or under which it
// began or ceased to be at work. That it was seen once more changes nothing.
func delegationsAfterSession(ch controller.Change) []resources.Key {
	if ch.StatusOnly {
		return nil
	}
	var keys []resources.Key
	before, after := underOf(ch.Old), underOf(ch.New)
	if before == after {
		return nil
	}
	for _, u := range []under{before, after} {
		if u.delegation != "" {
			keys = append(keys, resources.Key{Kind: resources.Delegations, Name: u.delegation})
		}
	}
	return slices.Compact(keys)
}

// under is all that a delegation's status says of a session.
type under struct {
	delegation string
	ended      bool
}

func underOf(o resources.Object) under {
	s, ok := o.(*resources.Session)
	if !ok {
		return under{}
	}
	return under{s.Spec.Delegation, status.HasEnded(s)}
}

func parentOf(o resources.Object) string {
	if t := asTask(o); t != nil {
		return t.Spec.Parent
	}
	return ""
}

// reconcileObserved keeps the statuses of the kinds of which there is little to observe:
// roles, chain rules, delegations and the settings.
func reconcileObserved(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := settle(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	now := at(c)
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
		turned(c, key, resources.DelegateGone, before.Conditions, conditions, news{resources.Normal, "DelegateBack", "somebody works under it again, or it is over"})
		turned(c, key, resources.ChainBroken, before.Conditions, conditions, news{resources.Normal, "ChainMended", "the chain of delegations holds again"})
	}
	return now.until(next), nil
}
