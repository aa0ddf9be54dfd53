package status

import "github.com/idumb-dev/idumb/resources"

// HintsFile is the file below .idumb/context that a controller keeps Hints in.
const HintsFile = "hints.json"

// Hints is what a controller knows that the hook would have to scan for. They
// are where to look and not what holds: whoever uses them reads the objects that
// they name, and looks for itself before it says that there is none.
type Hints struct {
	ActivePlans []string            `json:"activePlans,omitempty"` // plans whose phase is active
	ActiveTasks []HintTask          `json:"activeTasks,omitempty"` // tasks with spec.state active, by name
	Ready       []string            `json:"ready,omitempty"`       // ready tasks, best first, ten at most
	Locks       map[string][]string `json:"locks,omitempty"`       // spec.fileLocks of active tasks that have some
}

// HintTask is a task that is being worked on.
type HintTask struct {
	Name       string `json:"name"`
	Plan       string `json:"plan,omitempty"`
	AssignedTo string `json:"assignedTo,omitempty"`
}

// DeriveHints computes what the hook is to be told.
func DeriveHints(v WideView) Hints {
	var h Hints
	h.ActivePlans = activePlans(v)
	for _, name := range v.TasksInState(resources.TaskActive) {
		t, ok := v.Task(name)
		if !ok {
			continue
		}
		h.ActiveTasks = append(h.ActiveTasks, HintTask{Name: name, Plan: t.Spec.WorkPlan, AssignedTo: t.Spec.AssignedTo})
		if len(t.Spec.FileLocks) > 0 {
			if h.Locks == nil {
				h.Locks = map[string][]string{}
			}
			h.Locks[name] = t.Spec.FileLocks
		}
	}
	for _, next := range NextTasks(v, NextInPlan) {
		h.Ready = append(h.Ready, next.Task.Metadata.Name)
	}
	return h
}
