package objectchecks

import (
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// checkRoles reports agents in the records of sessions that no role names: their permissions were never
// decided.
func (x *examination) checkRoles() {
	var roles []*resources.Role
	for _, key := range x.List(resources.Roles) {
		o, _ := x.Get(key)
		if r, ok := o.(*resources.Role); ok {
			roles = append(roles, r)
		}
	}
	settings := x.Settings()
	x.defaultRole(roles, settings)
	unknown := x.unknownAgents(roles)
	if len(unknown) == 0 {
		return
	}
	acts := resources.ActingRole(unknown[0], roles, settings)
	notice(&x.findings.Roles, "no role lists these agents of recent sessions: %s; they have the role %s (config.unknownAgents = %s); to assign another role, add the name to spec.agents: idumb edit role NAME",
		strings.Join(unknown, ", "), acts, settings.UnknownAgents)
}

// defaultRole reports a missing default role. Without it, agents without a name are subject to no
// rules.
func (x *examination) defaultRole(roles []*resources.Role, c *resources.ConfigSpec) {
	if !slices.ContainsFunc(roles, func(r *resources.Role) bool { return r.Metadata.Name == c.DefaultRole }) {
		notice(&x.findings.Roles, "role %q does not exist (config.defaultRole): no role rules apply to agents without a role; idumb init creates the default roles", c.DefaultRole)
	}
}

// unknownAgents returns the names of agents in sessions that no role names, sorted.
func (x *examination) unknownAgents(roles []*resources.Role) []string {
	unknown := map[string]bool{}
	for _, key := range x.List(resources.Sessions) {
		o, _ := x.Get(key)
		s, ok := o.(*resources.Session)
		if !ok || s.Spec.Agent == "" || s.Spec.Role != "" || resources.HostAgent(s.Spec.Agent) || resources.RoleNamed(s.Spec.Agent, roles) != nil {
			continue
		}
		unknown[s.Spec.Agent] = true
	}
	return slices.Sorted(maps.Keys(unknown))
}
