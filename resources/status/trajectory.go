package status

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveTrajectory computes where the read-head really stands. t may be nil: a
// repository without trajectory.json has a read-head all the same. What the spec
// names holds as long as it is live; where it names nothing that is, the active
// plan of the first active task counts, or else the first active plan by name.
func DeriveTrajectory(t *resources.Trajectory, v WideView) (resources.TrajectoryStatus, time.Time) {
	var spec resources.TrajectorySpec
	if t != nil {
		spec = t.Spec
	}
	var status resources.TrajectoryStatus
	status.ActivePlans = activePlans(v)
	status.ActiveTasks = activeTasks(t, v)
	status.ActivePlan = PlanInFocus(t, status.ActivePlans, status.ActiveTasks, v)
	for _, name := range v.PlansInState(resources.PlanActive) {
		if p, ok := v.Plan(name); ok && status.ActivePlan == "" && livePlan(p, v) {
			status.ActivePlan = name // it waits for another plan, or for the review of its criteria
		}
	}
	status.ActivePhase = stage(spec, &status, v)
	if t != nil {
		status.Conditions = orphanedTrajectory(t, v)
	}
	return status, time.Time{}
}

// activePlans returns the plans whose phase is active.
func activePlans(v WideView) []string {
	var names []string
	for _, name := range v.PlansInState(resources.PlanActive) {
		if p, ok := v.Plan(name); ok && planPhase(p, v.PlanCounts(name), unmetPlans(p, v)) == resources.PlanActive {
			names = append(names, name)
		}
	}
	return names
}

// activeTasks returns the tasks that are being worked on: claimed active, in focus and not
// blocked; one whose evidence was all seen is still to be completed and stays.
// Those that the read-head names come first.
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

// PlanInFocus returns the plan that the work is about, of plans that are worked on and tasks that are active: the
// one that the read-head names as long as it is live, or else that of the first active task, or the first. head
// may be nil.
func PlanInFocus(head *resources.Trajectory, plans, tasks []string, v View) string {
	if head != nil {
		if p, ok := v.Plan(head.Spec.ActivePlan); ok && livePlan(p, v) {
			return head.Spec.ActivePlan
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

// livePlan reports whether there is anything left to do in a plan, or to wait for.
func livePlan(p *resources.WorkPlan, v View) bool {
	switch resources.PlanState(p) {
	case resources.PlanDraft:
		return true
	case resources.PlanActive:
		return !PlanDone(p, v.PlanCounts(p.Metadata.Name))
	}
	return false
}

// stage is the stage of the active plan that the work stands in: the spec's, if it
// is one of that plan, or that of the first active task in the plan.
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

func orphanedTrajectory(t *resources.Trajectory, v View) []resources.Condition {
	o := Orphan{View: v}
	o.Check("spec.activePlan", resources.WorkPlans, t.Spec.ActivePlan)
	for _, name := range t.Spec.ActiveTasks {
		o.Check("spec.activeTasks", resources.Tasks, name)
	}
	return o.conditions()
}

// DefaultPlan returns the plan that a new task belongs to where nobody says which: the one that
// the person put the read-head on, the one that the repository's settings name, the one in focus (see
// PlanInFocus), or the only one that is active or, where none is, a draft; "" if there is none. A plan that
// is over is none of them. several are those of which none stands out.
func DefaultPlan(v WideView, settings string) (plan string, several []string) {
	head := v.Trajectory()
	focus, _ := DeriveTrajectory(head, v)
	said := ""
	if head != nil && head.Spec.ActivePlan == focus.ActivePlan {
		said = focus.ActivePlan
	}
	for _, name := range []string{said, settings, focus.ActivePlan} {
		if p, ok := v.Plan(name); ok && openPlan(p) {
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

// openPlan reports whether a plan is a draft or active.
func openPlan(p *resources.WorkPlan) bool {
	state := resources.PlanState(p)
	return state == resources.PlanDraft || state == resources.PlanActive
}
