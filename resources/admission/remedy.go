package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// mayRun reports whether the caller's role allows an idumb command.
func (e *evaluation) mayRun(command string) bool {
	c := e.caller()
	return c.role == nil || roleRuns(c.role, command)
}

// roleRuns reports whether a role allows an idumb command.
func roleRuns(r *resources.Role, command string) bool {
	d, _ := ownCommandOf(strings.Fields(command))
	return d.permitted(r.Spec.Shell)
}

// takes reports whether agents of a role can start a task that they are handed, or hand it on.
func takes(r *resources.Role, task string) bool {
	return roleRuns(r, "idumb start "+task) || roleRuns(r, "idumb create delegation")
}

// askFor returns the step for requesting something that the caller may not do.
func (e *evaluation) askFor(what string) string {
	if e.caller().hops > 0 {
		return "End your turn with a report to the agent that started you: you need " + what + "."
	}
	return "Ask the user, or an agent that plans, for " + what + "."
}

// handOver returns the step for work that the role may not do: an agent that the caller may
// start and that may do it, otherwise the caller's starter or the person.
func (e *evaluation) handOver(c *caller, may func(*resources.Role) bool) string {
	if step := e.handFileOver(c, may); step != "" {
		return step
	}
	opens := func(r *resources.Role) bool {
		return may(r) && (!e.call.writes() || e.work().task != nil || takes(r, "next-step")) // without a task it starts one
	}
	if agents := e.agentsFor(c, opens); len(agents) > 0 {
		return e.afterFirstTool("Hand the work over: start the agent " + orList(agents) + " and tell it the task.")
	}
	if c.hops > 0 {
		return "End your turn, and tell the agent that started you which work is needed and why."
	}
	return "Tell the user which work is needed and why."
}

// handFileOver returns the step by which a caller that starts no tasks delegates the ready
// task with the denied file to a role that may write it, or "".
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

// agentsFor returns the host's names of agents that the caller may start and whose roles
// meet a condition. It returns none beyond the maximum depth.
func (e *evaluation) agentsFor(c *caller, holds func(*resources.Role) bool) []string {
	tools := c.role.Spec.Tools
	if t := e.work().task; t != nil && len(t.Spec.AllowedTools) > 0 && !matchesTool("task", t.Spec.AllowedTools) {
		return nil
	}
	if slices.ContainsFunc(c.delegations, func(g grant) bool {
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
		if !ok || resources.MayDelegate(c.role, r) != resources.DelegationAllowed || !holds(r) {
			continue
		}
		if agent := agentOf(r, e.call.Host); agent != "" {
			agents = append(agents, agent)
		}
	}
	return agents
}

// ProfilePrefix is the prefix of agents that iDumb installs into hosts, followed by the
// role name.
const ProfilePrefix = "idumb-"

// builtinAgents lists the built-in agents of hosts that have no profiles, the preferred ones first.
var builtinAgents = map[string][]string{"codex": {"worker", "explorer", "default"}, "gemini": {"generalist", "codebase_investigator"}}

// agentOf returns the name of an agent for a role. It returns "" if none exists. In hosts
// without profiles it is a built-in name. In other hosts it is the profile
// shipped for the role, the first agent that the role names, or the agent with the role's
// name.
func agentOf(r *resources.Role, host string) string {
	exact := slices.DeleteFunc(slices.Clone(r.Spec.Agents), func(name string) bool { return strings.ContainsAny(name, `*?[\`) })
	if builtin, found := builtinAgents[host]; found {
		for _, name := range builtin {
			if slices.Contains(exact, name) {
				return name
			}
		}
		return ""
	}
	switch profile := ProfilePrefix + r.Metadata.Name; {
	case slices.Contains(exact, profile):
		return profile
	case len(exact) > 0:
		return exact[0]
	}
	return r.Metadata.Name
}
