package admission

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Causes of a rejected change of a plan or task.
const (
	Persons apierrors.Cause = "Persons" // only a person may relax a person's plan
	Ruled   apierrors.Cause = "Ruled"   // a chain rule requires it
)

// judgeAgent checks an agent's change with judgeTransition.
func judgeAgent(old, next resources.Object, who Author, v status.View) error {
	if who.Kind != Agent {
		return nil
	}
	for _, o := range []resources.Object{old, next} {
		if o == nil {
			continue
		}
		if kind, known := resources.KindOf(o.Key().Kind); known && GoverningKind(kind) {
			return apierrors.Refuse(Persons, "only a user can change "+singular(o)+"/"+o.Key().Name, "it governs agents", "tell the user what should change and why")
		}
	}
	return judgeTransition(old, next, who.mayDecide, v)
}

// Transition returns a *apierrors.Refusal if an agent may not make a change of a plan, task
// or decision that already happened, and nil otherwise. mayDecide reports whether the agent
// may make a decision; nil means never. archived means that the archive contains an object
// with this name. See judgeTransition.
func Transition(old, next resources.Object, mayDecide func(decision string) bool, archived bool, v status.View) error {
	if err := judgeTransition(old, next, mayDecide, v); err != nil || old != nil {
		return err
	}
	return judgeArchived(next, archived)
}

// judgeTransition returns a *apierrors.Refusal if an agent may not change a plan, task or
// decision this way, and nil otherwise. It applies to commands and files. Only a person may
// relax or delete a person's plan. Completed work must be verified, regardless of the author of
// the plan. Decisions may only be made by those entitled to. next is nil for a deleted object.
func judgeTransition(old, next resources.Object, mayDecide func(decision string) bool, v status.View) error {
	if err := cmp.Or(judgePlaceholders(old, next), judgeDecision(old, next, mayDecide)); err != nil {
		return err
	}
	if old == nil {
		return nil
	}
	if err := cmp.Or(judgeDeferred(old, next), judgeHeld(old, next, v), judgeEvidence(old, next, v)); err != nil {
		return err
	}
	refuse := func(what, why, step string) error {
		return apierrors.Refuse(Persons, what+" "+singular(old)+"/"+old.Key().Name, why, step)
	}
	if what, why, step := missingEvidence(old, next, v); what != "" {
		return refuse("cannot "+what, why, step)
	}
	if err := judgeCriteria(old, next); err != nil {
		return err
	}
	if next != nil && old.Head().Metadata.Annotations[resources.AnnotationMadeBy] != next.Head().Metadata.Annotations[resources.AnnotationMadeBy] {
		return refuse("cannot change the maker of", "the annotation "+resources.AnnotationMadeBy+" is set when an object is created and cannot be changed", "omit it and repeat the change")
	}
	if plan, n := droppedDemand(old, next); n > 0 {
		return apierrors.Refuse(Ruled, "cannot drop a criterion of workplan/"+plan.Metadata.Name, "a rule requires it: "+quote(plan.Spec.Acceptance[n-1]), "run `"+status.MeetStep(plan, []int{n})+"` with the evidence")
	}
	if next != nil && abandoned(old) && !abandoned(next) {
		return refuse("only a user can reopen", givenUp, againStep)
	}
	if old.Head().Metadata.Annotations[resources.AnnotationMadeBy] != "" {
		return nil
	}
	if was, ok := old.(*resources.Trajectory); ok {
		return judgeFocus(was, next, v)
	}
	what, loosens := loosened(old, next)
	if !loosens || what == handsBack && isHandedOver(old.Key().Name, v) {
		return nil
	}
	return refuse("only a user can "+what, "a user planned it", "tell the user what should change and why")
}

// abandoned reports whether an object is an abandoned task or plan.
func abandoned(o resources.Object) bool {
	switch o := o.(type) {
	case *resources.Task:
		return o.Spec.State == resources.TaskAbandoned
	case *resources.WorkPlan:
		return o.Spec.State == resources.PlanAbandoned
	}
	return false
}

