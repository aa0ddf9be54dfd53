package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// nextStep is one step that gets the caller a task: start a ready one that is
// its own or nobody's, or what would make one ready.
func (e *evaluation) nextStep() string {
	if e.caller().delegate() { // its task and nothing else is its own
		return HandBack
	}
	if came := e.work().came; len(came) > 0 {
		return "Run `idumb start " + came[0] + "`, then write: whoever it was handed to is gone."
	}
	if name := e.readyFor(""); name != "" {
		return "Run `idumb start " + name + "`, then write."
	}
	plans := e.view.ActivePlans()
	switch {
	case len(plans) > 0 && e.mayRun("idumb create task"):
		return "No task is ready for you. Plan one: `idumb create task next-step --plan " + plans[0] + " --title \"...\" --expect \"...\"`, then `idumb start next-step`."
	case len(plans) == 0 && e.mayRun("idumb create workplan") && e.mayRun("idumb create task"):
		return planWork
	}
	return "No task is ready for you, and planning one is not for your role. " + e.askFor("a task")
}

// planWork is what to do where there is no plan.
const planWork = "Plan the work: `idumb create workplan my-plan --title \"...\" --accept \"...\" --state active`, then `idumb create task next-step --plan my-plan --expect \"...\"`, then `idumb start next-step`."

// mayRun reports whether the caller's role runs a command of idumb.
func (e *evaluation) mayRun(command string) bool {
	c := e.caller()
	d, _ := ownCommandIn(command)
	return c.role == nil || d.permitted(c.role.Spec.Shell)
}

// askFor says from whom the caller gets what it may not make itself.
func (e *evaluation) askFor(what string) string {
	if e.caller().hops > 0 {
		return "End your turn with a report to the agent that started you: you need " + what + "."
	}
	return "Ask the person, or an agent that plans, for " + what + "."
}

// readyFor returns the best ready task that the caller may take, but not except.
func (e *evaluation) readyFor(except string) string {
	for _, name := range e.view.ReadyTasks() {
		t, ok := e.view.Task(name)
		if ok && e.caller().delegate() && !e.partOfOwn(t) {
			continue
		}
		if ok && name != except && !t.Spec.PlanAhead && e.caller().claims(t.Spec.AssignedTo, e.view) != foreign && e.caller().other(t, e.view) == nil {
			return name
		}
	}
	return ""
}

// insteadOfWaiting says what to do while a task is blocked.
func (e *evaluation) insteadOfWaiting(t *resources.Task, st resources.TaskStatus) string {
	remedy := "find out what blocks it: `idumb describe task " + t.Metadata.Name + "`."
	if len(st.BlockedBy) > 0 {
		first := st.BlockedBy[0]
		if plan, ok := planName(first); ok {
			remedy = "wait for plan " + quote(plan) + " to complete."
		} else if step := status.DecisionRemedy(t.Metadata.Name, st.BlockedBy[:1], e.view); step != "" {
			remedy = step + "."
		} else {
			remedy = "wait for " + quote(first) + " to complete."
			if b, ok := e.view.Task(first); ok && !status.LiveTask(b) { // no waiting helps
				remedy = "hand it back with `idumb fail " + t.Metadata.Name + " --reason \"" + first + " is " + resources.TaskState(b) + "\"`."
			}
		}
	}
	if name := e.readyFor(t.Metadata.Name); name != "" {
		return "Work on a ready task (`idumb start " + name + "`), or " + remedy
	}
	if e.caller().delegate() {
		return HandBack
	}
	if b, ok := e.workableBlocker(st); ok {
		return "Work on what blocks it first: `idumb start " + b + "`."
	}
	return "No other task is ready: " + remedy
}

// workableBlocker returns a blocking task that is active and the caller's to do.
func (e *evaluation) workableBlocker(status resources.TaskStatus) (string, bool) {
	for _, name := range status.BlockedBy {
		t, ok := e.view.Task(name)
		if ok && e.status(t).Phase == resources.TaskActive && e.caller().claims(t.Spec.AssignedTo, e.view) != foreign && e.caller().other(t, e.view) == nil {
			return name, true
		}
	}
	return "", false
}

// handOver says how someone in this role gets done what it may not do itself: by an agent
// that it may start and that may, else by whoever started it, else by the person.
func (e *evaluation) handOver(c *caller, may func(*resources.Role) bool) string {
	if agents := e.startable(c, may); len(agents) > 0 {
		if e.call.Opened != nil && len(c.role.Spec.FirstTools) > 0 && !e.call.Opened() { // else the start is denied
			return "Run `idumb next`, then hand the work over: start the agent " + orList(agents) + " and tell it the task."
		}
		return "Hand the work over: start the agent " + orList(agents) + " and tell it the task."
	}
	if c.hops > 0 {
		return "End your turn with a report to the agent that started you of what is needed and why."
	}
	return "Tell the person what is needed and why."
}

// startable lists agents, by the names that the host knows them under, that the caller may
// start and of whose roles something holds; none once the work was handed on too often.
func (e *evaluation) startable(c *caller, holds func(*resources.Role) bool) []string {
	tools := c.role.Spec.Tools
	if t := e.work().task; t != nil && len(t.Spec.AllowedTools) > 0 && !matchesTool("task", t.Spec.AllowedTools) {
		return nil
	}
	if slices.ContainsFunc(c.under, func(g grant) bool {
		return g.d != nil && len(g.d.Spec.AllowedTools) > 0 && !matchesTool("task", g.d.Spec.AllowedTools)
	}) {
		return nil
	}
	if !permits(tools.Allow, tools.Deny, func(patterns []string) bool { return matchesTool("task", patterns) }) || c.depth(e.view) >= status.MaxDelegationDepth {
		return nil
	}
	var agents []string
	for _, name := range c.role.Spec.DelegatesTo {
		r, ok := e.view.Role(name)
		if !ok || resources.MayDelegate(c.role, r) != resources.NoHindrance || !holds(r) {
			continue
		}
		if agent := agentOf(r, e.call.Host); agent != "" {
			agents = append(agents, agent)
		}
	}
	return agents
}

// ProfilePrefix begins the names of the agents that iDumb installs into hosts; the role's name follows.
const ProfilePrefix = "idumb-"

// agentOf is the name of an agent that acts in a role: in Codex, which has no profiles, one
// of its own; elsewhere the profile that ships for the role, or the first that the role
// names, or one that is called as the role is. "" if the host has none.
func agentOf(r *resources.Role, host string) string {
	exact := slices.DeleteFunc(slices.Clone(r.Spec.Agents), func(name string) bool { return strings.ContainsAny(name, `*?[\`) })
	if host == "codex" {
		for _, name := range [...]string{"worker", "explorer", "default"} {
			if slices.Contains(exact, name) {
				return name
			}
		}
		return ""
	}
	profile := ProfilePrefix + r.Metadata.Name
	switch {
	case slices.Contains(exact, profile):
		return profile
	case len(exact) > 0:
		return exact[0]
	}
	return r.Metadata.Name
}
