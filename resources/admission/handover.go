package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// handOver says how someone in this role gets done what it may not do itself: by an agent
// that it may start and that may, else by whoever started it, else by the person.
func (j *judgement) handOver(c *caller, may func(*resources.Role) bool) string {
	if agents := j.startable(c, may); len(agents) > 0 {
		return "Hand the work over: start the agent " + orList(agents) + " and tell it the task."
	}
	if c.hops > 0 {
		return "End your turn with a report to the agent that started you of what is needed and why; `idumb describe role " + c.roleName + "` shows what you may do."
	}
	return "Tell the person what is needed and why; `idumb describe role " + c.roleName + "` shows what you may do."
}

// startable lists agents, by the names that the host knows them under, that the caller may
// start and of whose roles something holds; none once the work was handed on too often.
func (j *judgement) startable(c *caller, holds func(*resources.Role) bool) []string {
	tools := c.role.Spec.Tools
	if !permits(tools.Allow, tools.Deny, func(patterns []string) bool { return matchesTool("task", patterns) }) || c.depth(j.view) >= status.MaxDelegationDepth {
		return nil
	}
	var agents []string
	for _, name := range c.role.Spec.DelegatesTo {
		r, ok := j.view.Role(name)
		if !ok || resources.MayDelegate(c.role, r) != resources.NoHindrance || !holds(r) {
			continue
		}
		if agent := agentOf(r, j.call.Host); agent != "" {
			agents = append(agents, agent)
		}
	}
	return agents
}

// anyRole holds of every role.
func anyRole(*resources.Role) bool { return true }

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
	profile := "idumb-" + r.Metadata.Name
	switch {
	case slices.Contains(exact, profile):
		return profile
	case len(exact) > 0:
		return exact[0]
	}
	return r.Metadata.Name
}
