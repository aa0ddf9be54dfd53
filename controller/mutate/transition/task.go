package transition

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// Task returns a copy of the task after the transition, equal to t if nothing
// changes, or an *apierrors.Refusal. The view must contain the same version of t.
func Task(t *resources.Task, m Move, v status.View) (*resources.Task, error) {
	next := *t
	if len(m.Criteria) > 0 {
		return nil, refuse(m.Verb, object(t), NoCriterion, "only plans have criteria", "name the plan: idumb complete workplan/"+t.Spec.WorkPlan+" --met ...")
	}
	var err error
	switch m.Verb {
	case Start:
		err = start(&next, m, v)
	case Review:
		err = review(&next, m, v)
	case Complete:
		err = complete(&next, m, v)
	case Defer:
		err = deferTask(&next, m)
	default:
		err = giveUp(&next, m)
	}
	if err != nil {
		return nil, err
	}
	return &next, nil
}

// start moves a task to state active. It also restarts a task that is marked as
// completed without proof.
func start(t *resources.Task, m Move, v status.View) error {
	if over := t.Spec.State == resources.TaskCompleted && isComplete(t, v); over || t.Spec.State == resources.TaskAbandoned {
		return refuse(Start, object(t), admission.TaskEnded, "it is "+t.Spec.State, admission.Reopen(t))
	}
	if err := checkPlan(Start, t, v); err != nil {
		return err
	}
	if err := checkBlocked(m, t, v); err != nil {
		return err
	}
	t.Spec.State = resources.TaskActive // Reason stays, so that the next worker sees why it came back
	return nil
}

// review moves an active task to state review. It refuses a task that is not
// started or is blocked.
func review(t *resources.Task, m Move, v status.View) error {
	switch t.Spec.State {
	case resources.TaskActive, resources.TaskReview:
	default:
		return refuse(Review, object(t), NotStarted, "it is "+state(t), "start it first: idumb start "+t.Metadata.Name)
	}
	if err := checkBlocked(m, t, v); err != nil {
		return err
	}
	t.Spec.State = resources.TaskReview
	record(t, m, nil)
	return nil
}

// complete moves a task to state completed. It requires the evidence items of
// the task to be seen or, without items, an evidence text or a checkpoint.
// Blockers count as they do for start.
func complete(t *resources.Task, m Move, v status.View) error {
	if err := checkCompletable(t, m, v); err != nil {
		return err
	}
	if isComplete(t, v) {
		return checkRepeated(*t, m)
	}
	claimed := t.Spec.State == resources.TaskCompleted
	t.Spec.State, t.Spec.Reason = resources.TaskCompleted, ""
	record(t, m, v.Evidence(t.Metadata.Name))
	// The seen items are recorded, because the log is local and the record is shared with every clone.
	if derived, _ := status.DeriveTask(t, v); derived.Phase != resources.TaskCompleted {
		if len(t.Spec.Evidence) == 0 {
			return refuse(Complete, object(t), NoEvidence, "nothing shows that it is done", `say what does: --evidence "..."`)
		}
		missing := status.MissingEvidence(t, v.Evidence(t.Metadata.Name))
		return refuse(Complete, object(t), EvidenceUnseen, "not seen: "+status.ListedEvidence(missing), status.EvidenceStep(missing[0], t.Metadata.Name, claimed))
	}
	if len(t.Spec.Evidence) > 0 {
		t.Spec.Result.Verified = slices.Clone(t.Spec.Evidence)
	}
	return nil
}

// checkRepeated returns a refusal if completing a completed task again would change
// its result.
func checkRepeated(t resources.Task, m Move) error {
	before := t.Spec.Result
	if m.Evidence != "" || m.Tests != "" || len(m.Files) > 0 {
		record(&t, m, nil)
	}
	if reflect.DeepEqual(before, t.Spec.Result) {
		return nil
	}
	return refuse(Complete, object(&t), admission.TaskEnded, "it is completed", admission.Reopen(&t))
}

// checkCompletable returns a refusal if a task in its current state cannot be
// completed.
func checkCompletable(t *resources.Task, m Move, v status.View) error {
	switch t.Spec.State {
	case resources.TaskCompleted:
		return nil // marked as completed without proof: evidence may be added
	case resources.TaskFailed, resources.TaskAbandoned:
		return refuse(Complete, object(t), admission.TaskEnded, "it is "+t.Spec.State, admission.Reopen(t))
	}
	if err := checkBlocked(m, t, v); err != nil {
		return err
	}
	if state(t) == resources.TaskPlanned {
		return refuse(Complete, object(t), NotStarted, "it is "+state(t)+", not active", "start it first: idumb start "+t.Metadata.Name)
	}
	return nil
}

// isComplete reports whether a task is in phase completed, which requires its
// evidence.
func isComplete(t *resources.Task, v status.View) bool {
	status, _ := status.DeriveTask(t, v)
	return status.Phase == resources.TaskCompleted
}

