// Package lifecycle says what start, review, complete, fail and abandon do to a
// task or a plan, and when they refuse. Its functions are pure: the command and
// the tools of agents decide alike from the same view.
package lifecycle

import (
	"fmt"
	"strings"
)

// Verb is a step in the life of a task or a plan.
type Verb string

// The verbs, as people type them.
const (
	Start    Verb = "start"
	Review   Verb = "review"
	Complete Verb = "complete"
	Fail     Verb = "fail"
	Abandon  Verb = "abandon"
)

// done is what output says after the verb.
var done = map[Verb]string{
	Start: "started", Review: "in review", Complete: "completed", Fail: "failed", Abandon: "abandoned",
	Accept: "accepted", Recall: "recalled",
}

// Done returns what output says after the verb: "started".
func (v Verb) Done() string { return done[v] }

// Move is a step that someone wants to make.
type Move struct {
	Verb     Verb
	Evidence string   // complete, review: what shows that it is done
	Tests    string   // complete, review: which tests ran, with their outcome
	Files    []string // complete, review: files that were written, besides those in checkpoints
	Reason   string   // fail, abandon: why; required
}

// saysMore reports whether the move brings something for the result.
func (m Move) saysMore() bool { return m.Evidence != "" || m.Tests != "" || len(m.Files) > 0 }

// Refusal says why a move cannot be made and what to do instead.
type Refusal struct {
	Verb   Verb
	Object string // task "foo"
	Cause  Cause
	Why    string
	Remedy string // as a command line; who offers another way asks for Cause
}

// Cause is what stands in the way of a move, for programs.
type Cause string

// Causes of a Refusal.
const (
	Over         Cause = "Over"         // it is completed, failed or abandoned
	NotStarted   Cause = "NotStarted"   // it has to be started first
	Blocked      Cause = "Blocked"      // something else has to be completed first
	PlanOver     Cause = "PlanOver"     // its plan is completed, archived or abandoned
	NoEvidence   Cause = "NoEvidence"   // nothing shows that it is done
	Unseen       Cause = "Unseen"       // evidence that it names was not seen
	NoReason     Cause = "NoReason"     // a reason is demanded
	TasksOpen    Cause = "TasksOpen"    // a plan's tasks are not all completed
	NotForPlans  Cause = "NotForPlans"  // plans do not know the step
	NoTask       Cause = "NoTask"       // there is no such task
	Assigned     Cause = "Assigned"     // the task is assigned to another role
	Delegated    Cause = "Delegated"    // somebody else has the task
	TooDeep      Cause = "TooDeep"      // handed over too often
	InCircle     Cause = "InCircle"     // it would come back to somebody who handed it over
	Upwards      Cause = "Upwards"      // nobody delegates to a higher role
	NotTheirs    Cause = "NotTheirs"    // a role that the giver's does not delegate to
	Misrouted    Cause = "Misrouted"    // a role that does not take tasks of such plans
	NotDelegated Cause = "NotDelegated" // the delegation is recalled or done
)

func (r *Refusal) Error() string {
	verb := r.Verb
	if verb == Return {
		verb = Complete // as it is asked for
	}
	return fmt.Sprintf("cannot %s %s: %s; %s", verb, r.Object, r.Why, r.Remedy)
}

// reasonMissing refuses a fail or abandon that says nothing.
func (m Move) reasonMissing(object string) error {
	if strings.TrimSpace(m.Reason) != "" {
		return nil
	}
	return &Refusal{Verb: m.Verb, Object: object, Cause: NoReason, Why: "no reason is given", Remedy: `say why with --reason "..."`}
}
