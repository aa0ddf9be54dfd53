package reconcilers

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// planKeys returns the plan itself and its dependents. For a task it returns
// the task's plan, the dependents of that plan, and the plans of the live tasks
// that block the task, because the number of tasks that a task unblocks decides
// its place in status.next. For a checkpoint it returns the plan of its task
// (planOfWork), and at the end of a listing all plans.
func planKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.WorkPlans)
	}
	switch ch.Key.Kind {
	case "": // the end of a listing: one pass for everything that its tasks unblock
		return c.List(resources.WorkPlans)
	case resources.WorkPlans:
		if ch.StatusOnly {
			return nil
		}
		keys := []resources.Key{ch.Key}
		if specChanged(ch) {
			keys = append(keys, c.Dependents(ch.Key)...)
		}
		return keys
	case resources.Tasks:
		if !specChanged(ch) && !phaseChanged(ch) {
			return nil
		}
		var keys []resources.Key
		for _, plan := range plansOf(ch) {
			keys = append(keys, planKey(plan))
			keys = append(keys, c.Dependents(planKey(plan))...)
		}
		if ch.Resync {
			return keys
		}
		return append(keys, plansUpstream(ch, c)...)
	case resources.CheckpointsKind:
		// A checkpoint can keep the plan from being stale.
		if t, ok := c.Task(ch.Key.Name); ok {
			if p, ok := c.Plan(t.Spec.WorkPlan); ok && status.PlanAsksTasks(p, newSnapshot(c)) {
				return []resources.Key{p.Key()}
			}
		}
		return nil // evidence can change the task's phase
	case resources.Configs:
		if configChanged(ch) {
			plans := slices.Concat(c.PlansInState(resources.PlanAbandoned), c.PlansInState(resources.PlanActive))
			return keysOf(resources.WorkPlans, plans) // config.purgeAfter, config.planStaleAfter
		}
	}
	return nil
}

// reconcilePlan writes the status of a plan, and archives an abandoned plan after
// config.purgeAfter.
func reconcilePlan(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	plan := seen.Object.(*resources.WorkPlan)
	now := newSnapshot(c)
	before := statusBefore[resources.WorkPlanStatus](seen)
	status, next := status.DerivePlan(plan, now)
	if status.Phase == resources.PlanAbandoned {
		if status.PurgedAt = before.PurgedAt; status.PurgedAt.IsZero() {
			status.PurgedAt = resources.NewTime(now.now)
		}
	}
	phase, conditions, purged := status.Phase, status.Conditions, status.PurgedAt
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, phase, func(before, now string) event { return planNews(before, now, conditions) })
	if before.Phase != "" {
		announceCondition(c, key, resources.ChainBroken, before.Conditions, conditions, event{resources.Normal, "ChainMended", "the chain of plans holds again"})
	}
	if phase != resources.PlanAbandoned {
		return now.requeueAt(next), nil
	}
	return purge(ctx, now, key, purged)
}

// purge archives an abandoned plan and its tasks after config.purgeAfter,
// except tasks on which live tasks of other plans depend. Before that time it
// returns when to check again. It deletes nothing.
func purge(ctx context.Context, now snapshot, key resources.Key, since resources.Time) (controller.Result, error) {
	if _, broken := now.Problem(key); broken {
		return controller.Result{}, nil // the file may contain another state now
	}
	after := resources.Duration(now.Settings().PurgeAfter, 0)
	if due := since.Add(after); now.now.Before(due) {
		return now.requeueAt(due), nil
	}
	var errs []error
	for _, task := range keysOf(resources.Tasks, now.PlanTasks(key.Name)) {
		if !hasOutsideDependents(task, now) {
			errs = append(errs, now.Archive(ctx, task))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return controller.Result{}, err
	}
	if err := now.Archive(ctx, key); err != nil {
		return controller.Result{}, err
	}
	now.Event(key, resources.Normal, "Purged", "abandoned for %s, it was moved to the archive with its tasks; bring it back with idumb restore workplan/%s", after, key.Name)
	return controller.Result{}, nil
}

// hasOutsideDependents reports whether live tasks of other plans depend on a completed task. Archiving it
// would break their chain.
func hasOutsideDependents(key resources.Key, c controller.Client) bool {
	task, ok := c.Task(key.Name)
	if !ok || !status.TaskDone(task, c.Evidence(key.Name)) {
		return false
	}
	for _, dependent := range c.Dependents(key) {
		t, ok := c.Task(dependent.Name)
		if ok && t.Spec.WorkPlan != task.Spec.WorkPlan && status.LiveTask(t) {
			return true
		}
	}
	return false
}

// planNews returns the event about the new phase of a plan.
func planNews(before, now string, conditions []resources.Condition) event {
	switch now {
	case resources.PlanDraft:
		return event{resources.Normal, "Draft", "it is a draft again"}
	case resources.PlanActive:
		if before == resources.PlanBlocked {
			return event{resources.Normal, "Unblocked", "the plans that it depends on are completed; its tasks may be started"}
		}
		return event{resources.Normal, "Activated", "its tasks may be worked on"}
	case resources.PlanBlocked:
		return event{resources.Normal, "Blocked", messageOf(conditions, resources.Blocked)}
	case resources.PlanReview:
		return event{resources.Normal, "CriteriaOpen", messageOf(conditions, resources.Ready)}
	case resources.PlanCompleted:
		return event{resources.Normal, "Completed", messageOf(conditions, resources.Ready)}
	case resources.PlanArchived:
		return event{resources.Normal, "Archived", "it was set aside"}
	default:
		return event{resources.Normal, "Abandoned", "it was abandoned, and leaves the context"}
	}
}
