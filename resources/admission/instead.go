package admission

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// nextStep is one step that gets the caller a task: start a ready one that is
// its own or nobody's, or what would make one ready.
func (j *judgement) nextStep() string {
	if came := j.work().came; len(came) > 0 {
		return "Run `idumb start " + came[0] + "`, then write: whoever it was handed to is gone."
	}
	if name := j.readyFor(""); name != "" {
		return "Run `idumb start " + name + "`, then write."
	}
	plans := j.view.ActivePlans()
	switch {
	case len(plans) > 0 && j.mayRun("idumb create task"):
		return "No task is ready for you. Plan one: `idumb create task next-step --plan " + plans[0] + " --title \"...\" --expect \"...\"`, then `idumb start next-step`."
	case len(plans) == 0 && j.mayRun("idumb create workplan") && j.mayRun("idumb create task"):
		return planWork
	}
	return "No task is ready for you, and planning one is not for your role. " + j.askFor("a task")
}

// planWork is what to do where there is no plan.
const planWork = "Plan the work: `idumb create workplan my-plan --title \"...\" --accept \"...\" --state active`, then `idumb create task next-step --plan my-plan --expect \"...\"`, then `idumb start next-step`."

// mayRun reports whether the caller's role runs a command of idumb.
func (j *judgement) mayRun(command string) bool {
	c := j.caller()
	d, _ := ownCommandIn(command)
	return c.role == nil || d.permitted(c.role.Spec.Shell)
}

// askFor says from whom the caller gets what it may not make itself.
func (j *judgement) askFor(what string) string {
	if j.caller().hops > 0 {
		return "End your turn with a report to the agent that started you: you need " + what + "."
	}
	return "Ask the person, or an agent that plans, for " + what + "."
}

// readyFor returns the best ready task that the caller may take, but not except.
func (j *judgement) readyFor(except string) string {
	for _, name := range j.view.ReadyTasks() {
		t, ok := j.view.Task(name)
		if ok && name != except && !t.Spec.PlanAhead && j.caller().claims(t.Spec.AssignedTo, j.view) != foreign {
			return name
		}
	}
	return ""
}

// insteadOfWaiting says what to do while a task is blocked.
func (j *judgement) insteadOfWaiting(t *resources.Task, st resources.TaskStatus) string {
	remedy := "find out what blocks it: `idumb describe task " + t.Metadata.Name + "`."
	if len(st.BlockedBy) > 0 {
		first := st.BlockedBy[0]
		if plan, ok := planName(first); ok {
			remedy = "wait for plan " + quote(plan) + " to complete."
		} else {
			remedy = "wait for " + quote(first) + " to complete."
			if b, ok := j.view.Task(first); ok && !status.LiveTask(b) { // no waiting helps
				remedy = "hand it back with `idumb fail " + t.Metadata.Name + " --reason \"" + first + " is " + resources.TaskState(b) + "\"`."
			}
		}
	}
	if name := j.readyFor(t.Metadata.Name); name != "" {
		return "Work on a ready task (`idumb start " + name + "`), or " + remedy
	}
	if b, ok := j.workableBlocker(st); ok {
		return "Work on what blocks it first: `idumb start " + b + "`."
	}
	return "No other task is ready: " + remedy
}

// workableBlocker returns a blocking task that is active and the caller's to do.
func (j *judgement) workableBlocker(status resources.TaskStatus) (string, bool) {
	for _, name := range status.BlockedBy {
		t, ok := j.view.Task(name)
		if ok && j.status(t).Phase == resources.TaskActive && j.caller().claims(t.Spec.AssignedTo, j.view) != foreign {
			return name, true
		}
	}
	return "", false
}
