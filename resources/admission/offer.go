package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// NextFor returns the tasks that the agent which makes a call may start now, best first, most at most.
// A denial looks further, for one that opens the files that were denied.
func NextFor(call Call, view View, most int) []string {
	e := &evaluation{call: call, view: view}
	var names []string
	for name := range e.ready {
		if len(names) == most {
			break
		}
		names = append(names, name)
	}
	return names
}

// OffersFor returns the tasks that are proposed to the agent which makes a call, best first, most at most, for a list
// that it reads: one that it may only hand over says so.
func OffersFor(call Call, view View, most int) []string {
	var names []string
	for name := range view.ReadyTasks() {
		if len(names) == most {
			break
		}
		if to, ok := Offer(call, name, view); ok {
			names = append(names, name+HandOverNote(to, " (", ")"))
		}
	}
	return names
}

// Offer reports whether a ready task is proposed to the agent that makes a call: it may start the task, or its role
// starts none and may hand the task over, to that role.
func Offer(call Call, task string, view View) (to string, ok bool) {
	t, found := view.Task(task)
	e := &evaluation{call: call, view: view}
	switch {
	case !found || t.Spec.PlanAhead:
		return "", false
	case e.mayRun("idumb start " + task):
		return "", e.canStart(t)
	case !e.mayRun("idumb create delegation"):
		return "", false
	}
	if plan, ok := view.Plan(t.Spec.WorkPlan); !ok || resources.PlanState(plan) != resources.PlanActive {
		return "", false
	}
	to = CanHandOver(call, task, "", view)
	return to, to != ""
}

// HandOverNote says that a task is proposed to be handed to a role; "" for a task that is proposed to be started.
func HandOverNote(to, before, after string) string {
	if to == "" {
		return ""
	}
	return before + "hand it to " + to + after
}

// CanStart reports whether the agent that makes a call may start a task, and starting makes it active.
func CanStart(call Call, task string, view View) bool {
	t, ok := view.Task(task)
	return ok && (&evaluation{call: call, view: view}).canStart(t)
}

// CanHandOver returns the role to which the agent that makes a call may hand a task: to, or, if that is
// "", the one that it is assigned to, or the first of those that the caller's role delegates to and
// that takes it. "" if it may not.
func CanHandOver(call Call, task, to string, view View) string {
	e := &evaluation{call: call, view: view}
	c := e.caller()
	t, ok := view.Task(task)
	if !ok || c.role == nil || !view.Offered(t) || !status.LiveTask(t) || e.status(t).Phase == resources.TaskBlocked || c.bar(HandOver, t, view) != nil {
		return ""
	}
	if slices.ContainsFunc(view.Delegations(task), func(d *resources.Delegation) bool { return status.LiveDelegation(d) && !status.Lapsed(d, view) }) {
		return ""
	}
	assignee := RoleNamed(t.Spec.AssignedTo, view)
	plan, _ := view.Plan(t.Spec.WorkPlan)
	for _, name := range c.role.Spec.DelegatesTo {
		r, ok := view.Role(name)
		switch {
		case !ok, to != "" && RoleNamed(to, view) != name, assignee != "" && assignee != name:
		case resources.MayDelegate(c.role, r) != resources.NoHindrance, plan != nil && !resources.TakesCategory(r, plan.Spec.Category):
		default:
			return name
		}
	}
	return ""
}
