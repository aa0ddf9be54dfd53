package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Switching to another plan suspends the tasks in progress. Persons may do that. Agents may
// not suspend tasks of another holder, by any verb, tool or file.

// PlanInFocus returns the active plan in focus, or "". See status.PlanInFocus.
func PlanInFocus(v View) string {
	plans := v.ActivePlans()
	if plan := status.PlanInFocus(v.Trajectory(), plans, v.ActiveTasks(), v); slices.Contains(plans, plan) {
		return plan
	}
	if len(plans) > 0 { // a draft is in focus
		return plans[0]
	}
	return ""
}

// readHead denies agents to write the trajectory file while other sessions work here.
func readHead(e *evaluation) *Reason {
	if !slices.ContainsFunc(e.call.Paths, func(p Path) bool { return p.Repo == readHeadFile }) {
		return nil
	}
	for _, name := range e.view.ActiveTasks() {
		t, ok := e.view.Task(name)
		if !ok || !status.InFocus(t, e.view) {
			continue
		}
		if b := e.caller().bar(For, t, e.view); b != nil && b.Cause == HeldByOther {
			return &Reason{
				What:       triedText(e.call) + " but another agent or user works here, and a change of the plan in focus sets that task aside.",
				Why:        []string{quote(name) + ": " + b.Why + "."},
				UseInstead: e.insteadOf(name),
				Evidence:   b.evidence,
			}
		}
	}
	return nil
}

// judgeReadHead rejects a switch by an agent away from a task of another holder. v
// has the new trajectory.
func judgeReadHead(next resources.Object, who Author, v Objects) error {
	if _, ok := next.(*resources.Trajectory); !ok || who.Kind != Agent {
		return nil
	}
	before := v.Original()
	for _, name := range v.ActiveTasks() {
		t, ok := v.Task(name)
		if !ok || status.InFocus(t, v) || !status.InFocus(t, before) {
			continue
		}
		if l := v.OtherLease(t, ActsFor(who, v)); l != nil {
			return apierrors.Refuse(HeldByOther, "cannot change the plan in focus", l.Spec.Holder.String()+" works on task "+quote(name),
				"start a task of that plan: idumb start TASK; or ask the user to run idumb focus")
		}
	}
	return nil
}

// judgeFocus rejects a change by an agent that moves or removes the focus of a user, as long as
// the plan and the first task in focus are not over. An agent may set the intent and add tasks.
func judgeFocus(was *resources.Trajectory, next resources.Object, v status.View) error {
	p, planned := v.Plan(was.Spec.ActivePlan)
	if !planned || !slices.Contains([]string{resources.PlanActive, resources.PlanDraft}, resources.PlanState(p)) {
		return nil
	}
	if now, ok := next.(*resources.Trajectory); ok && now.Spec.ActivePlan == was.Spec.ActivePlan {
		if len(was.Spec.ActiveTasks) == 0 || slices.Contains(now.Spec.ActiveTasks, was.Spec.ActiveTasks[0]) {
			return nil
		}
		if t, found := v.Task(was.Spec.ActiveTasks[0]); !found || !status.LiveTask(t) {
			return nil
		}
	}
	return apierrors.Refuse(Persons, "cannot move the focus of a user", "workplan/"+p.Metadata.Name+" is in focus and is not over",
		"start your task, which keeps the focus, or ask the user to run idumb focus")
}
