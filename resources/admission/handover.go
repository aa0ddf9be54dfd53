package admission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Causes of a rejected delegation.
const (
	TaskEnded apierrors.Cause = "Over"      // completed, failed or abandoned
	Assigned  apierrors.Cause = "Assigned"  // assigned to another role
	Delegated apierrors.Cause = "Delegated" // delegated to another agent
	TooDeep   apierrors.Cause = "TooDeep"   // too many hand-overs
	InCircle  apierrors.Cause = "InCircle"  // would return to a previous giver
	Upwards   apierrors.Cause = "Upwards"   // to a higher role
	NotTheirs apierrors.Cause = "NotTheirs" // to a role outside of delegatesTo
	Misrouted apierrors.Cause = "Misrouted" // to a role that does not accept tasks of such plans
	Waiting   apierrors.Cause = "Waiting"   // the task is blocked
)

// judgeHandOver checks a new delegation. The task must be open and free. The taker must not
// rank above the giver, and the giver's role must delegate to the taker's role. The task
// must not return to a previous giver or be handed over more than three times.
func judgeHandOver(d *resources.Delegation, who Author, v Objects) error {
	task, found := v.Task(d.Spec.Task)
	if !found || !status.LiveDelegation(d) {
		return nil // invalid tasks cannot be checked, and ended delegations have no effect
	}
	refuse := func(cause apierrors.Cause, why, step string) error {
		return apierrors.Refuse(cause, fmt.Sprintf("cannot assign task %q", d.Spec.Task), why, step)
	}
	if !status.LiveTask(task) {
		return refuse(TaskEnded, "it is "+resources.TaskState(task), ReopenFor(task, who))
	}
	if b := barTo(HandOver, task, who, v); b != nil {
		step := "leave it to its owner; other free tasks: idumb next"
		switch {
		case b.Cause == HeldByOther && who.Kind == Person:
			step = "take it over first: idumb start " + d.Spec.Task + " --take-over"
		case b.Cause != HeldByOther:
			step = "end your turn with a report to the agent that started you"
		}
		return refuse(b.Cause, b.Why, step)
	}
	if who.Kind == Agent && deferredByUser(task) {
		return refuse(Persons, byUser, undoDeferral(d.Spec.Task))
	}
	if holder := holderOf(d, v); holder != nil {
		return refuse(Delegated, fmt.Sprintf("%q has it already, by delegation %q", holder.Spec.To, holder.Metadata.Name), "revoke it first: idumb delegation revoke "+holder.Metadata.Name)
	}
	if err := checkRoles(d, who, v, refuse); err != nil {
		return err
	}
	if err := checkCategory(d, task, v, refuse); err != nil {
		return err
	}
	if chain, circle := status.DelegationChain(d, v); circle {
		return refuse(InCircle, "it would return to an agent that delegated it: "+strings.Join(chain, " -> "), "name another agent or role")
	} else if len(chain)-1 > status.MaxDelegationDepth {
		return refuse(TooDeep, fmt.Sprintf("it would be delegated more than %d times: %s", status.MaxDelegationDepth, strings.Join(chain, " -> ")), "do it yourself")
	}
	if st, _ := status.DeriveTask(task, v); st.Phase == resources.TaskBlocked {
		return refuse(Waiting, "it waits for "+strings.Join(st.BlockedBy, ", ")+": its assignee could not write", "assign a task that is ready: idumb next")
	}
	return nil
}

// holderOf returns the open delegation at the end of the task's chain, unless the giver
// holds it.
func holderOf(d *resources.Delegation, v Objects) *resources.Delegation {
	live := slices.DeleteFunc(slices.Clone(v.Delegations(d.Spec.Task)), func(other *resources.Delegation) bool {
		return !status.LiveDelegation(other) || other.Metadata.Name == d.Metadata.Name || status.IsExpired(other, v)
	})
	for _, other := range live {
		handedOn := slices.ContainsFunc(live, func(next *resources.Delegation) bool { return next != other && next.Spec.From == other.Spec.To })
		if !handedOn && other.Spec.To != d.Spec.From {
			return other
		}
	}
	return nil
}

