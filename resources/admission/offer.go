package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// NextFor returns up to most tasks that the calling agent can start now, best first.
// Denials search further, for tasks that open the denied files.
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

// OffersFor returns a list of up to most tasks suggested to the calling agent, best first.
// Tasks that it can only hand over are marked.
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

// Offer reports whether a ready task is suggested to the calling agent. Either it can start
// the task, or its role starts no tasks and can hand it over to the returned role.
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

// HandOverNote returns a note that a task should be handed to a role. It returns "" for a
// task to start.
func HandOverNote(to, before, after string) string {
	if to == "" {
		return ""
	}
	return before + "hand it to " + to + after
}

// CanStart reports whether the calling agent may start a task and the start makes it
// active.
func CanStart(call Call, task string, view View) bool {
	t, ok := view.Task(task)
	return ok && (&evaluation{call: call, view: view}).canStart(t)
}

// CanHandOver returns the role to which the calling agent may hand a task, or "". The role
// is to, or if to is "", the assigned role of the task or the first suitable role in
// delegatesTo of the caller's role.
func CanHandOver(call Call, task, to string, view View) string {
	e := &evaluation{call: call, view: view}
	c := e.caller()
	t, ok := view.Task(task)
	if !ok || c.role == nil || !view.Offered(t) || !status.LiveTask(t) || e.status(t).Phase == resources.TaskBlocked || c.bar(HandOver, t, view) != nil {
		return ""
	}
	if slices.ContainsFunc(view.Delegations(task), func(d *resources.Delegation) bool { return status.LiveDelegation(d) && !status.IsExpired(d, view) }) {
		return ""
	}
	assignee := RoleNamed(t.Spec.AssignedTo, view)
	plan, _ := view.Plan(t.Spec.WorkPlan)
	for _, name := range c.role.Spec.DelegatesTo {
		switch r, ok := view.Role(name); {
		case !ok, to != "" && RoleNamed(to, view) != name, assignee != "" && assignee != name, !takes(r, task):
		case resources.MayDelegate(c.role, r) != resources.DelegationAllowed, plan != nil && !resources.TakesCategory(r, plan.Spec.Category):
		default:
			return name
		}
	}
	return ""
}
