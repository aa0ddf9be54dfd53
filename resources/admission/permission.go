package admission

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Act is what somebody does with a task.
type Act int

// Acts. For is the work itself: the files that are written for the task.
const (
	Start    Act = iota // make the task active, and the session's own
	For                 // write for it
	Complete            // claim that it is done
	HandOver            // give it to another agent
	End                 // fail, abandon, defer or remove it
)

// Bar is what keeps a caller from an act on a task.
type Bar struct {
	Cause apierrors.Cause  // Held, Assigned, NotHanded, Back
	Why   string           // a clause: "it is held by claude/ab12 since 14:02 (5 min)"
	Lease *resources.Lease // of Held

	evidence []string
}

// permitView is what permissions are computed from: what a View and Objects have in common.
type permitView interface {
	identities
	// Other returns the lease of another session that holds the task; nil if there is none.
	Other(t *resources.Task, session string) *resources.Lease
}

// Permitted returns what keeps the agent that makes a call from an act on a task; nil if it may.
// It is about the agent, not about the task's phase: see status.DeriveTask for what comes first.
func Permitted(call Call, act Act, t *resources.Task, view View) *Bar {
	return identify(call, view).bar(act, t, view)
}

// bar decides whether the caller may do an act on a task. The gate, commands, tools and everything
// that proposes a task ask it:
//
//   - an agent whose delegation is over hands back, and neither starts nor ends a task
//   - a task that another session holds belongs to that session
//   - a delegate works on the task that it was handed, and on parts of it
//   - a task that is assigned to another role is started by that role alone; an agent of a role of
//     its own does not complete it either. An agent in config.defaultRole completes what its
//     delegates did
//
// Failing and handing back are open to everybody who does not meet another session's lease.
func (c *caller) bar(act Act, t *resources.Task, v permitView) *Bar {
	name := t.Metadata.Name
	if b := c.back(t); b != nil && act != For {
		return b
	}
	handed := c.delegate() && c.task() == name
	if l := c.other(t, v); l != nil {
		return &Bar{Cause: Held, Why: HeldSince(l, v.Now()), Lease: l, evidence: []string{leaseEvidence(name, l)}}
	}
	if act == End || handed {
		return nil
	}
	if c.delegate() && !c.partOfOwn(t, v) {
		b := &Bar{Cause: NotHanded, Why: "delegation " + quote(c.under[0].name) + " hands you another task"}
		if own := c.task(); own != "" {
			b.Why = "delegation " + quote(c.under[0].name) + " hands you task " + quote(own)
			b.evidence = []string{"delegations/" + c.under[0].name + " spec.task = " + quote(own)}
		}
		return b
	}
	if (act == Start || act == For || act == Complete && c.own) && c.claims(t.Spec.AssignedTo, v) == foreign {
		return &Bar{Cause: Assigned, Why: "it is assigned to " + quote(t.Spec.AssignedTo) + ", and you act as " + c.name(), evidence: []string{"tasks/" + name + " spec.assignedTo = " + quote(t.Spec.AssignedTo)}}
	}
	return nil
}

// back returns what keeps an agent whose delegation is over from a step with a task; nil for others.
func (c *caller) back(t *resources.Task) *Bar {
	for _, g := range c.under {
		b, name := &Bar{Cause: Back}, quote(g.name)
		switch {
		case g.d == nil:
			b.Why = "delegation " + name + ", under which you work, is gone"
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

// partOfOwn reports whether a task is a part of the one that the caller was handed.
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

// canStart reports whether the caller may start a task, and starting makes it active.
func (e *evaluation) canStart(t *resources.Task) bool {
	return e.caller().bar(Start, t, e.view) == nil && e.mayRun("idumb start "+t.Metadata.Name) && Restartable(t, e.view)
}

// Restartable reports whether `start` makes a task active, by whomever: it is planned and nothing has
// to come before it, or it is active, failed or claimed to be done without what shows it.
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
