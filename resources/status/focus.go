package status

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// InFocus reports whether a task may be worked on. This is the case if the read-head names
// the task or its plan, or if it names no active plan. Starting a task of another plan adds
// it to the read-head. A draft plan in the read-head does not exclude other tasks.
func InFocus(t *resources.Task, v View) bool { return inFocus(t, v.Trajectory(), v) }

// inFocus reports whether a task may be worked on under a read-head; see InFocus.
func inFocus(t *resources.Task, head *resources.Trajectory, v View) bool {
	if head == nil || head.Spec.ActivePlan == t.Spec.WorkPlan || slices.Contains(head.Spec.ActiveTasks, t.Metadata.Name) {
		return true
	}
	p, ok := v.Plan(head.Spec.ActivePlan)
	return !ok || resources.PlanState(p) != resources.PlanActive || PlanDone(p, v.PlanCounts(p.Metadata.Name))
}

// parked returns the condition of an active task that was parked when the focus moved to
// another plan. The task must be started again to continue.
func (d *taskDerivation) parked() (c resources.Condition, parked bool) {
	if resources.TaskState(d.task) != resources.TaskActive || InFocus(d.task, d.view) {
		return c, false
	}
	plan := d.view.Trajectory().Spec.ActivePlan
	return resources.Condition{
		Type: resources.Parked, Status: resources.True, Reason: "OtherPlanInFocus",
		Message: fmt.Sprintf("the work is about plan %q now; its progress is kept: idumb start %s", plan, d.task.Metadata.Name),
	}, true
}

// DraftNote returns a note with the next step if a plan is a draft, because hooks and contexts
// cover the tasks of active plans.
func DraftNote(p *resources.WorkPlan) string {
	if resources.PlanState(p) != resources.PlanDraft {
		return ""
	}
	name := p.Metadata.Name
	return fmt.Sprintf("workplan/%s is a draft: idumb start workplan/%s makes it active", name, name)
}
