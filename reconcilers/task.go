package reconcilers

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// taskKeys returns the task itself; its dependents, when it concluded; its
// parts, when its spec or phase changed; the tasks that name it, when it was
// created or deleted; the tasks that depend on a changed decision; the tasks of
// a changed plan and of the plans that depend on it; the task of a delegation
// that changed, or whose session started or ended; and the active tasks when
// the focus or the configuration changes.
func (watch *planWatch) taskKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.Tasks)
	}
	switch ch.Key.Kind {
	case resources.Tasks:
		return append(afterTask(ch, c), watch.afterPlanCounts(ch, c)...)
	case resources.CheckpointsKind:
		keys := []resources.Key{taskKey(ch.Key.Name)}
		for _, waiting := range c.Dependents(keys[0]) {
			keys = appendParts(append(keys, waiting), waiting, c)
		}
		return keys
	case resources.WorkPlans:
		keys := afterPlan(ch, c)
		if head := c.Trajectory(); head != nil && head.Spec.ActivePlan == ch.Key.Name && (phaseChanged(ch) || existenceChanged(ch)) {
			keys = append(keys, keysOf(resources.Tasks, c.TasksInState(resources.TaskActive))...) // tasks are out of focus only while the plan in focus continues
		}
		return keys
	case resources.Configs:
		if configChanged(ch) {
			return append(keysOf(resources.Tasks, c.TasksInState(resources.TaskActive)), delegatedTasks(c)...) // config.taskStaleAfter, config.delegationGrace
		}
	case resources.Delegations:
		if !ch.StatusOnly && specChanged(ch) {
			return delegationTasks(ch.Old, ch.New)
		}
	case resources.Decisions:
		return tasksAfterDecision(ch, c)
	case resources.Sessions:
		return tasksAfterSession(ch, c)
	case resources.Trajectories: // active tasks outside the focus are parked
		if ch.StatusOnly {
			return nil
		}
		return keysOf(resources.Tasks, c.TasksInState(resources.TaskActive))
	}
	return nil
}

// delegatedTasks returns the tasks of all delegations.
func delegatedTasks(c controller.Client) []resources.Key {
	var keys []resources.Key
	for _, key := range c.List(resources.Delegations) {
		o, _ := c.Get(key)
		keys = append(keys, delegationTasks(o)...)
	}
	return keys
}

// delegationTasks returns the keys of the tasks that delegations delegate. It ignores other
// objects.
func delegationTasks(delegations ...resources.Object) []resources.Key {
	var keys []resources.Key
	for _, o := range delegations {
		if d, ok := o.(*resources.Delegation); ok {
			keys = append(keys, taskKey(d.Spec.Task))
		}
	}
	return keys
}

// tasksAfterSession returns the task of the delegation under which a session started or ended.
func tasksAfterSession(ch controller.Change, c controller.Client) []resources.Key {
	var keys []resources.Key
	for _, key := range delegationsAfterSession(ch) {
		o, _ := c.Get(key)
		keys = append(keys, delegationTasks(o)...)
	}
	return keys
}

// afterTask returns the keys of the changed task and of the tasks whose status it can affect: its
// parts, at any depth, the parts of its dependents if its spec changed, all tasks that refer to it
// if it was created or deleted, and its dependents if its outcome changed.
func afterTask(ch controller.Change, c controller.Client) []resources.Key {
	var keys []resources.Key
	if phaseChanged(ch) {
		keys = appendParts(keys, ch.Key, c)
	}
	if ch.StatusOnly {
		return keys
	}
	keys = append(keys, ch.Key)
	if specChanged(ch) { // what blocks a parent blocks its parts
		keys = appendParts(keys, ch.Key, c)
		for _, waiting := range c.Dependents(ch.Key) {
			keys = appendParts(keys, waiting, c)
		}
	}
	switch {
	case !specChanged(ch):
	case existenceChanged(ch):
		keys = append(keys, referring(c, ch.Key, resources.Tasks)...)
	case outcomeChanged(ch, c):
		keys = append(keys, c.Dependents(ch.Key)...)
	}
	return keys
}

