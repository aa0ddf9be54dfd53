package admission

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Act is an operation on a task.
type Act int

// Operations. For is the work itself, such as writing files for the task.
const (
	Start    Act = iota // make the task active and the task of the session
	For                 // write files for the task
	Complete            // claim completion
	HandOver            // delegate to another agent
	End                 // fail, abandon, defer or remove
	Take                // work under a delegation in the agent's prompt (Call.Names); has no task
)

// Bar is the reason why a caller may not perform an operation on a task.
type Bar struct {
	Cause apierrors.Cause  // Held, Assigned, Delegated, NotHanded, Back
	Why   string           // a clause: "it is held by claude/ab12 since 14:02 (5 min)"
	Lease *resources.Lease // for Held

	Delegation *resources.Delegation // for Delegated: the delegation; for Take: a delegation that is addressed to another agent

	assignee string // for Assigned
	evidence []string
}

// permitView is the input of permission checks, shared by View and Objects.
type permitView interface {
	identities
	status.Watch
	// OtherLease returns the lease of another session on the task, or nil.
	OtherLease(t *resources.Task, session string) *resources.Lease
}

// Brief describes the owner of the task for a list: "held by claude/ab12".
func (b *Bar) Brief() string {
	switch {
	case b.Cause == HeldByOther && b.Lease.Ended() != "":
		return b.Lease.Worker()
	case b.Cause == HeldByOther && b.Lease.InOtherClone():
		return "held by " + b.Lease.Worker() + " on " + b.Lease.Spec.Holder.Machine
	case b.Cause == HeldByOther:
		return "held by " + b.Lease.Worker()
	case b.Cause == Assigned:
		return "assigned to " + b.assignee
	case b.Cause == Delegated:
		return "handed to " + b.Delegation.Spec.To
	}
	return "not handed to you"
}

// Rights are the permissions of a caller.
type Rights struct {
	Call Call
	View View
}

// Bar returns the reason why the caller may not perform an operation, or nil; see
// Permitted.
func (r Rights) Bar(act Act, t *resources.Task) *Bar { return Permitted(r.Call, act, t, r.View) }

// Offer reports whether and how a ready task is offered to the caller; see Offer.
func (r Rights) Offer(task string) (to string, ok bool) { return Offer(r.Call, task, r.View) }

// Role returns the role of the caller, or nil; see RoleOf.
func (r Rights) Role() *resources.Role { return RoleOf(r.Call, r.View) }

// MayRun reports whether the caller's role allows an idumb command.
func (r Rights) MayRun(command string) bool {
	return (&evaluation{call: r.Call, view: r.View}).mayRun(command)
}

// Permitted returns the reason why the caller may not perform an operation on a task, or
// nil. It does not check the task's phase; see status.DeriveTask.
func Permitted(call Call, act Act, t *resources.Task, view View) *Bar {
	return identify(call, view).bar(act, t, view)
}

// bar decides whether the caller may perform an operation on a task. It is used by the
// gate, commands, tools and everything that suggests a task:
//
//   - an agent whose delegation ended reports back, and neither starts nor ends a task
//   - a task that another session holds belongs to that session
//   - a delegate works on its delegated task and subtasks of it
//   - a task that is delegated to another agent is not started
//   - a task that is assigned to another role is only started by that role. Agents with an
//     own role do not complete it either. Agents in config.defaultRole complete the work of
//     their delegates
//
// All callers may fail or hand back tasks that no other session holds. Users may start all
// tasks that no session and no other clone holds, and may end and hand over all tasks.
func (c *caller) bar(act Act, t *resources.Task, v permitView) *Bar {
	if act == Take {
		return c.notAddressed(v)
	}
	name := t.Metadata.Name
	if b := c.back(t); b != nil && act != For {
		return b
	}
	if c.person && act != Start {
		return nil
	}
	handed := c.delegate() && c.task() == name
	if l := c.otherLease(t, v); l != nil {
		return &Bar{Cause: HeldByOther, Why: HeldSince(l, v.Now()), Lease: l, evidence: []string{leaseEvidence(name, l)}}
	}
	if act == End || handed || c.person {
		return nil
	}
	if c.delegate() && !c.partOfOwn(t, v) {
		b := &Bar{Cause: NotHanded, Why: "delegation " + quote(c.delegations[0].name) + " hands you another task"}
		if own := c.task(); own != "" {
			b.Why = "delegation " + quote(c.delegations[0].name) + " hands you task " + quote(own)
			b.evidence = []string{"delegations/" + c.delegations[0].name + " spec.task = " + quote(own)}
		}
		return b
	}
	if (act == Start || act == For || act == Complete && c.ownRole) && c.claims(t.Spec.AssignedTo, v) == foreign {
		return &Bar{Cause: Assigned, assignee: t.Spec.AssignedTo, Why: "it is assigned to " + quote(t.Spec.AssignedTo) + ", and you act as " + c.name(), evidence: []string{"tasks/" + name + " spec.assignedTo = " + quote(t.Spec.AssignedTo)}}
	}
	if act == Start {
		return c.barHanded(t, v)
	}
	return nil
}

