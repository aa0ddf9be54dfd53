package admission

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// mayStart: a role starts agents of the roles that it delegates to, of none above its
// own, and of none that only a person talks to. An agent that no role names acts in the
// least role, or as one without a name: starting that is nobody's privilege.
func mayStart(e *evaluation) *Reason {
	c := e.caller()
	if e.call.Action != Delegate || c.role == nil {
		return nil
	}
	taker, ok := e.view.Role(roleOfAgent(e.view, e.call.To))
	if !ok {
		return nil
	}
	why, at := cannotStart(c.role, taker)
	if why == "" {
		return nil
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + ", which acts in the role " + quote(taker.Metadata.Name) + ", but the role " + quote(c.roleName) + " may not.",
		Why:        []string{why},
		UseInstead: e.startInstead(c),
		Evidence:   []string{at},
	}
}

// startInstead names agents that the caller may start.
func (e *evaluation) startInstead(c *caller) string {
	if agents := e.startable(c, anyRole); len(agents) > 0 {
		return "Start the agent " + orList(agents) + ", or do it yourself as far as you may."
	}
	return "Do it yourself as far as you may, and report what is left."
}

// cannotStart says why a role does not start agents of another one, and where that is
// written; "" if it does.
func cannotStart(giver, taker *resources.Role) (why, at string) {
	from, to := giver.Metadata.Name, taker.Metadata.Name
	switch resources.MayDelegate(giver, taker) {
	case resources.ToPrimary:
		return "An agent of the role " + quote(to) + " talks to the person, and is started by nobody else.", "roles/" + to + " spec.mode = primary"
	case resources.Upwards:
		return "The role " + quote(to) + " stands above " + quote(from) + ", and nobody delegates upwards.", "roles/" + to + " spec.level = " + digits(taker.Spec.Level) + "; roles/" + from + " spec.level = " + digits(giver.Spec.Level)
	case resources.NotAmong:
		return "The role " + quote(from) + " delegates to " + orList(giver.Spec.DelegatesTo) + " only.", "roles/" + from + " spec.delegatesTo = " + list(giver.Spec.DelegatesTo)
	}
	return "", ""
}

// todo: where config asks for it, a subagent is started only for something that is
// written down as a task.
func todo(e *evaluation) *Reason {
	if e.call.Action != Delegate || !e.view.Settings().RequireTodo || e.writtenDown() {
		return nil
	}
	none := "the prompt names none."
	if len(e.call.Names) > 0 {
		none = "the prompt names none that is there and not over yet."
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + " for something that is no task: " + none,
		Why:        []string{"What is handed to a subagent is written down first, so that it can be followed."},
		UseInstead: e.nameTask(),
		Evidence:   []string{"config spec.requireTodo = true"},
	}
}

// nameTask says how the start of a subagent comes to name a task.
func (e *evaluation) nameTask() string {
	name, may := e.taskToName(), e.mayRun("idumb create task")
	switch {
	case name != "" && may:
		return "Repeat the call with task/" + name + " in its prompt if that is what it is for; else plan the part first: " + e.newTask(name) + "."
	case name != "":
		return "Repeat the call with task/" + name + " in its prompt if that is what it is for. " + e.askFor("another task")
	case may:
		return "Write the part down: " + e.newTask("") + ", and repeat the call with task/next-part in its prompt."
	}
	return e.askFor("a task")
}

// newTask is the command that plans a part of a task, or of the plan that is worked on.
func (e *evaluation) newTask(parent string) string {
	plan, more := "", ""
	if t, ok := e.view.Task(parent); ok {
		plan, more = t.Spec.WorkPlan, " --parent "+parent
	} else if plans := e.view.ActivePlans(); len(plans) > 0 {
		plan = plans[0]
	} else {
		return "`idumb create workplan my-plan --title \"...\" --accept \"...\" --state active`, then `idumb create task next-part --plan my-plan --expect \"...\"`"
	}
	return "`idumb create task next-part --plan " + clean(plan) + more + " --expect \"...\"`"
}

// writtenDown reports whether the prompt of a subagent names a task, or a delegation of
// one, that can be worked on.
func (e *evaluation) writtenDown() bool {
	for _, key := range e.call.Names {
		name := key.Name
		if key.Kind == resources.Delegations {
			d, ok := e.view.Delegation(name)
			if !ok || !status.LiveDelegation(d) {
				continue
			}
			name = d.Spec.Task
		}
		if t, ok := e.view.Task(name); ok && status.LiveTask(t) {
			return true
		}
	}
	return false
}

// taskToName is the caller's task, or one that is ready; "" if there is none.
func (e *evaluation) taskToName() string {
	if t := e.work().task; t != nil {
		return t.Metadata.Name
	}
	return e.readyFor("")
}
