package lifecycle

import (
	"fmt"
	"iter"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Outcome is what a move leads to elsewhere.
type Outcome struct {
	Unblocked []string // tasks that waited and need not any more, sorted
	Broken    []string // live tasks that depend on what was abandoned, sorted
	Notes     []string // sentences for whoever made the move
}

// World is what After compares: a View that can go through all tasks and plans.
type World interface {
	status.View
	// Tasks yields the last good versions of all tasks, in no particular order.
	Tasks() iter.Seq[*resources.Task]
	// Plans yields the last good versions of all plans, in no particular order.
	Plans() iter.Seq[*resources.WorkPlan]
}

// After compares the world before and after m was made with the object of that
// key. It goes through all tasks once, and judges those that the move can make a
// difference to.
func After(m Move, key resources.Key, before, after World) Outcome {
	moved := movement{key: key, before: before, after: after}
	if m.Verb != Complete && m.Verb != Abandon {
		return Outcome{Notes: moved.draftNote()} // nobody waits for less
	}
	moved.plan = moved.completedPlan()
	waiting := moved.waitingPlans()
	var o Outcome
	for t := range after.Tasks() {
		if !status.LiveTask(t) {
			continue
		}
		depends := key.Kind == resources.Tasks && waits(t, key.Name)
		if depends && m.Verb == Abandon {
			o.Broken = append(o.Broken, t.Metadata.Name)
		}
		if (depends || waiting[t.Spec.WorkPlan]) && blocked(t, before) && !blocked(t, after) {
			o.Unblocked = append(o.Unblocked, t.Metadata.Name)
		}
	}
	slices.Sort(o.Unblocked)
	slices.Sort(o.Broken)
	if moved.plan != "" && key.Kind == resources.Tasks {
		o.Notes = []string{fmt.Sprintf("workplan/%s: all of its tasks are completed", moved.plan)}
	}
	return o
}

// movement is one comparison.
type movement struct {
	key           resources.Key
	before, after World
	plan          string // that the move completes; "" for none
}

func waits(t *resources.Task, name string) bool {
	return slices.Contains(t.Spec.DependsOn, name) || t.Spec.TemporalGate != nil && t.Spec.TemporalGate.After == name
}

func blocked(t *resources.Task, v status.View) bool {
	status, _ := status.DeriveTask(t, v)
	return status.Phase == resources.TaskBlocked
}

// completedPlan returns the plan that the move completes: the one that moved, or
// the one whose last open task did.
func (m *movement) completedPlan() string {
	if m.key.Kind == resources.WorkPlans {
		if plan, found := m.after.Plan(m.key.Name); found && plan.Spec.State == resources.PlanCompleted {
			return m.key.Name
		}
		return ""
	}
	task, found := m.after.Task(m.key.Name)
	if !found {
		return ""
	}
	plan, found := m.after.Plan(task.Spec.WorkPlan)
	if !found || plan.Spec.State != resources.PlanActive || m.hasOpenTask(task.Spec.WorkPlan) {
		return ""
	}
	return task.Spec.WorkPlan
}

// hasOpenTask reports whether one of a plan's tasks is not completed.
func (m *movement) hasOpenTask(plan string) bool {
	some := false
	for t := range m.after.Tasks() {
		if t.Spec.WorkPlan != plan || t.Spec.State == resources.TaskAbandoned {
			continue
		}
		some = true
		if t.Spec.State != resources.TaskCompleted || !status.TaskDone(t, m.after.Evidence(t.Metadata.Name)) {
			return true
		}
	}
	return !some
}

// waitingPlans are the plans that depend on the one that the move completes.
func (m *movement) waitingPlans() map[string]bool {
	waiting := map[string]bool{}
	if m.plan == "" {
		return waiting
	}
	for plan := range m.after.Plans() {
		if slices.Contains(plan.Spec.DependsOn, m.plan) {
			waiting[plan.Metadata.Name] = true
		}
	}
	return waiting
}

// draftNote: hooks and the context look at active plans only.
func (m *movement) draftNote() []string {
	task, found := m.after.Task(m.key.Name)
	if !found || m.key.Kind != resources.Tasks || task.Spec.State != resources.TaskActive {
		return nil
	}
	plan, found := m.after.Plan(task.Spec.WorkPlan)
	if !found || resources.PlanState(plan) != resources.PlanDraft {
		return nil
	}
	name := task.Spec.WorkPlan
	return []string{fmt.Sprintf("workplan/%s is a draft: idumb start workplan/%s makes it active", name, name)}
}