// appendParts appends all parts of a task, at any depth.
func appendParts(to []resources.Key, whole resources.Key, c controller.Client) []resources.Key {
	met := map[resources.Key]bool{whole: true} // parents may form a cycle
	for wholes := []resources.Key{whole}; len(wholes) > 0; wholes = wholes[1:] {
		for _, part := range c.Lookup(graph.IndexParent, wholes[0].String()) {
			if !met[part] {
				met[part], to, wholes = true, append(to, part), append(wholes, part)
			}
		}
	}
	return to
}

// afterPlanCounts returns the tasks of the plans that depend on this task's plan, when that plan
// became done or stopped being done.
func (watch *planWatch) afterPlanCounts(ch controller.Change, c controller.Client) []resources.Key {
	if !specChanged(ch) && !phaseChanged(ch) {
		return nil
	}
	var keys []resources.Key
	for _, plan := range plansOf(ch) {
		if watch.isOutdated(plan, c) {
			keys = append(keys, tasksAfterPlan(plan, c)...)
		}
	}
	return keys
}

// plansOf returns the plans that a task belongs or belonged to.
func plansOf(ch controller.Change) []string {
	switch old, new := asTask(ch.Old), asTask(ch.New); {
	case old != nil && new != nil && old.Spec.WorkPlan != new.Spec.WorkPlan:
		return []string{old.Spec.WorkPlan, new.Spec.WorkPlan}
	case new != nil:
		return []string{new.Spec.WorkPlan}
	case old != nil:
		return []string{old.Spec.WorkPlan}
	}
	return nil
}

// tasksAfterPlan returns the tasks of the plans that depend on a plan.
func tasksAfterPlan(plan string, c controller.Client) []resources.Key {
	var keys []resources.Key
	for _, dependent := range c.Dependents(planKey(plan)) {
		keys = append(keys, keysOf(resources.Tasks, c.PlanTasks(dependent.Name))...)
	}
	return keys
}

// afterPlan returns the plan's tasks when a part that they depend on changed, and the tasks of
// dependent plans when the plan was created or deleted or its state changed.
func afterPlan(ch controller.Change, c controller.Client) []resources.Key {
	old, new := asPlan(ch.Old), asPlan(ch.New)
	if ch.StatusOnly || old != nil && new != nil && old != new && equalForTasks(old, new) {
		return nil
	}
	keys := keysOf(resources.Tasks, c.PlanTasks(ch.Key.Name))
	if old == nil || new == nil || resources.PlanState(old) != resources.PlanState(new) || criteriaMet(old) != criteriaMet(new) {
		keys = append(keys, tasksAfterPlan(ch.Key.Name, c)...)
	}
	return keys
}

// equalForTasks reports whether two versions of a plan are equal for its tasks.
func equalForTasks(a, b *resources.WorkPlan) bool {
	return resources.PlanState(a) == resources.PlanState(b) && criteriaMet(a) == criteriaMet(b) &&
		slices.Equal(a.Spec.DependsOn, b.Spec.DependsOn) && slices.Equal(a.Spec.Phases, b.Spec.Phases)
}

// criteriaMet reports whether all criteria of a plan are met.
func criteriaMet(p *resources.WorkPlan) bool { return len(status.OpenCriteria(p)) == 0 }

// reconcileTask writes the status of a task: phase, blockers, evidence.
func (watch *planWatch) reconcileTask(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	task, now, before := seen.Object.(*resources.Task), newSnapshot(c), taskBefore(seen.Status)
	status, next := status.DeriveTask(task, planWatcher{now, watch})
	carryTask(&status, before, resources.NewTime(now.now))
	phase, conditions := status.Phase, status.Conditions
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, phase, func(before, now string) event { return taskNews(task, before, now, conditions) })
	if before.Phase != "" {
		announceCondition(c, key, resources.ChainBroken, before.Conditions, conditions, event{resources.Normal, "ChainMended", "the chain of dependencies holds again"})
		announceCondition(c, key, resources.Stale, before.Conditions, conditions, event{})
	}
	return now.requeueAt(next), nil
}

