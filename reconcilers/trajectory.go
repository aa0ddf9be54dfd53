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

// readHead remembers what the context was last about. One goroutine uses it.
type readHead struct {
	repo   mutate.Repo // without a store: nobody holds a task
	known  bool
	plan   string // as the file names it
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
		if err := h.park(ctx, c, trajectory); err != nil {
			return controller.Result{}, err
		}
	}
	h.announce(c, key, before, plan, intent)
	return controller.Result{}, nil
}

// announce tells that the context is about something else from now on.
func (h *readHead) announce(c controller.Client, key resources.Key, before resources.TrajectoryStatus, plan, intent string) {
	shifted := h.known && h.intent != intent
	switch {
	case before.UID != "" && before.ActivePlan != plan && plan != "":
		c.Event(key, resources.Normal, "ContextSwitched", "%s", status.FocusMessage(plan))
	case before.UID != "" && before.ActivePlan != plan:
		c.Event(key, resources.Normal, "ContextSwitched", "no plan is active any more")
	case shifted && intent != "":
		c.Event(key, resources.Normal, "ContextSwitched", "the intent is now: %s", intent)
	case shifted:
		c.Event(key, resources.Normal, "ContextSwitched", "there is no stated intent any more")
	}
	h.known, h.intent = true, intent
}

// park sets aside the tasks that are not in focus any more, and that somebody here held when the
// read-head was moved. Verbs do so themselves; whoever edits its file leaves it to the controller.
func (h *readHead) park(ctx context.Context, c controller.Client, head *resources.Trajectory) error {
	plan := head.Spec.ActivePlan
	if h.repo.Store == nil || h.known && h.plan == plan {
		return nil
	}
	book, view := leases.Open(h.repo.Store.Root()), at(c)
	held, _ := book.All()
	var keys []resources.Key
	for _, l := range held {
		t, ok := view.Task(l.Metadata.Name)
		since := l.Spec.AcquireTime.Before(head.Source().ModTime.Truncate(time.Second)) // leases know seconds
		if ok && since && book.Here(l.Spec.Holder) && resources.TaskState(t) == resources.TaskActive && !status.InFocus(t, view) {
			keys = append(keys, t.Key())
		}
	}
	if len(keys) > 0 {
		if err := writing(h.repo, c).Park(ctx, keys...); err != nil {
			return err
		}
	}
	h.plan = plan
	return nil
}