// barHanded returns the reason why the caller may not start a task that was delegated to
// another agent, or nil.
func (c *caller) barHanded(t *resources.Task, v permitView) *Bar {
	d := c.handedAway(t, v)
	if d == nil {
		return nil
	}
	name := d.Metadata.Name
	return &Bar{
		Cause: Delegated, Delegation: d, Why: quote(d.Spec.To) + " has it, by delegation " + quote(name),
		evidence: []string{"delegations/" + name + " spec.task = " + quote(t.Metadata.Name)},
	}
}

// notAddressed returns the reason why the caller may not work under a delegation in its
// prompt, because all open ones are addressed to other agents. A delegation is addressed to the
// caller if it names the caller or its role, or if the addressee or the caller has no role.
func (c *caller) notAddressed(v permitView) (b *Bar) {
	for _, key := range c.names {
		d, ok := v.Delegation(key.Name)
		if key.Kind != resources.Delegations || !ok || !status.LiveDelegation(d) {
			continue
		}
		switch own, to := RoleNamed(c.agent, v), RoleNamed(d.Spec.To, v); {
		case strings.EqualFold(d.Spec.To, c.agent), own == "", to == "", own == to:
			return nil
		case b == nil:
			b = &Bar{
				Cause: NotHanded, Delegation: d, Why: quote(c.agent) + " acts in the role " + quote(own) + " and cannot work under it",
				evidence: []string{"delegations/" + key.Name + " spec.to = " + quote(d.Spec.To)},
			}
		}
	}
	return b
}

// back returns the reason why an agent whose delegation ended may not use a task. It
// returns nil for other agents.
func (c *caller) back(t *resources.Task) *Bar {
	for _, g := range c.delegations {
		b, name := &Bar{Cause: Back}, quote(g.name)
		switch {
		case g.d == nil:
			b.Why = "delegation " + name + ", under which you work, no longer exists"
		case !status.LiveDelegation(g.d):
			b.Why = "delegation " + name + ", under which you work, is " + g.d.Spec.State
		case g.d.Spec.Task == t.Metadata.Name && !status.LiveTask(t):
			b.Why = "it is " + resources.TaskState(t) + ", which ended delegation " + name + ", under which you work"
		default:
			continue
		}
		b.evidence = []string{"delegations/" + g.name}
		return b
	}
	return nil
}

// leaseEvidence cites the lease of a task.
func leaseEvidence(task string, l *resources.Lease) string {
	if l.Ended() != "" {
		return fmt.Sprintf("claim of tasks/%s: %s", task, quote(l.Worker()))
	}
	return fmt.Sprintf("lease of tasks/%s holder = %s", task, quote(l.Spec.Holder.Brief()))
}

// partOfOwn reports whether a task is a subtask of the caller's delegated task.
func (c *caller) partOfOwn(t *resources.Task, v identities) bool {
	own := c.task()
	for n, ok := 0, own != ""; ok && t.Spec.Parent != "" && n < maxAncestors; n++ {
		if t.Spec.Parent == own {
			return true
		}
		t, ok = v.Task(t.Spec.Parent)
	}
	return false
}

// canStart reports whether the caller may start a task, the start makes it active, no chain
// rule has unmet requirements, and the task is not delegated. Users may start delegated
// tasks, but these are not suggested to them.
func (e *evaluation) canStart(t *resources.Task) bool {
	start := "idumb start " + t.Metadata.Name
	return e.view.Offered(t) && e.caller().bar(Start, t, e.view) == nil && e.mayRun(start) && Restartable(t, e.view) && e.chainLets(start) &&
		(!e.call.Person || e.caller().barHanded(t, e.view) == nil)
}

// chainLets reports whether the chain rules allow the caller to run an idumb command.
func (e *evaluation) chainLets(line string) bool {
	if e.call.Person || e.view.Settings().Mode == ModeOff {
		return true
	}
	run := command.RunOf(strings.Fields(line)...)
	probe := &evaluation{call: Call{Action: Governance, Session: e.call.Session, Agent: e.call.Agent, Role: e.call.Role, Runs: []command.Run{run}}, view: e.view, trial: true}
	for lack := range probe.unmet {
		if lack.rule.Spec.Level != resources.Warn {
			return false
		}
	}
	return true
}

// Restartable reports whether `start` makes a task active, for any caller: it is planned
// and not blocked, or it is active, failed, or claimed to be completed without evidence.
func Restartable(t *resources.Task, v status.View) bool {
	state := resources.TaskState(t)
	if state == resources.TaskAbandoned || state == resources.TaskCompleted && status.TaskDone(t, v.Evidence(t.Metadata.Name)) {
		return false
	}
	plan, found := v.Plan(t.Spec.WorkPlan)
	if !found || resources.PlanState(plan) != resources.PlanActive && resources.PlanState(plan) != resources.PlanDraft {
		return false
	}
	probe := *t
	probe.Spec.State = resources.TaskPlanned
	st, _ := status.DeriveTask(&probe, v)
	return st.Phase == resources.TaskPlanned
}
