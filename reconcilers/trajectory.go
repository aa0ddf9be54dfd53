package reconcilers

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

var trajectoryKey = resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}

// trajectoryKeys returns the trajectory's key when it or the configuration
// changed, when a plan or task changed its spec or phase, and at the end of a
// listing, because an empty store has a trajectory too.
func trajectoryKeys(ch controller.Change, _ controller.Client) []resources.Key {
	switch ch.Key.Kind {
	case "":
		return []resources.Key{trajectoryKey}
	case resources.Trajectories:
		if !ch.StatusOnly {
			return []resources.Key{trajectoryKey}
		}
	case resources.Tasks, resources.WorkPlans:
		if !ch.StatusOnly || phaseChanged(ch) {
			return []resources.Key{trajectoryKey}
		}
	case resources.Configs:
		return []resources.Key{trajectoryKey}
	}
	return nil
}

// readHead records the previous focus of the context. It is not safe for concurrent use.
type readHead struct {
	repo   mutate.Repo // leases are ignored if it has no store
	known  bool
	plan   string // active plan in the file
	intent string
}

// reconcile writes the status of the trajectory: the plan and tasks that the
// context covers. It parks active tasks outside the focus, and emits an event
// if the focus changed.
func (h *readHead) reconcile(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen := c.Revision(key)
	trajectory, _ := seen.Object.(*resources.Trajectory)
	if trajectory == nil && c.Exists(key) {
		_, _, err := finishMissing(ctx, c, key)
		return controller.Result{}, err
	}
	before := statusBefore[resources.TrajectoryStatus](seen)
	status, _ := status.DeriveTrajectory(trajectory, newSnapshot(c))
	plan := status.ActivePlan
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	intent := ""
	if trajectory != nil {
		intent = trajectory.Spec.Intent
		if err := h.park(ctx, c, trajectory); err != nil {
			return controller.Result{}, err
		}
	}
	h.announce(c, key, before, plan, intent)
	return controller.Result{}, nil
}

// announce emits an event if the focus of the context changed.
func (h *readHead) announce(c controller.Client, key resources.Key, before resources.TrajectoryStatus, plan, intent string) {
	switch shifted := h.known && h.intent != intent; {
	case before.UID != "" && before.ActivePlan != plan && plan != "":
		c.Event(key, resources.Normal, "ContextSwitched", "%s", status.FocusMessage(plan))
	case before.UID != "" && before.ActivePlan != plan:
		c.Event(key, resources.Normal, "ContextSwitched", "no plan is active now")
	case shifted && intent != "":
		c.Event(key, resources.Normal, "ContextSwitched", "the intent is now: %s", intent)
	case shifted:
		c.Event(key, resources.Normal, "ContextSwitched", "the intent was removed")
	}
	h.known, h.intent = true, intent
}

// park sets aside active tasks outside the focus that an agent of this machine held when the focus
// moved. Commands do so themselves; after an edit of the file the controller does.
func (h *readHead) park(ctx context.Context, c controller.Client, head *resources.Trajectory) error {
	plan := head.Spec.ActivePlan
	if h.repo.Store == nil || h.known && h.plan == plan {
		return nil
	}
	book, view := leases.Open(h.repo.Store.Root()), newSnapshot(c)
	held, _ := book.All()
	var keys []resources.Key
	for _, l := range held {
		t, ok := view.Task(l.Metadata.Name)
		since := l.Spec.AcquireTime.Before(head.Source().ModTime.Truncate(time.Second)) // lease times have a resolution of seconds
		if ok && since && book.IsHere(l.Spec.Holder) && resources.TaskState(t) == resources.TaskActive && !status.InFocus(t, view) {
			keys = append(keys, t.Key())
		}
	}
	if len(keys) > 0 {
		if err := writeThrough(h.repo, c).Park(ctx, keys...); err != nil {
			return err
		}
	}
	h.plan = plan
	return nil
}
