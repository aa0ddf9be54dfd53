package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// The steps in the life of a delegation.
const (
	Assign Verb = "assign" // it is made
	Accept Verb = "accept" // whoever takes it says so
	Recall Verb = "recall" // whoever gave it takes it back
	Return Verb = "done"   // whoever took it hands back
)

// HandOvers is what a hand-over is judged by: tasks, the delegations that there
// are, and roles.
type HandOvers interface {
	status.View
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
	// Delegates returns the sessions that work under that delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// RoleNamed returns the role that an agent of that name acts in; nil if no role
	// names it.
	RoleNamed(agent string) *resources.Role
}

// CheckNew judges a new object of any kind by what is there when it is written: a
// hand-over must not come back to its giver, go upwards or go too far. What is wrong with
// its fields is for whoever writes it to say.
func CheckNew(o resources.Object, v HandOvers) error {
	d, ok := o.(*resources.Delegation)
	if !ok || len(resources.Validate(o)) > 0 || !v.Exists(resources.Key{Kind: resources.Tasks, Name: d.Spec.Task}) {
		return nil
	}
	return CheckHandOver(d, v)
}

// CheckHandOver judges a new delegation. It returns nil or an *apierrors.Refusal: the task
// must be there and live and nobody else's, the taker must not stand above the
// giver, must be one that the giver's role delegates to, and the task must not
// come back to anybody, nor be handed over more than three times.
func CheckHandOver(d *resources.Delegation, v HandOvers) error {
	task, found := v.Task(d.Spec.Task)
	refuse := func(cause apierrors.Cause, why, step string) error {
		return refuse(Assign, fmt.Sprintf("task %q", d.Spec.Task), cause, why, step)
	}
	switch {
	case !found:
		return refuse(NoTask, "there is no such task", "idumb get tasks lists those that there are")
	case !status.LiveTask(task):
		return refuse(Over, "it is "+resources.TaskState(task), reopen(task))
	}
	if holder := holderOf(d, v); holder != nil {
		return refuse(Delegated, fmt.Sprintf("%q has it already, by delegation %q", holder.Spec.To, holder.Metadata.Name), "recall that one first: idumb recall "+holder.Metadata.Name)
	}
	if err := checkRoles(d, v, refuse); err != nil {
		return err
	}
	if err := checkCategory(d, task, v, refuse); err != nil {
		return err
	}
	if chain, circle := status.DelegationChain(d, v); circle {
		return refuse(InCircle, "it would come back to someone who handed it over: "+strings.Join(chain, " -> "), "name somebody else")
	} else if len(chain)-1 > status.MaxDelegationDepth {
		return refuse(TooDeep, fmt.Sprintf("it would be handed over more than %d times: %s", status.MaxDelegationDepth, strings.Join(chain, " -> ")), "do it yourself")
	}
	return nil
}

// holderOf is the live delegation of the task at the end of its chain, unless it is
// the giver who holds that.
func holderOf(d *resources.Delegation, v HandOvers) *resources.Delegation {
	live := slices.DeleteFunc(slices.Clone(v.Delegations(d.Spec.Task)), func(other *resources.Delegation) bool {
		return !status.LiveDelegation(other) || other.Metadata.Name == d.Metadata.Name || status.Lapsed(other, v)
	})
	for _, other := range live {
		handedOn := slices.ContainsFunc(live, func(next *resources.Delegation) bool { return next != other && next.Spec.From == other.Spec.To })
		if !handedOn && other.Spec.To != d.Spec.From {
			return other
		}
	}
	return nil
}

func checkRoles(d *resources.Delegation, v HandOvers, refuse func(apierrors.Cause, string, string) error) error {
	giver, taker := v.RoleNamed(d.Spec.From), v.RoleNamed(d.Spec.To)
	if giver == nil || taker == nil {
		return nil
	}
	from, to := giver.Metadata.Name, taker.Metadata.Name
	switch resources.MayDelegate(giver, taker) {
	case resources.Upwards:
		return refuse(Upwards, fmt.Sprintf("the role %q (level %d) stands above %q (level %d)", to, taker.Spec.Level, from, giver.Spec.Level), "nobody delegates upwards: hand the task back")
	case resources.NotAmong:
		return refuse(NotTheirs, fmt.Sprintf("the role %q delegates to %s only", from, strings.Join(giver.Spec.DelegatesTo, ", ")), "name one of those")
	case resources.ToPrimary:
		return refuse(NotTheirs, fmt.Sprintf("an agent of the role %q talks to the person, and takes no delegation", to), "name somebody else")
	}
	if task, ok := v.Task(d.Spec.Task); ok {
		if assignee := v.RoleNamed(task.Spec.AssignedTo); assignee != nil && assignee.Metadata.Name != to {
			return refuse(Assigned, fmt.Sprintf("it is assigned to %q", task.Spec.AssignedTo), "delegate it to that one, or change spec.assignedTo")
		}
	}
	return nil
}

// checkCategory routes a task by what its plan is about: to a role that takes such.
func checkCategory(d *resources.Delegation, task *resources.Task, v HandOvers, refuse func(apierrors.Cause, string, string) error) error {
	plan, ok := v.Plan(task.Spec.WorkPlan)
	taker := v.RoleNamed(d.Spec.To)
	if !ok || taker == nil || resources.TakesCategory(taker, plan.Spec.Category) {
		return nil
	}
	why := fmt.Sprintf("plan %q is about %s, and the role %q takes only %s", task.Spec.WorkPlan, plan.Spec.Category, taker.Metadata.Name, strings.Join(taker.Spec.Categories, ", "))
	return refuse(Misrouted, why, "name a role that takes it: idumb get roles -o wide")
}

// Delegation returns the delegation as it is after accept, recall or done: a copy,
// or an *apierrors.Refusal. A step that was made before changes nothing.
func Delegation(d *resources.Delegation, verb Verb) (*resources.Delegation, error) {
	next := *d
	to := map[Verb]string{Accept: "accepted", Recall: "recalled", Return: "done"}[verb]
	if to == "" {
		return nil, refuse(verb, delegation(d), NotDelegated, "delegations do not know this step", "delegations are accepted, recalled or completed")
	}
	if !status.LiveDelegation(d) && d.Spec.State != to {
		return nil, refuse(verb, delegation(d), NotDelegated, "it is "+d.Spec.State, "delegate the task again: idumb create delegation")
	}
	next.Spec.State = to
	return &next, nil
}

func delegation(d *resources.Delegation) string { return fmt.Sprintf("delegation %q", d.Metadata.Name) }
