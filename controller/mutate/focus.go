package mutate

import (
	"context"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Focus sets the focus of this worktree to a plan, or to a task and its plan.
// It uses the only existing object among keys; without keys the focus stays.
// intent is the user's goal in one sentence; "" keeps the goal for the same
// plan. Active tasks of other plans in this worktree return to state planned
// without an owner and keep their progress. Their sessions are informed at the
// next event. Focus refuses a finished plan or task. It refuses an agent while
// another session is active.
func (r Repo) Focus(ctx context.Context, intent string, keys ...resources.Key) (focused ActResult, err error) {
	r.Queue = nil // the focus is local to this worktree
	err = r.Run(ctx, func(tx *Tx) (err error) {
		focused = ActResult{}
		next := newTrajectory()
		if head := tx.View().Trajectory(); head != nil {
			next = resources.Clone(head).(*resources.Trajectory)
		}
		if len(keys) > 0 {
			o, err := tx.oneOf(keys)
			if err == nil {
				err = focusOn(&next.Spec, o)
			}
			if err != nil {
				return err
			}
		}
		if intent != "" && intent != next.Spec.Intent {
			next.Spec.Intent, next.Spec.IntentShiftedAt = intent, resources.NewTime(r.Now())
		}
		displaced := tx.displacedTasks(next)
		if focused.Result, err = tx.Put(next); err == nil {
			focused.Parked, err = tx.park(displaced)
		}
		return err
	})
	for _, name := range focused.Parked {
		if err == nil && !r.DryRun {
			r.recordParked(ctx, name, focused.New.(*resources.Trajectory).Spec.ActivePlan)
		}
	}
	return focused, err
}

// Park returns active tasks outside the focus to state planned, after a user
// edited the focus file. It skips a task that is active in another working
// tree.
func (r Repo) Park(ctx context.Context, keys ...resources.Key) error {
	var parked []string
	plan := ""
	err := r.Run(ctx, func(tx *Tx) (err error) {
		var tasks []*resources.Task
		for _, key := range keys {
			t, ok := tx.View().Task(key.Name)
			if !ok || resources.TaskState(t) != resources.TaskActive || status.InFocus(t, tx.View()) {
				continue
			}
			if l := r.leases.Live(t); l == nil || r.leases.IsHere(l.Spec.Holder) {
				tasks = append(tasks, t)
			}
		}
		if len(tasks) > 0 {
			plan = tx.View().Trajectory().Spec.ActivePlan
		}
		parked, err = tx.park(tasks)
		return err
	})
	for _, name := range parked {
		if err == nil {
			r.recordParked(ctx, name, plan)
		}
	}
	return err
}

// displacedTasks returns the tasks that are active in this working tree and outside
// the new focus next.
func (t *Tx) displacedTasks(next *resources.Trajectory) (tasks []*resources.Task) {
	after := t.View().WithObject(next)
	for _, name := range after.ActiveTasks() {
		task, ok := after.Task(name)
		if !ok || status.InFocus(task, after) {
			continue
		}
		if l := t.repo.leases.Live(task); l != nil && t.repo.leases.IsHere(l.Spec.Holder) {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// park returns tasks to state planned, with their progress and without an
// owner. The caller must have checked their ownership.
func (t *Tx) park(tasks []*resources.Task) (parked []string, err error) {
	who := t.repo.Author
	defer func() { t.repo.Author = who }()
	t.repo.Author.Kind = admission.Controller
	for _, task := range tasks {
		next := resources.Clone(task).(*resources.Task)
		next.Spec.State = resources.TaskPlanned
		if _, err := t.Put(next); err != nil {
			return nil, err
		}
		parked = append(parked, task.Metadata.Name)
	}
	return parked, nil
}

// recordParked records an event for a parked task. It ignores write errors,
// because the session is informed separately.
func (r Repo) recordParked(ctx context.Context, task, plan string) {
	_ = store.AppendEvents(r.Store.Scratch(), resources.Event{
		Time: resources.NewTime(r.Now()), Type: resources.Normal, Reason: resources.Parked, Object: "task/" + task,
		Message: "it was set aside: the work is about plan " + plan + " now", From: "idumb",
	})
}

// addToFocus adds a task outside the focus to the focus when it is started. It
// removes tasks that are no longer active.
func (t *Tx) addToFocus(task *resources.Task) error {
	if status.InFocus(task, t.View()) {
		return nil
	}
	next := resources.Clone(t.View().Trajectory()).(*resources.Trajectory)
	next.Spec.ActiveTasks = slices.DeleteFunc(next.Spec.ActiveTasks, func(name string) bool {
		other, ok := t.View().Task(name)
		return !ok || !status.LiveTask(other)
	})
	next.Spec.ActiveTasks = append(next.Spec.ActiveTasks, task.Metadata.Name)
	_, err := t.Put(next)
	return err
}

var trajectoryKey = resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}

// oneOf returns the only existing object among keys.
func (t *Tx) oneOf(keys []resources.Key) (found resources.Object, err error) {
	for _, key := range keys {
		_, o, err := t.get(key)
		switch {
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			return nil, err
		case found != nil:
			return nil, fmt.Errorf("both a plan and a task have the name %q; use workplan/%[1]s or task/%[1]s", key.Name)
		}
		found = o
	}
	switch {
	case found != nil:
		return found, nil
	case len(keys) == 1:
		return nil, apierrors.NotFound(keys[0])
	}
	return nil, fmt.Errorf("no plan and no task is named %q; idumb tree lists all plans and tasks", keys[0].Name)
}

// newTrajectory returns an empty focus for a repository without a focus file.
func newTrajectory() *resources.Trajectory {
	return resources.New[*resources.Trajectory](resources.Trajectories, resources.TrajectoryName)
}

// focusOn sets the focus to a task or a plan. It drops the goal for another
// plan.
func focusOn(head *resources.TrajectorySpec, o resources.Object) error {
	plan := o.Head().Metadata.Name
	head.ActiveTasks = nil
	switch o := o.(type) {
	case *resources.Task:
		if !status.LiveTask(o) {
			return apierrors.Refuse(admission.TaskEnded, "cannot focus on "+o.Key().String(), "it is "+resources.TaskState(o), admission.Reopen(o))
		}
		plan, head.ActiveTasks = o.Spec.WorkPlan, []string{o.Metadata.Name}
	case *resources.WorkPlan:
		if state := resources.PlanState(o); slices.Contains([]string{resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned}, state) {
			return apierrors.Refuse(admission.TaskEnded, "cannot focus on "+o.Key().String(), "it is "+state, "choose a plan that is not over: idumb get workplans")
		}
	}
	if plan != head.ActivePlan {
		head.ActivePlan, head.ActivePhase, head.Intent, head.IntentShiftedAt = plan, "", "", resources.Time{}
	}
	return nil
}
