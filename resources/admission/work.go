package admission

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// work is the task that a call is work on, or why there is none.
type work struct {
	task    *resources.Task
	status  resources.TaskStatus
	several []string // active tasks of which the caller has to choose one
	others  []string // active tasks that are another role's
	left    string   // the task the session was on, no longer live
	came    []string // active tasks of the caller that came back from whoever they were handed to
}

// assign finds the caller's task: the one that it was handed, and then no other;
// or the one its session is on, or else the one active task that is its own, or
// else the one that is nobody's.
func assign(c *caller, view View) *work {
	w := &work{}
	if c.delegate() {
		w.left = c.task()
		if t, ok := view.Task(w.left); ok && status.LiveTask(t) {
			w.take(t, view)
		}
		return w
	}
	if c.session != nil && c.session.Spec.ActiveTask != "" {
		if t, ok := view.Task(c.session.Spec.ActiveTask); ok && status.LiveTask(t) {
			w.take(t, view)
			return w
		}
		w.left = c.session.Spec.ActiveTask
	}
	var own, free []*resources.Task
	for _, name := range view.ActiveTasks() {
		t, ok := view.Task(name)
		if !ok {
			continue
		}
		whose := c.claims(t.Spec.AssignedTo, view)
		switch {
		case whose == foreign:
			w.others = append(w.others, name)
		case status.Returned(name, view): // it waits to be started again
			w.came = append(w.came, name)
		case whose == mine:
			own = append(own, t)
		default:
			free = append(free, t)
		}
	}
	if len(own) == 0 {
		own = free
	}
	w.choose(own, view)
	return w
}

func (w *work) take(t *resources.Task, view View) {
	w.task = t
	w.status, _ = status.DeriveTask(t, view)
}

// choose takes the only candidate, or the only one that is not blocked.
func (w *work) choose(candidates []*resources.Task, view View) {
	if len(candidates) == 1 {
		w.take(candidates[0], view)
		return
	}
	var workable []*resources.Task
	for _, t := range candidates {
		w.several = append(w.several, t.Metadata.Name)
		if s, _ := status.DeriveTask(t, view); s.Phase == resources.TaskActive {
			workable = append(workable, t)
		}
	}
	if len(workable) == 1 {
		w.several = nil
		w.take(workable[0], view)
	}
}
