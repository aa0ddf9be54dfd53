package mutate

import (
	"context"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Focus puts the read-head of this worktree on a plan, or on a task and its plan: the one of the
// keys that there is. It returns the Trajectory. A plan or task that is over is refused.
func (r Repo) Focus(ctx context.Context, keys ...resources.Key) (result Result, err error) {
	r.Queue = nil // the read-head is this worktree's own: nobody else moves it
	err = r.Run(ctx, func(tx *Tx) error {
		o, err := tx.oneOf(keys)
		if err != nil {
			return err
		}
		head, _ := tx.View().Get(trajectoryKey)
		next, err := focused(o, head)
		if err == nil {
			result, err = tx.Put(next)
		}
		return err
	})
	return result, err
}

var trajectoryKey = resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}

// oneOf is the one object that one of the keys names.
func (t *Tx) oneOf(keys []resources.Key) (found resources.Object, err error) {
	for _, key := range keys {
		_, o, err := t.get(key)
		switch {
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			return nil, err
		case found != nil:
			return nil, fmt.Errorf("there are a plan and a task %q; say workplan/%[1]s or task/%[1]s", key.Name)
		}
		found = o
	}
	switch {
	case found != nil:
		return found, nil
	case len(keys) == 1:
		return nil, apierrors.NotFound(keys[0])
	}
	return nil, fmt.Errorf("no plan and no task is called %q; idumb tree shows what there is", keys[0].Name)
}

// focused is the read-head, nil for none, as it stands on a task or a plan.
func focused(o, head resources.Object) (resources.Object, error) {
	kind, _ := resources.KindOf(resources.Trajectories)
	next := kind.New().(*resources.Trajectory)
	if head != nil {
		next = resources.Clone(head).(*resources.Trajectory)
	}
	next.Metadata.Name = resources.TrajectoryName
	plan := o.Head().Metadata.Name
	next.Spec.ActiveTasks = nil
	switch o := o.(type) {
	case *resources.Task:
		if !status.LiveTask(o) {
			return nil, apierrors.Refuse(admission.Over, "cannot focus on "+o.Key().String(), "it is "+resources.TaskState(o), admission.Reopen(o))
		}
		plan, next.Spec.ActiveTasks = o.Spec.WorkPlan, []string{o.Metadata.Name}
	case *resources.WorkPlan:
		if state := resources.PlanState(o); slices.Contains([]string{resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned}, state) {
			return nil, apierrors.Refuse(admission.Over, "cannot focus on "+o.Key().String(), "it is "+state, "choose a plan that is not over: idumb get workplans")
		}
	}
	if plan != next.Spec.ActivePlan {
		next.Spec.ActivePlan, next.Spec.ActivePhase = plan, ""
	}
	return next, nil
}
