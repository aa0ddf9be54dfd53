package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// startedView is a View after a session started a task.
type startedView struct {
	View
	task    *resources.Task
	session *resources.Session
}

// afterStart returns the state that would exist after the caller started a task.
func afterStart(e *evaluation, t *resources.Task) View {
	v := &startedView{View: e.view, task: t}
	if e.call.Session == "" {
		return v
	}
	record := resources.New[*resources.Session](resources.Sessions, e.call.Session)
	if s := e.caller().session; s != nil {
		record.Spec = s.Spec
	}
	record.Spec.ActiveTask = t.Metadata.Name
	v.session = record
	return v
}

// Task returns the started task, or another task unchanged.
func (v *startedView) Task(name string) (*resources.Task, bool) {
	if name == v.task.Metadata.Name {
		return v.task, true
	}
	return v.View.Task(name)
}

// ActiveTasks returns the active tasks including the started one.
func (v *startedView) ActiveTasks() []string {
	names := v.View.ActiveTasks()
	if slices.Contains(names, v.task.Metadata.Name) {
		return names
	}
	return append(slices.Clone(names), v.task.Metadata.Name)
}

// Session returns the caller's session with the started task, or another session unchanged.
func (v *startedView) Session(name string) (*resources.Session, bool) {
	if v.session != nil && name == v.session.Metadata.Name {
		return v.session, true
	}
	return v.View.Session(name)
}

// OtherLease returns nil for the task, which can only be started if it has no other holder.
func (v *startedView) OtherLease(t *resources.Task, session string) *resources.Lease {
	if t.Metadata.Name == v.task.Metadata.Name {
		return nil
	}
	return v.View.OtherLease(t, session)
}

// Lapsed returns nil for the task, because the start claims it again.
func (v *startedView) Lapsed(t *resources.Task) *resources.Lease {
	if t.Metadata.Name == v.task.Metadata.Name {
		return nil
	}
	return v.View.Lapsed(t)
}

// Trajectory returns the trajectory after `start`, which may set another plan in focus.
func (v *startedView) Trajectory() *resources.Trajectory {
	head := v.View.Trajectory()
	if head == nil || status.InFocus(v.task, v.View) {
		return head
	}
	next := *head
	next.Spec.ActiveTasks = append(slices.Clone(head.Spec.ActiveTasks), v.task.Metadata.Name)
	return &next
}

// begunView is a View after a draft plan was started.
type begunView struct {
	View
	plan *resources.WorkPlan
}

// Plan returns the started plan, or another plan unchanged.
func (v *begunView) Plan(name string) (*resources.WorkPlan, bool) {
	if name == v.plan.Metadata.Name {
		return v.plan, true
	}
	return v.View.Plan(name)
}

// ActivePlans returns the active plans including the started one, sorted.
func (v *begunView) ActivePlans() []string {
	plans := append(slices.Clone(v.View.ActivePlans()), v.plan.Metadata.Name)
	slices.Sort(plans)
	return plans
}