// carryTask keeps the start and completion times of the previous status, and sets them at the first
// observation.
func carryTask(status *resources.TaskStatus, before resources.TaskStatus, now resources.Time) {
	if status.Phase != resources.TaskPlanned {
		status.StartedAt = before.StartedAt
	}
	if status.Phase == resources.TaskActive && status.StartedAt.IsZero() {
		status.StartedAt = now
	}
	if status.Phase != resources.TaskCompleted {
		return
	}
	status.CompletedAt = before.CompletedAt
	if status.CompletedAt.IsZero() {
		status.CompletedAt = now
	}
}

// taskNews returns the event about the new phase of a task.
func taskNews(t *resources.Task, before, now string, conditions []resources.Condition) event {
	switch now {
	case resources.TaskPlanned:
		if before == resources.TaskBlocked {
			return event{resources.Normal, "Unblocked", "all of its dependencies are completed"}
		}
		return event{resources.Normal, "Planned", "it was handed back, and may be started again"}
	case resources.TaskBlocked:
		return event{resources.Normal, "Blocked", messageOf(conditions, resources.Blocked)}
	case resources.TaskActive:
		return event{resources.Normal, "Started", "work on it has begun"}
	case resources.TaskReview:
		if message := messageOf(conditions, resources.EvidenceMissing); message != "" {
			return event{resources.Warning, resources.EvidenceMissing, message}
		}
		if resources.IsTrue(conditions, resources.OutputSatisfied) {
			return event{resources.Normal, resources.OutputSatisfied, "all of its evidence was recorded; complete it"}
		}
		return event{resources.Normal, "InReview", "it waits for being looked at"}
	case resources.TaskCompleted:
		return event{resources.Normal, "Completed", "it is done"}
	case resources.TaskFailed:
		return event{resources.Warning, "Failed", status.WithReason("it failed", t.Spec.Reason)}
	default:
		return event{resources.Normal, "Abandoned", status.WithReason("it was abandoned", t.Spec.Reason)}
	}
}

// taskBefore is statusBefore for tasks. It reads only the fields that reconcileTask needs: the
// phase, the times, and whether the task is stale or its chain is broken. Decoding the statuses of
// ten thousand mostly unchanged tasks would take a tenth of a start.
func taskBefore(data []byte) (status resources.TaskStatus) {
	if plain, ok := plainTask(data); ok {
		return plain
	}
	if json.Unmarshal(data, &status) != nil {
		return resources.TaskStatus{}
	}
	return status
}

// plainTask reads a status in the layout of resources.EncodeStatus. It returns false if the layout
// may differ or if a condition is present whose change causes an event.
func plainTask(data []byte) (status resources.TaskStatus, ok bool) {
	for _, condition := range [...]string{resources.ChainBroken, resources.Stale} {
		if bytes.Contains(data, []byte(condition)) {
			return status, false
		}
	}
	phase, plain := plainField(data, "phase")
	started, plainStarted := plainTime(data, "startedAt")
	completed, plainCompleted := plainTime(data, "completedAt")
	status.Phase, status.StartedAt, status.CompletedAt = string(phase), started, completed
	return status, plain && plainStarted && plainCompleted
}

// plainField returns the text of a top-level field; nil and true if the field is missing.
func plainField(data []byte, name string) (value []byte, ok bool) {
	if !bytes.Contains(data, []byte(name)) { // first, because a quote begins any other field as well
		return nil, true
	}
	_, rest, found := bytes.Cut(data, []byte("\n  \""+name+"\": \""))
	value, _, closed := bytes.Cut(rest, []byte(`"`))
	return value, found && closed && !bytes.Contains(value, []byte(`\`))
}

// plainTime returns the time in a top-level field; the zero time and true if the field is missing.
// It returns false if plainField does or if the time is invalid.
func plainTime(data []byte, name string) (resources.Time, bool) {
	text, ok := plainField(data, name)
	if text == nil || !ok {
		return resources.Time{}, ok
	}
	at, err := time.Parse(time.RFC3339, string(text))
	return resources.NewTime(at), err == nil
}
