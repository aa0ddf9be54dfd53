// Package lifecycle says what start, review, complete, fail, abandon and defer do to a
// task or a plan, and when they refuse. Its functions are pure: the command and
// the tools of agents decide alike from the same view.
package lifecycle

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
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
	Defer    Verb = "defer"
)

// done is what output says after the verb.
var done = map[Verb]string{
	Start: "started", Review: "in review", Complete: "completed", Fail: "failed", Abandon: "abandoned", Defer: "deferred",
	Accept: "accepted", Recall: "recalled",
}

// Done returns what output says after the verb: "started".
func (v Verb) Done() string { return done[v] }

// from are the phases in which tasks are to which a verb is proposed.
var from = map[Verb][]string{
	Start:    {resources.TaskPlanned},
	Review:   {resources.TaskActive},
	Complete: {resources.TaskActive, resources.TaskReview},
	Fail:     {resources.TaskActive, resources.TaskReview, resources.TaskBlocked},
	Abandon:  {resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskReview, resources.TaskFailed},
	Defer:    {resources.TaskPlanned, resources.TaskBlocked},
}

// From returns the phases of the tasks to which the verb is proposed. The slice is shared and must
// not be changed.
func (v Verb) From() []string { return from[v] }

// Move is a step that someone wants to make.
type Move struct {
	Verb     Verb
	Evidence string         // complete, review: what shows that it is done
	Tests    string         // complete, review: which tests ran, with their outcome
	Files    []string       // complete, review: files that were written, besides those in checkpoints
	Reason   string         // fail, abandon: why; required
	Back     bool           // defer: the task is to be proposed again
	Met      []int          // complete, of a plan: the criteria that hold, by number; Evidence shows it
	By       string         // with Met: the session of who says so, "" for a person
	At       resources.Time // with Met: when
	TakeOver bool           // start: also a task that somebody works on elsewhere, see admission.Who
}

// saysMore reports whether the move brings something for the result.
func (m Move) saysMore() bool { return m.Evidence != "" || m.Tests != "" || len(m.Files) > 0 }

// Causes of a refusal.
const (
	NotStarted   apierrors.Cause = "NotStarted"   // it has to be started first
	Blocked      apierrors.Cause = "Blocked"      // something else has to be completed first
	PlanOver     apierrors.Cause = "PlanOver"     // its plan is completed, archived or abandoned
	NoEvidence   apierrors.Cause = "NoEvidence"   // nothing shows that it is done
	Unseen       apierrors.Cause = "Unseen"       // evidence that it names was not seen
	NoCriterion  apierrors.Cause = "NoCriterion"  // a plan has no criterion of that number
	NoReason     apierrors.Cause = "NoReason"     // a reason is demanded
	TasksOpen    apierrors.Cause = "TasksOpen"    // a plan's tasks are not all completed
	NotForPlans  apierrors.Cause = "NotForPlans"  // plans do not know the step
	NotDelegated apierrors.Cause = "NotDelegated" // the delegation is recalled or done
)

// refuse says why a move cannot be made, and what to do instead.
func refuse(verb Verb, object string, cause apierrors.Cause, why, step string) error {
	if verb == Return {
		verb = Complete // as it is asked for
	}
	return apierrors.Refuse(cause, fmt.Sprintf("cannot %s %s", verb, object), why, step)
}

// reasonMissing refuses a fail or abandon that says nothing.
func (m Move) reasonMissing(object string) error {
	if strings.TrimSpace(m.Reason) != "" {
		return nil
	}
	return refuse(m.Verb, object, NoReason, "no reason is given", `say why with --reason "..."`)
}