// deferTask defers a task, so that it is visible and never proposed, or reverts
// that.
func deferTask(t *resources.Task, m Move) error {
	switch now := state(t); {
	case m.Undo, now == resources.TaskPlanned, now == resources.TaskFailed:
	case resources.IsFinal(now):
		return refuse(Defer, object(t), admission.TaskEnded, "it is "+now, admission.Reopen(t))
	default:
		return refuse(Defer, object(t), admission.TaskEnded, "it is "+now, "hand it back first with idumb fail "+t.Metadata.Name+` --reason "...", then defer it`)
	}
	t.Spec.PlanAhead = !m.Undo
	return nil
}

// Verified records in a task's result which evidence items were seen, and removes those whose
// newest run failed. It returns the new ones.
func Verified(t *resources.Task, v status.View) (seen []resources.EvidenceItem) {
	log, result := v.Evidence(t.Metadata.Name), resources.TaskResult{}
	if t.Spec.Result != nil {
		result = *t.Spec.Result
	}
	verified := status.NotFailed(result.Verified, log)
	for _, item := range t.Spec.Evidence {
		if !slices.Contains(verified, item) && status.EvidenceSeen(item, log) {
			seen = append(seen, item)
		}
	}
	if len(seen) > 0 || len(verified) < len(result.Verified) {
		result.Verified = slices.Concat(verified, seen)
		t.Spec.Result = &result
	}
	return seen
}

// giveUp moves a task to state failed or abandoned. It requires a reason and
// refuses a completed task.
func giveUp(t *resources.Task, m Move) error {
	if err := m.reasonMissing(object(t)); err != nil {
		return err
	}
	if t.Spec.State == resources.TaskCompleted {
		return refuse(m.Verb, object(t), admission.TaskEnded, "it is completed", admission.Reopen(t))
	}
	t.Spec.State, t.Spec.Reason = resources.TaskFailed, m.Reason
	if m.Verb == Abandon {
		t.Spec.State = resources.TaskAbandoned
	}
	return nil
}

// record adds the outcome to a copy of the result. Files come from the caller
// and from the checkpoints. If there is no evidence text and the task has no
// evidence items, the checkpoints become the evidence.
func record(t *resources.Task, m Move, seen *status.Evidence) {
	result := resources.TaskResult{}
	if t.Spec.Result != nil {
		result = *t.Spec.Result
	}
	if seen == nil {
		seen = &status.Evidence{}
	}
	result.Evidence = first(m.Evidence, result.Evidence, checkpointsAsEvidence(t, seen))
	result.Verified = status.NotFailed(result.Verified, seen)
	result.TestsRun = first(m.Tests, result.TestsRun)
	result.FilesModified = union(result.FilesModified, m.Files, seen.Files)
	if t.Spec.Result != nil || !empty(result) || len(t.Spec.Evidence) > 0 {
		t.Spec.Result = &result
	}
}

// checkpointsAsEvidence returns the number of successful checkpoints as
// evidence text, or "" if there are none or the task requires evidence items.
func checkpointsAsEvidence(t *resources.Task, seen *status.Evidence) string {
	if seen.Count == seen.Failed || len(t.Spec.Evidence) > 0 {
		return ""
	}
	return fmt.Sprintf("checkpoints recorded: %d", seen.Count-seen.Failed)
}

// empty reports whether a result contains nothing.
func empty(r resources.TaskResult) bool {
	return r.Evidence == "" && r.TestsRun == "" && len(r.FilesModified)+len(r.AnchorsCreated)+len(r.Verified) == 0
}

// first returns the first value that is not blank, trimmed.
func first(values ...string) string {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}

// union returns the distinct strings of all lists, sorted; nil if there are
// none.
func union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// object names a task in errors: task "name".
func object(t *resources.Task) string { return fmt.Sprintf("task %q", t.Metadata.Name) }

// state returns the state of a task, planned by default.
func state(t *resources.Task) string { return first(t.Spec.State, resources.TaskPlanned) }

// Make makes a transition of a task or a plan, or completes a delegation, and
// computes its outcome. with returns the view after an object is written. Make
// returns an object equal to o if nothing changes, and an *apierrors.Refusal if
// the transition is refused.
func Make(o resources.Object, m Move, before View, with func(resources.Object) View) (resources.Object, Outcome, error) {
	var next resources.Object
	var err error
	switch o := o.(type) {
	case *resources.Task:
		next, err = Task(o, m, before)
	case *resources.WorkPlan:
		next, err = Plan(o, m, before)
	case *resources.Delegation:
		if m.Verb == Complete {
			next, err = Delegation(o, Return)
			return next, Outcome{}, err
		}
		err = fmt.Errorf("cannot %s %s: delegations can only be accepted, recalled or completed", m.Verb, o.Key())
	default:
		err = fmt.Errorf("cannot %s %s: only tasks and plans are started, completed or abandoned", m.Verb, o.Key())
	}
	if err != nil || reflect.DeepEqual(o, next) {
		return next, Outcome{}, err
	}
	return next, outcomeOf(m, o.Key(), before, with(next)), nil
}