// Why agents may not reopen an object, and the alternative.
const (
	givenUp   = "it was abandoned"
	againStep = "plan the remaining work as another task, or tell the user why it should be done"
)

// droppedDemand returns the plan and the number of a criterion that a chain rule added, if
// a change removes it without evidence. The number is 0 without one.
func droppedDemand(old, next resources.Object) (*resources.WorkPlan, int) {
	was, _ := old.(*resources.WorkPlan)
	plan, _ := next.(*resources.WorkPlan)
	if was == nil || plan == nil {
		return nil, 0
	}
	for _, n := range status.OpenCriteria(was) {
		if c := was.Spec.Acceptance[n-1]; strings.HasPrefix(c, demanded) && !slices.Contains(plan.Spec.Acceptance, c) {
			return was, n
		}
	}
	return nil, 0
}

// singular returns the singular name of an object's kind.
func singular(o resources.Object) string {
	kind, _ := resources.KindOf(o.Key().Kind)
	return kind.Singular
}

// missingEvidence returns the reason why work that is claimed to be completed is not verified.
func missingEvidence(old, next resources.Object, v status.View) (what, why, step string) {
	switch next := next.(type) {
	case *resources.Task:
		was, _ := old.(*resources.Task)
		if was == nil || next.Spec.State != resources.TaskCompleted || was.Spec.State == resources.TaskCompleted {
			return "", "", ""
		}
		step = "run `idumb complete " + next.Metadata.Name + " --evidence \"...\"`, which reports missing evidence"
		if before, _ := status.DeriveTask(was, v); before.Phase == resources.TaskBlocked {
			return "complete", "it is blocked", step
		}
		if resources.TaskState(was) == resources.TaskPlanned && was.Metadata.Annotations[resources.AnnotationMadeBy] == "" {
			return "complete", "it was not started", "start it with `idumb start " + next.Metadata.Name + "`, and complete it when its work is done"
		}
		if st, _ := status.DeriveTask(claimed(was, next, v.Evidence(next.Metadata.Name)), v); st.Phase != resources.TaskCompleted {
			why = "no evidence shows that it is done"
			if c := resources.FindCondition(st.Conditions, resources.EvidenceMissing); c != nil && c.Message != "" {
				why, _, _ = strings.Cut(c.Message, "; ")
			}
			return "complete", why, step
		}
	case *resources.WorkPlan:
		was, _ := old.(*resources.WorkPlan)
		if was == nil {
			return "", "", ""
		}
		if why, step := unmetCriterion(was, next, v); why != "" {
			return "mark as met a criterion of", why, step
		}
		if next.Spec.State != resources.PlanCompleted || was.Spec.State == resources.PlanCompleted {
			return "", "", ""
		}
		if !status.TasksDone(v.PlanCounts(next.Metadata.Name)) {
			return "complete", "not all of its tasks are completed", "complete them first: `idumb next`"
		}
		if open := status.OpenCriteria(next); len(open) > 0 {
			return "complete", "there is no evidence for its criteria: " + status.ListedCriteria(next, open), "run `" + status.MeetStep(next, open) + "` for each, with the evidence"
		}
	}
	return "", "", ""
}

// judgeCriteria rejects a change by an agent that marks a criterion as met in the name of a user, or that
// removes or changes a user's mark. "idumb complete" sets the author of a mark.
func judgeCriteria(old, next resources.Object) error {
	was, _ := old.(*resources.WorkPlan)
	plan, _ := next.(*resources.WorkPlan)
	if was == nil || plan == nil {
		return nil
	}
	for _, pair := range [...][2][]resources.Criterion{{plan.Spec.Met, was.Spec.Met}, {was.Spec.Met, plan.Spec.Met}} {
		for _, c := range pair[0] {
			if isUserMark(c) && !slices.Contains(pair[1], c) {
				return apierrors.Refuse(Persons, "cannot change a user's records for workplan/"+plan.Metadata.Name, "criterion "+quote(c.Criterion)+" is a user's to mark as met",
					"record your evidence with `idumb complete workplan/"+plan.Metadata.Name+" --met NUMBER --evidence \"...\"`")
			}
		}
	}
	return nil
}

