package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// mayRun reports whether the caller's role runs a command of idumb.
func (e *evaluation) mayRun(command string) bool {
	c := e.caller()
	d, _ := ownCommandOf(strings.Fields(command))
	return c.role == nil || d.permitted(c.role.Spec.Shell)
}

// askFor says from whom the caller gets what it may not make itself.
func (e *evaluation) askFor(what string) string {
	if e.caller().hops > 0 {
		return "End your turn with a report to the agent that started you: you need " + what + "."
	}
	return "Ask the user, or an agent that plans, for " + what + "."
}

// handOver says how someone in this role gets done what it may not do itself: by an agent
// that it may start and that may, else by whoever started it, else by the person.
func (e *evaluation) handOver(c *caller, may func(*resources.Role) bool) string {
	if step := e.handFileOver(c, may); step != "" {
		return step
	}
	if agents := e.agentsFor(c, may); len(agents) > 0 {
		if e.call.Opened != nil && len(c.role.Spec.FirstTools) > 0 && !e.call.Opened() { // else the start is denied
			return "Run `idumb next`, then hand the work over: start the agent " + orList(agents) + " and tell it the task."
		}
		return "Hand the work over: start the agent " + orList(agents) + " and tell it the task."
	}
	if c.hops > 0 {
		return "End your turn with a report to the agent that started you of what is needed and why."
	}
	return "Tell the user what is needed and why."
}

// handFileOver says how someone who starts no task hands over the ready one that names the denied file, to a role that
// may write it; "" if there is none, or it may not.
func (e *evaluation) handFileOver(c *caller, may func(*resources.Role) bool) string {
	for _, task := range e.namers() {
		to, ok := Offer(e.call, task, e.view)
		if !ok || to == "" {
			continue
		}
		agents := e.agentsFor(c, func(r *resources.Role) bool { return r.Metadata.Name == to && may(r) })
		if len(agents) == 0 {
			continue
		}
		tag := e.freeName(resources.Delegations, task)
		return "Hand task " + quote(task) + " over: run `idumb create delegation " + tag + " --task " + task + " --from " + c.roleName + " --to " + to +
			"`, then start the agent " + orList(agents) + " with delegation/" + tag + " in its prompt."
	}
	return ""
}

// agentsFor lists agents, by the names that the host knows them under, that the caller may
// start and of whose roles something holds; none once the work was handed on too often.
func (e *evaluation) agentsFor(c *caller, holds func(*resources.Role) bool) []string {
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
