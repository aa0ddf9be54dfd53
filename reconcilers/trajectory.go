package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

var trajectoryKey = resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}

// trajectoryKeys: the one read-head, whenever a plan or a task is another one or in
// another phase, in which shows what a log proves; and after a listing, because it is there
// in an empty store, too.
func trajectoryKeys(ch controller.Change, _ controller.Client) []resources.Key {
	switch ch.Key.Kind {
	case "":
		return []resources.Key{trajectoryKey}
	case resources.Trajectories:
		if !ch.StatusOnly {
			return []resources.Key{trajectoryKey}
		}
	case resources.Tasks, resources.WorkPlans:
		if !ch.StatusOnly || rephased(ch) {
			return []resources.Key{trajectoryKey}
		}
	case resources.Configs:
		return []resources.Key{trajectoryKey}
	}
	return nil
}

// readHead remembers the intent that the context was last about. One goroutine
// uses it.
type readHead struct {
	known  bool
	intent string
}

// reconcile keeps the read-head valid: which plan and tasks the context is
// about.
func (h *readHead) reconcile(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen := c.Known(key)
	trajectory, _ := seen.Object.(*resources.Trajectory)
	if trajectory == nil && c.Exists(key) {
		_, _, err := settle(ctx, c, key)
		return controller.Result{}, err
	}
	before := statusBefore[resources.TrajectoryStatus](seen)
	status, _ := status.DeriveTrajectory(trajectory, at(c))
	plan := status.ActivePlan
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	intent := ""
	if trajectory != nil {
		intent = trajectory.Spec.Intent
	}
	h.announce(c, key, before, plan, intent)
	return controller.Result{}, nil
}

// announce tells that the context is about something else from now on.
func (h *readHead) announce(c controller.Client, key resources.Key, before resources.TrajectoryStatus, plan, intent string) {
	shifted := h.known && h.intent != intent
	switch {
	case before.UID != "" && before.ActivePlan != plan && plan != "":
		c.Event(key, resources.Normal, "ContextSwitched", "the context is about plan %s now", plan)
	case before.UID != "" && before.ActivePlan != plan:
		c.Event(key, resources.Normal, "ContextSwitched", "no plan is active any more")
	case shifted && intent != "":
		c.Event(key, resources.Normal, "ContextSwitched", "the intent is now: %s", intent)
	case shifted:
		c.Event(key, resources.Normal, "ContextSwitched", "there is no stated intent any more")
	}
	h.known, h.intent = true, intent
}
