package status

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// InFocus reports whether the work may be about a task: nobody put the read-head on another plan
// that is active, or it names the task. Who starts a task of another plan has it named there. A
// draft takes tasks in and holds no work back.
func InFocus(t *resources.Task, v View) bool { return inFocus(t, v.Trajectory(), v) }

func inFocus(t *resources.Task, head *resources.Trajectory, v View) bool {
	if head == nil || head.Spec.ActivePlan == t.Spec.WorkPlan || slices.Contains(head.Spec.ActiveTasks, t.Metadata.Name) {
		return true
	}
	p, ok := v.Plan(head.Spec.ActivePlan)
	return !ok || resources.PlanState(p) != resources.PlanActive || PlanDone(p, v.PlanCounts(p.Metadata.Name))
}

// Parked returns the condition of a task that was set aside when the work turned to another plan:
// it is active, and nobody works on it until it is started again.
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