// checkRoles checks that the giver's role may delegate to the taker's role, and that the task is
// not assigned to a third role. Roles that do not exist are not checked, unless the giver may only
// delegate to named roles.
func checkRoles(d *resources.Delegation, who Author, v Objects, refuse func(apierrors.Cause, string, string) error) error {
	giver, taker := v.RoleNamed(d.Spec.From), v.RoleNamed(d.Spec.To)
	switch {
	case giver == nil:
		return nil
	case taker == nil && who.Kind == Agent && len(giver.Spec.DelegatesTo) > 0: // a person may name a person
		return refuse(NotTheirs, fmt.Sprintf("no role is called %q; the role %q delegates to %s", d.Spec.To, giver.Metadata.Name, strings.Join(giver.Spec.DelegatesTo, ", ")), "name one of these roles")
	case taker == nil:
		return nil
	}
	from, to := giver.Metadata.Name, taker.Metadata.Name
	switch resources.MayDelegate(giver, taker) {
	case resources.Upwards:
		return refuse(Upwards, fmt.Sprintf("the role %q (level %d) is above %q (level %d)", to, taker.Spec.Level, from, giver.Spec.Level), "agents do not delegate upwards; hand the task back: idumb fail "+d.Spec.Task+" --reason \"...\"")
	case resources.NotAmong:
		return refuse(NotTheirs, fmt.Sprintf("the role %q delegates to %s only", from, strings.Join(giver.Spec.DelegatesTo, ", ")), "name one of these roles")
	case resources.ToPrimary:
		return refuse(NotTheirs, fmt.Sprintf("an agent of the role %q talks to the user, and takes no delegation", to), "name another agent or role")
	}
	if task, ok := v.Task(d.Spec.Task); ok {
		if assignee := v.RoleNamed(task.Spec.AssignedTo); assignee != nil && assignee.Metadata.Name != to {
			return refuse(Assigned, fmt.Sprintf("it is assigned to %q", task.Spec.AssignedTo), "delegate it to that assignee, or change spec.assignedTo")
		}
	}
	return nil
}

// checkCategory requires a role that accepts the category of the task's plan.
func checkCategory(d *resources.Delegation, task *resources.Task, v Objects, refuse func(apierrors.Cause, string, string) error) error {
	plan, ok := v.Plan(task.Spec.WorkPlan)
	taker := v.RoleNamed(d.Spec.To)
	if !ok || taker == nil || resources.TakesCategory(taker, plan.Spec.Category) {
		return nil
	}
	why := fmt.Sprintf("plan %q is about %s, and the role %q takes only %s", task.Spec.WorkPlan, plan.Spec.Category, taker.Metadata.Name, strings.Join(taker.Spec.Categories, ", "))
	return refuse(Misrouted, why, "name a role that takes it: idumb get roles -o wide")
}

// Reopen returns the command that resumes work on a finished task.
func Reopen(t *resources.Task) string {
	if resources.TaskState(t) == resources.TaskFailed {
		return "to do it again: idumb start " + t.Metadata.Name
	}
	return fmt.Sprintf(`to do it again: idumb patch task %s -p '{"spec":{"state":"planned","reason":null}}'`, t.Metadata.Name)
}

// ReopenFor returns the command by which a requester resumes work on a finished task. Agents may
// not reopen completed or abandoned tasks.
func ReopenFor(t *resources.Task, who Author) string {
	if who.Kind == Agent && resources.IsFinal(resources.TaskState(t)) {
		return "plan the remaining work as another task, or ask the user to reopen it"
	}
	return Reopen(t)
}

// ReopenPlanFor returns the step by which a requester resumes work under an ended plan: step, or
// another one for agents, which may not reopen an abandoned plan.
func ReopenPlanFor(p *resources.WorkPlan, who Author, step string) string {
	if who.Kind == Agent && abandoned(p) {
		return againStep
	}
	return step
}

// planOver reports whether a plan has ended, so that no task of it is started.
func planOver(p *resources.WorkPlan) bool {
	return resources.PlanState(p) != resources.PlanDraft && resources.PlanState(p) != resources.PlanActive
}