// isUserMark reports whether a user marked a criterion as met.
func isUserMark(c resources.Criterion) bool { return c.By == "" || strings.HasPrefix(c.By, "person/") }

// claimed returns the task without verification claims from the change. Only recorded
// verification counts, unless a later run failed.
func claimed(old, next *resources.Task, seen *status.Evidence) *resources.Task {
	probe := *next
	if next.Spec.Result != nil {
		result := *next.Spec.Result
		result.Verified = nil
		if old.Spec.Result != nil {
			result.Verified = status.NotFailed(old.Spec.Result.Verified, seen)
		}
		probe.Spec.Result = &result
	}
	return &probe
}

// handsBack is the verb by which an agent hands a task back.
const handsBack = "fail"

// isHandedOver reports whether a task has a live delegation. Whoever got it may hand the task back
// before its start.
func isHandedOver(task string, v status.View) bool {
	all, ok := v.(interface {
		Delegations(task string) []*resources.Delegation
	})
	return ok && slices.ContainsFunc(all.Delegations(task), status.LiveDelegation)
}

// loosened returns the requirement of a plan or task that a change relaxes.
func loosened(old, next resources.Object) (what string, loosens bool) {
	switch was := old.(type) {
	case *resources.Task:
		if next == nil {
			return "remove", true
		}
		return loosenedTask(&was.Spec, &next.(*resources.Task).Spec)
	case *resources.WorkPlan:
		if next == nil {
			return "remove", true
		}
		return loosenedPlan(&was.Spec, &next.(*resources.WorkPlan).Spec)
	}
	return "", false
}

// loosenedTask compares two specs of a task.
func loosenedTask(old, next *resources.TaskSpec) (what string, loosens bool) {
	switch {
	case next.State == resources.TaskAbandoned && old.State != next.State:
		return "abandon", true
	case next.State == resources.TaskFailed && (old.State == "" || old.State == resources.TaskPlanned) && old.AssignedTo == "" && old.DelegatedBy == "":
		return handsBack, true // nobody worked on it
	case next.PlanAhead && !old.PlanAhead:
		return "defer", true
	case lacks(next.DependsOn, old.DependsOn):
		return "drop a dependency of", true
	case lacks(next.Decisions, old.Decisions):
		return "drop a decision of", true
	case old.TemporalGate != nil && (next.TemporalGate == nil || next.TemporalGate.After != old.TemporalGate.After):
		return "drop the gate of", true
	case widened(old.Paths, next.Paths):
		return "widen the paths of", true
	case len(old.Paths) == 0 && len(next.Paths) > 0: // other agents could not write these files
		return "set the paths of", true
	case widened(old.AllowedTools, next.AllowedTools):
		return "widen the tools of", true
	case lacks(next.Evidence, old.Evidence):
		return "drop evidence of", true
	case next.WorkPlan != old.WorkPlan:
		return "change the plan of", true
	case old.Parent != "" && next.Parent != old.Parent:
		return "change the parent of", true
	case lacks(next.FileLocks, old.FileLocks):
		return "drop a lock of", true
	case old.AssignedTo != "" && next.AssignedTo != old.AssignedTo && !strings.Contains(old.AssignedTo, "/"): // "/": set by a start
		return "reassign", true
	case !strings.Contains(next.ExpectedOutput, old.ExpectedOutput):
		return "shorten the expected output of", true
	}
	return "", false
}

// loosenedPlan compares two specs of a plan.
func loosenedPlan(old, next *resources.WorkPlanSpec) (what string, loosens bool) {
	switch {
	case old.State != next.State && next.State == resources.PlanAbandoned:
		return "abandon", true
	case old.State == resources.PlanActive && next.State != resources.PlanActive && next.State != resources.PlanCompleted:
		return "set aside", true
	case lacks(next.DependsOn, old.DependsOn):
		return "drop a dependency of", true
	case lacks(next.Acceptance, old.Acceptance):
		return "drop a criterion of", true
	}
	return "", false
}

