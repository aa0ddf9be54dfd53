package lifecycle

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// Outcome is what a move leads to elsewhere.
type Outcome struct {
	Unblocked []string // tasks that waited and need not any more, sorted
	Broken    []string // live tasks that depend on what was abandoned, sorted
	Notes     []string // sentences for whoever made the move
}

// World is what After compares. It is a WideView that knows what waits for an
// object.
type World interface {
	resources.WideView
	// Dependents returns the objects of the same kind that wait for that one.
	Dependents(key resources.Key) []resources.Key
}

// After compares the world before and after a move of the object with that key.
// It looks at what waits for the object, and at whole plans only if the move
// completes one that others wait for.
func After(key resources.Key, before, after World) Outcome {
	moved := movement{key: key, before: before, after: after}
	moved.completed = moved.completedPlans()
	var o Outcome
	for _, name := range moved.candidates() {
		if task, found := after.Task(name); found && resources.LiveTask(task) {
			moved.look(task, &o)
		}
	}
	o.Unblocked, o.Broken = distinct(o.Unblocked), distinct(o.Broken)
	o.Notes = moved.notes()
	return o
}

// movement is one comparison.
type movement struct {
	key           resources.Key
	before, after World
	completed     []string // plans that the move completes
}

// candidates are the tasks that the move can make a difference to, and more.
func (m *movement) candidates() []string {
	var names []string
	if m.key.Kind == resources.Tasks {
		for _, key := range m.after.Dependents(m.key) {
			names = append(names, key.Name)
		}
	}
	for _, plan := range m.completed {
		if len(m.after.Dependents(resources.Key{Kind: resources.WorkPlans, Name: plan})) > 0 {
			names = append(names, m.after.TasksInState(resources.TaskPlanned)...)
			names = append(names, m.after.TasksInState(resources.TaskActive)...)
		}
	}
	return names
}

// look sees what the move does to a task that has not ended.
func (m *movement) look(t *resources.Task, o *Outcome) {
	depends := m.key.Kind == resources.Tasks && waits(t, m.key.Name)
	if !depends && !m.waitsForPlan(t) {
		return
	}
	if depends && m.abandoned() {
		o.Broken = append(o.Broken, t.Metadata.Name)
	}
	if blocked(t, m.before) && !blocked(t, m.after) {
		o.Unblocked = append(o.Unblocked, t.Metadata.Name)
	}
}

func waits(t *resources.Task, name string) bool {
	return slices.Contains(t.Spec.DependsOn, name) || t.Spec.TemporalGate != nil && t.Spec.TemporalGate.After == name
}

func (m *movement) waitsForPlan(t *resources.Task) bool {
	if len(m.completed) == 0 {
		return false
	}
	plan, found := m.after.Plan(t.Spec.WorkPlan)
	return found && slices.ContainsFunc(plan.Spec.DependsOn, func(name string) bool { return slices.Contains(m.completed, name) })
}

func (m *movement) abandoned() bool {
	task, found := m.after.Task(m.key.Name)
	return found && task.Spec.State == resources.TaskAbandoned
}

func blocked(t *resources.Task, v resources.View) bool {
	status, _ := resources.DeriveTask(t, v)
	return status.Phase == resources.TaskBlocked
}

// completedPlans returns the plan that the move completes: the one that moved,
// or the one whose last task did.
func (m *movement) completedPlans() []string {
	name := m.key.Name
	if m.key.Kind == resources.Tasks {
		task, found := m.after.Task(m.key.Name)
		if !found {
			return nil
		}
		name = task.Spec.WorkPlan
	}
	if !planCompleted(name, m.before) && planCompleted(name, m.after) {
		return []string{name}
	}
	return nil
}

func planCompleted(name string, v resources.View) bool {
	plan, found := v.Plan(name)
	if !found {
		return false
	}
	return plan.Spec.State == resources.PlanCompleted ||
		plan.Spec.State == resources.PlanActive && resources.PlanDone(v.PlanCounts(name))
}

func (m *movement) notes() []string {
	var notes []string
	if m.key.Kind == resources.Tasks {
		for _, plan := range m.completed {
			notes = append(notes, fmt.Sprintf("workplan/%s: all of its tasks are completed", plan))
		}
		if task, found := m.after.Task(m.key.Name); found && task.Spec.State == resources.TaskActive {
			notes = append(notes, m.draftNote(task.Spec.WorkPlan)...)
		}
	}
	return notes
}

// draftNote: hooks and the context look at active plans only.
func (m *movement) draftNote(name string) []string {
	plan, found := m.after.Plan(name)
	if !found || plan.Spec.State != "" && plan.Spec.State != resources.PlanDraft {
		return nil
	}
	return []string{fmt.Sprintf("workplan/%s is a draft: idumb start workplan/%s makes it active", name, name)}
}

// distinct returns the sorted distinct names; nil for none.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
