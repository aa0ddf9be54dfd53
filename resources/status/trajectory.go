package status

import (
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveTrajectory computes the effective read-head. t is nil for a repository without
// trajectory.json. Live objects in the spec have precedence. See PlanInFocus for the plan.
func DeriveTrajectory(t *resources.Trajectory, v WideView) (resources.TrajectoryStatus, time.Time) {
	var spec resources.TrajectorySpec
	if t != nil {
		spec = t.Spec
	}
	var status resources.TrajectoryStatus
	var names []string
	for _, name := range v.PlansInState(resources.PlanActive) {
		if p, ok := v.Plan(name); ok && planPhase(p, v.PlanCounts(name), unmetPlans(p, v)) == resources.PlanActive {
			names = append(names, name)
		}
	}
	status.ActivePlans = names
	status.ActiveTasks = activeTasks(t, v)
	status.ActivePlan = PlanInFocus(t, status.ActivePlans, status.ActiveTasks, v)
	for _, name := range v.PlansInState(resources.PlanActive) {
		if p, ok := v.Plan(name); ok && status.ActivePlan == "" && livePlan(p, v) {
			status.ActivePlan = name // the plan waits for another plan, or for the review of its criteria
		}
	}
	status.ActivePhase = stage(spec, &status, v)
	if t != nil {
		status.Conditions = orphanedTrajectory(t, v)
	}
	return status, time.Time{}
}

// effectiveFocus returns the plan in focus, or "".
func effectiveFocus(v WideView) string {
	focus, _ := DeriveTrajectory(v.Trajectory(), v)
	return focus.ActivePlan
}

// activeTasks returns the tasks with spec.state active that are in focus and not blocked,
// including tasks with complete evidence. Tasks in the read-head come first.
func activeTasks(head *resources.Trajectory, v WideView) []string {
	all := v.TasksInState(resources.TaskActive)
	all = slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		t, ok := v.Task(name)
		return !ok || len(taskBlockers(t, v)) > 0 || !inFocus(t, head, v)
	})
	var first, names []string
	if head != nil {
		first = head.Spec.ActiveTasks
	}
	for _, name := range first {
		if _, active := slices.BinarySearch(all, name); active && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	lead := len(names)
	for _, name := range all {
		if !slices.Contains(names[:lead], name) {
			names = append(names, name)
		}
	}
	return names
}

// PlanInFocus returns the plan in focus: the live plan in the read-head, else the live plan
// in the settings, else the plan of the first active task, else the first active plan. plans
// and tasks are the active plans and tasks. head may be nil.
func PlanInFocus(head *resources.Trajectory, plans, tasks []string, v View) string {
	chosen := []string{v.Settings().Plan}
	if head != nil {
		chosen = []string{head.Spec.ActivePlan, v.Settings().Plan}
	}
	for _, name := range chosen {
		if p, ok := v.Plan(name); ok && livePlan(p, v) {
			return name
		}
	}
	for _, name := range tasks {
		if t, ok := v.Task(name); ok && slices.Contains(plans, t.Spec.WorkPlan) {
			return t.Spec.WorkPlan
		}
	}
	if len(plans) > 0 {
		return plans[0]
	}
	return ""
}

// livePlan reports whether a plan is a draft, or active and not done.
func livePlan(p *resources.WorkPlan, v View) bool {
	switch resources.PlanState(p) {
	case resources.PlanDraft:
		return true
	case resources.PlanActive:
		return !PlanDone(p, v.PlanCounts(p.Metadata.Name))
	}
	return false
}

// stage returns the current stage of the active plan: the stage in the spec if the plan has
// it, else the stage of the first active task.
func stage(spec resources.TrajectorySpec, status *resources.TrajectoryStatus, v View) string {
	p, ok := v.Plan(status.ActivePlan)
	if !ok {
		return ""
	}
	if spec.ActivePlan == status.ActivePlan && spec.ActivePhase != "" && hasPhase(p, spec.ActivePhase) {
		return spec.ActivePhase
	}
	for _, name := range status.ActiveTasks {
		if t, ok := v.Task(name); ok && t.Spec.WorkPlan == status.ActivePlan && hasPhase(p, t.Spec.Phase) {
			return t.Spec.Phase
		}
	}
	return ""
}

// orphanedTrajectory returns the condition Orphaned if the read-head names a missing plan or task,
// or nil.
func orphanedTrajectory(t *resources.Trajectory, v View) []resources.Condition {
	o := Orphan{View: v, Object: t.Key()}
	o.Check("spec.activePlan", resources.WorkPlans, t.Spec.ActivePlan)
	for _, name := range t.Spec.ActiveTasks {
		o.Check("spec.activeTasks", resources.Tasks, name)
	}
	return o.conditions()
}

// DefaultPlan returns the plan of a new task for which no plan is given. It returns the
// first open plan of this list: the plan that the user put in the read-head, the plan in
// the settings, and the plan in focus (see PlanInFocus). Otherwise it returns the only
// active plan or, without active plans, the only draft. If the choice is ambiguous, it
// returns "" and the candidates in several. If no plan is open, both are empty.
func DefaultPlan(v WideView, settings string) (plan string, several []string) {
	head, focus := v.Trajectory(), effectiveFocus(v)
	said := ""
	if head != nil && head.Spec.ActivePlan == focus {
		said = focus
	}
	for _, name := range []string{said, settings, focus} {
		if p, ok := v.Plan(name); ok && OpenPlan(p) {
			return name, nil
		}
	}
	for _, state := range []string{resources.PlanActive, resources.PlanDraft} {
		switch found := v.PlansInState(state); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return "", found
		}
	}
	return "", nil
}

// InFocus reports whether a task may be worked on. This is the case if the
// read-head names the task or its plan, or if it names no active plan with open
// work. Starting a task of another plan adds it to the read-head. A draft plan
// in the read-head does not exclude other tasks.
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

// DraftNote returns a note with the next step if a plan is a draft, because
// hooks and contexts cover the tasks of active plans. Otherwise it returns "".
func DraftNote(p *resources.WorkPlan) string {
	if resources.PlanState(p) != resources.PlanDraft {
		return ""
	}
	name := p.Metadata.Name
	return fmt.Sprintf("workplan/%s is a draft: idumb start workplan/%s makes it active", name, name)
}