// lacks reports whether an item of before is missing in now.
func lacks[T comparable](now, before []T) bool {
	return slices.ContainsFunc(before, func(item T) bool { return !slices.Contains(now, item) })
}

// widened reports whether a limiting list became less restrictive. Empty lists do not
// limit.
func widened(before, now []string) bool {
	return len(before) > 0 && (len(now) == 0 || lacks(before, now))
}

// personsPlan checks the new content of files of plans, tasks and decisions. Relaxing a
// person's plan and making decisions, also by a command, needs approval. Command lines with
// unknown content are denied.
func personsPlan(e *evaluation) *Reason {
	for _, p := range e.call.Planned {
		if !p.Known {
			return e.unknownContent(p)
		}
		refused := e.refused(p)
		if refused == nil {
			continue
		}
		r := &Reason{
			Rule: "persons-plan", What: triedText(e.call) + ", but " + refused.What + ": " + refused.Why + ".", Why: []string{"You must not loosen a plan that you work by. The user decides."},
			UseInstead: sentence(refused.Step), Evidence: []string{p.Key.String()},
		}
		switch refused.Cause {
		case Ruled:
			r.Why = []string{"The rule requires evidence for it, or the user changes the rule."}
			return r
		case Unfilled:
			r.What, r.Why = triedText(e.call)+", but "+refused.Why+".", []string{"A task describes your work, and the gate checks your calls against it."}
			return r
		}
		if e.asks == nil {
			e.asks = r
		}
	}
	for _, d := range e.ownCommands() {
		if d.dry {
			continue
		}
		for _, name := range e.decidedBy(d) {
			if !e.mayDecide(name) {
				e.askToDecide(d, name)
			}
		}
	}
	return nil
}

// refused returns the refusal for the new content of a file, or nil if an agent may make
// the change.
func (e *evaluation) refused(p Planned) *apierrors.Refusal {
	old := e.planned(p.Key)
	if p.Next == nil && !p.Gone || old == nil && (p.Gone || p.Key.Kind != resources.Decisions && e.view.Exists(p.Key)) {
		return nil // invalid content, where the last valid version stays in effect, or a kind without checked changes
	}
	var refused *apierrors.Refusal
	err := Transition(old, p.Next, e.mayDecide, e.view.Archived(p.Key), e.view)
	if err == nil && old == nil {
		err = judgeReused(p.Next, e.view)
	}
	errors.As(err, &refused)
	return refused
}

// Loosens reports whether the known new content of a file is a change that needs a person.
func Loosens(call Call, p Planned, view View) bool {
	return (&evaluation{call: call, view: view}).refused(p) != nil
}

// planned returns the existing plan, task, decision or focus of a key, or nil.
func (e *evaluation) planned(key resources.Key) resources.Object {
	if t, ok := e.view.Task(key.Name); ok && key.Kind == resources.Tasks {
		return t
	}
	if p, ok := e.view.Plan(key.Name); ok && key.Kind == resources.WorkPlans {
		return p
	}
	if d, ok := e.view.Decision(key.Name); ok && key.Kind == resources.Decisions {
		return d
	}
	if head := e.view.Trajectory(); head != nil && key.Kind == resources.Trajectories {
		return head
	}
	return nil
}

// unknownContent returns the denial of a command line that writes a planning file with unknown
// content, or removes it.
func (e *evaluation) unknownContent(p Planned) *Reason {
	kind, _ := resources.KindOf(p.Key.Kind)
	ref := kind.Singular + "/" + p.Key.Name
	does := triedText(e.call)
	if e.call.Action != Write {
		does = "You tried to run " + quote(cmp.Or(p.Path.By, e.call.Command))
	}
	return &Reason{
		What:       does + ", which rewrites or removes " + p.Path.name() + ", and its new content is unknown before it runs.",
		Why:        []string{"A change of a plan is checked by its new content."},
		UseInstead: "Change it with your edit tool; to delete it, ask the user: `idumb delete " + ref + "`.",
		Evidence:   []string{p.Key.String()},
	}
}

// sentence converts a step to a sentence.
func sentence(step string) string { return strings.ToUpper(step[:1]) + step[1:] + "." }
