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
	status.ActivePlan = readHead(spec.ActivePlan, &status, v)
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

func readHead(wanted string, status *resources.TrajectoryStatus, v WideView) string {
	if p, ok := v.Plan(wanted); ok && livePlan(p, v) {
		return wanted
	}
	for _, name := range status.ActiveTasks {
		if t, ok := v.Task(name); ok && slices.Contains(status.ActivePlans, t.Spec.WorkPlan) {
			return t.Spec.WorkPlan
		}
	}
	if len(status.ActivePlans) > 0 {
		return status.ActivePlans[0]
	}
	for _, name := range v.PlansInState(resources.PlanActive) {
		if p, ok := v.Plan(name); ok && livePlan(p, v) && TasksDone(v.PlanCounts(name)) {
			return name // its criteria are still to be shown to hold
		}
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
// the person has in focus, the one that the repository's settings name, the only active one, or
// the only draft where none is active; "" if there is none. A plan that is over is none of them.
// several are those of which none stands out.
func DefaultPlan(v WideView, focus, settings string) (plan string, several []string) {
	for _, name := range []string{focus, settings} {
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
