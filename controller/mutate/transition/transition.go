// Package transition defines the transitions start, review, complete, fail,
// abandon and defer of tasks and plans and those of delegations, and when they are
// refused. Its functions read no files and write nothing, so commands and the
// tools of agents decide in the same way.
package transition

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Verb is a transition of a task or a plan.
type Verb string

// Verbs, as in commands.
const (
	Start    Verb = "start"
	Review   Verb = "review"
	Complete Verb = "complete"
	Fail     Verb = "fail"
	Abandon  Verb = "abandon"
	Defer    Verb = "defer"
)

// pastForms maps verbs to their past form for output.
var pastForms = map[Verb]string{
	Start: "started", Review: "in review", Complete: "completed", Fail: "failed", Abandon: "abandoned", Defer: "deferred",
	Accept: "accepted", Recall: "recalled",
}

// Done returns the past form of the verb for output: "started"; "" for Return.
func (v Verb) Done() string { return pastForms[v] }

// verbPhases maps verbs to the phases of tasks for which they are proposed.
var verbPhases = map[Verb][]string{
	Start:    {resources.TaskPlanned},
	Review:   {resources.TaskActive},
	Complete: {resources.TaskActive, resources.TaskReview},
	Fail:     {resources.TaskActive, resources.TaskReview, resources.TaskBlocked},
	Abandon:  {resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskReview, resources.TaskFailed},
	Defer:    {resources.TaskPlanned, resources.TaskBlocked, resources.TaskFailed},
}

// Phases returns the phases of tasks for which the verb is proposed. The slice is
// shared and must not be modified.
func (v Verb) Phases() []string { return verbPhases[v] }

// Move is a requested transition.
type Move struct {
	Verb     Verb
	Evidence string         // complete, review: proof of completion
	Tests    string         // complete, review: tests that ran and their outcome
	Files    []string       // complete, review: written files, in addition to those in checkpoints
	Reason   string         // fail, abandon: reason; required
	Undo     bool           // defer: propose the task again
	Criteria []int          // complete, for a plan: numbers of the criteria that are met according to Evidence
	MetBy    string         // with Criteria: session of the author; empty for a user
	MetAt    resources.Time // with Criteria: time
	TakeOver bool           // start: also a task with an owner elsewhere, see admission.Author

	MayStart func(*resources.Task) bool // whether the author may start another task; nil means all tasks
}

// Causes of a refusal.
const (
	NotStarted     apierrors.Cause = "NotStarted"   // it must be started first
	Blocked        apierrors.Cause = "Blocked"      // a prerequisite is not completed
	PlanOver       apierrors.Cause = "PlanOver"     // its plan is completed, archived or abandoned
	NoEvidence     apierrors.Cause = "NoEvidence"   // proof of completion is missing
	EvidenceUnseen apierrors.Cause = "Unseen"       // an evidence item was not seen
	NoCriterion    apierrors.Cause = "NoCriterion"  // the plan has no criterion with that number
	NoReason       apierrors.Cause = "NoReason"     // a reason is required
	TasksOpen      apierrors.Cause = "TasksOpen"    // not all tasks of the plan are completed
	NotForPlans    apierrors.Cause = "NotForPlans"  // plans do not support the transition
	NotDelegated   apierrors.Cause = "NotDelegated" // the delegation is revoked or done
)

// refuse returns a refusal of a transition, with the next step.
func refuse(verb Verb, object string, cause apierrors.Cause, why, step string) error {
	switch verb { // the name of the command
	case Return:
		verb = Complete
	case Recall:
		verb = "revoke"
	}
	return apierrors.Refuse(cause, fmt.Sprintf("cannot %s %s", verb, object), why, step)
}

// reasonMissing returns a refusal if a required reason is missing.
func (m Move) reasonMissing(object string) error {
	if strings.TrimSpace(m.Reason) != "" {
		return nil
	}
	return refuse(m.Verb, object, NoReason, "no reason is given", `say why with --reason "..."`)
}

// Transitions of a delegation.
const (
	Accept Verb = "accept" // the delegate accepts it
	Recall Verb = "recall" // the delegator revokes it
	Return Verb = "done"   // the delegate returns it
)

// Delegation returns a copy of the delegation after accept, recall or done, or
// an *apierrors.Refusal. A repeated transition changes nothing.
func Delegation(d *resources.Delegation, verb Verb) (*resources.Delegation, error) {
	next := *d
	to := map[Verb]string{Accept: "accepted", Recall: "recalled", Return: "done"}[verb]
	if to == "" {
		return nil, refuse(verb, delegation(d), NotDelegated, "delegations do not have this transition", "delegations can only be accepted, recalled or completed")
	}
	if !status.LiveDelegation(d) && d.Spec.State != to {
		return nil, refuse(verb, delegation(d), NotDelegated, "it is "+d.Spec.State, "delegate the task again: idumb create delegation")
	}
	next.Spec.State = to
	return &next, nil
}

// delegation names a delegation in errors: delegation "name".
func delegation(d *resources.Delegation) string { return fmt.Sprintf("delegation %q", d.Metadata.Name) }
