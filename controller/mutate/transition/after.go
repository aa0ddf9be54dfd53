package transition

import (
	"fmt"
	"iter"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Outcome is the effect of a transition on other objects.
type Outcome struct {
	Unblocked       []string                 // tasks that are no longer blocked, sorted
	Broken          []string                 // live tasks that depend on an abandoned one, sorted
	MissingEvidence []resources.EvidenceItem // review: missing evidence items of the task
	Notes           []string                 // sentences for the caller
	// Open is a plan that only open criteria keep from completion, or that was
	// completed despite them; nil if none.
	Open *resources.WorkPlan
}

// View is a status.View that finds referring objects.
type View interface {
	status.View
	// Referring yields the last good versions of all objects that refer to one
	// of keys, and possibly others, in no particular order.
	Referring(keys ...resources.Key) iter.Seq[resources.Object]
}

// outcomeOf compares the views before and after m was made with the object of key.
// It examines the tasks that the transition can affect.
func outcomeOf(m Move, key resources.Key, before, after View) (o Outcome) {
	moved := comparison{key: key, oldView: before, newView: after}
	if t, ok := after.Task(key.Name); ok && m.Verb == Review {
		return Outcome{MissingEvidence: status.MissingEvidence(t, after.Evidence(key.Name))}
	}
	if m.Verb != Complete && m.Verb != Abandon {
		return Outcome{Notes: moved.draftNote()} // other transitions unblock nothing
	}
	plan := moved.completedPlan()
	asked := moved.waitingPlans(plan)
	if key.Kind == resources.Tasks {
		asked = append(asked, key)
	}
	for t := range moved.tasks(asked) {
		waits := key.Kind == resources.Tasks && waits(t, key.Name)
		if waits && m.Verb == Abandon {
			o.Broken = append(o.Broken, t.Metadata.Name)
		}
		inPlan := slices.Contains(asked, resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})
		if (waits || inPlan) && blocked(t, before) && !blocked(t, after) {
			o.Unblocked = append(o.Unblocked, t.Metadata.Name)
		}
	}
	for freed := o.Unblocked; len(freed) > 0; o.Unblocked = append(o.Unblocked, freed...) {
		freed = moved.parts(freed, o.Unblocked)
	}
	slices.Sort(o.Unblocked)
	o.Unblocked = slices.Compact(o.Unblocked)
	slices.Sort(o.Broken)
	o.Broken = slices.Compact(o.Broken)
	if m.Verb == Complete {
		o.Open = moved.openPlan()
	}
	if plan != "" && key.Kind == resources.Tasks {
		o.Notes = []string{fmt.Sprintf("workplan/%s: none of its tasks is open", plan)}
	}
	return o
}

// comparison holds the views before and after a change of an object. Its methods find the
// effects on other objects.
type comparison struct {
	key              resources.Key
	oldView, newView View
}

// tasks yields the live tasks that refer to one of keys, and possibly others.
func (m *comparison) tasks(keys []resources.Key) iter.Seq[*resources.Task] {
	return func(yield func(*resources.Task) bool) {
		if len(keys) == 0 {
			return
		}
		for o := range m.newView.Referring(keys...) {
			if t, ok := o.(*resources.Task); ok && status.LiveTask(t) && !yield(t) {
				return
			}
		}
	}
}

// maxWholes is the maximum number of tasks whose parts are examined.
const maxWholes = 100

// parts returns the parts of tasks that are no longer blocked, except those in
// known.
func (m *comparison) parts(of, known []string) (freed []string) {
	keys := make([]resources.Key, min(len(of), maxWholes))
	for i := range keys {
		keys[i] = resources.Key{Kind: resources.Tasks, Name: of[i]}
	}
	for t := range m.tasks(keys) {
		if slices.Contains(of, t.Spec.Parent) && !slices.Contains(known, t.Metadata.Name) && blocked(t, m.oldView) && !blocked(t, m.newView) {
			freed = append(freed, t.Metadata.Name)
		}
	}
	return freed
}

// waits reports whether a task depends on the named task, by dependsOn or by
// its gate.
func waits(t *resources.Task, name string) bool {
	return slices.Contains(t.Spec.DependsOn, name) || t.Spec.TemporalGate != nil && t.Spec.TemporalGate.After == name
}

// blocked reports whether a task is in phase blocked.
func blocked(t *resources.Task, v status.View) bool {
	status, _ := status.DeriveTask(t, v)
	return status.Phase == resources.TaskBlocked
}

// completedPlan returns the name of the plan that the transition completes: the
// plan itself, or the plan whose last open task it completes. It returns "" if
// there is none.
func (m *comparison) completedPlan() string {
	name, done := m.key.Name, resources.PlanCompleted
	if m.key.Kind == resources.Tasks {
		task, _ := m.newView.Task(name)
		if task == nil {
			return ""
		}
		name, done = task.Spec.WorkPlan, resources.PlanActive
	}
	plan, found := m.newView.Plan(name)
	if !found || plan.Spec.State != done || m.key.Kind == resources.Tasks && !status.PlanDone(plan, m.newView.PlanCounts(name)) {
		return ""
	}
	return name
}

// openPlan returns the plan of the transition if its tasks are done and a
// criterion is open, or else nil.
func (m *comparison) openPlan() *resources.WorkPlan {
	name := m.key.Name
	if task, ok := m.newView.Task(name); ok && m.key.Kind == resources.Tasks {
		name = task.Spec.WorkPlan
	}
	plan, found := m.newView.Plan(name)
	if found && len(status.OpenCriteria(plan)) > 0 && (m.key.Kind == resources.WorkPlans || status.TasksDone(m.newView.PlanCounts(name))) {
		return plan
	}
	return nil
}

// waitingPlans returns the plans that depend on a plan.
func (m *comparison) waitingPlans(on string) (waiting []resources.Key) {
	if on == "" {
		return nil
	}
	for o := range m.newView.Referring(resources.Key{Kind: resources.WorkPlans, Name: on}) {
		if plan, ok := o.(*resources.WorkPlan); ok && slices.Contains(plan.Spec.DependsOn, on) {
			waiting = append(waiting, plan.Key())
		}
	}
	return waiting
}

// draftNote returns status.DraftNote if the task is active.
func (m *comparison) draftNote() []string {
	task, found := m.newView.Task(m.key.Name)
	if !found || m.key.Kind != resources.Tasks || task.Spec.State != resources.TaskActive {
		return nil
	}
	if plan, found := m.newView.Plan(task.Spec.WorkPlan); found {
		if note := status.DraftNote(plan); note != "" {
			return []string{note}
		}
	}
	return nil
}
