package resources

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// RolePrimary is the spec.mode of a role for main agents only, which talk to the user.
const RolePrimary = "primary"

// UnknownAsDefault is the value of config.unknownAgents that assigns defaultRole,
// instead of the least role, to agents that no role names.
const UnknownAsDefault = "default"

// RoleNamed returns the role of an agent. It prefers the role with the agent's name,
// ignoring case. Next it prefers the first role that lists the exact name, then the first
// with a matching glob. It returns nil if no role matches.
func RoleNamed(agent string, roles []*Role) *Role {
	if agent == "" {
		return nil
	}
	own := strings.ToLower(agent)
	for _, matches := range [...]func(*Role) bool{
		func(r *Role) bool { return r.Metadata.Name == own },
		func(r *Role) bool { return slices.Contains(r.Spec.Agents, agent) },
		func(r *Role) bool { return slices.ContainsFunc(r.Spec.Agents, globFor(agent)) },
	} {
		if i := slices.IndexFunc(roles, matches); i >= 0 {
			return roles[i]
		}
	}
	return nil
}

// globFor returns a function that reports whether a glob matches a name. A malformed glob
// matches no name.
func globFor(name string) func(glob string) bool {
	return func(glob string) bool {
		ok, _ := path.Match(glob, name)
		return ok
	}
}

// ActingRole returns the name of an agent's role. If a role names the agent, it returns
// that role. For a named agent without a role it returns the least role, unless
// config.unknownAgents is default. In all other cases it returns config.defaultRole. The
// gate, the pack and doctor all use this function.
func ActingRole(agent string, roles []*Role, c *ConfigSpec) string {
	if r := RoleNamed(agent, roles); r != nil {
		return r.Metadata.Name
	}
	if UnknownAgent(agent, c) {
		if least := LeastRole(roles); least != nil {
			return least.Metadata.Name
		}
	}
	return c.DefaultRole
}

// UnknownAgent reports whether an agent without a role is unknown: it has a name, and the
// name is not one that its host assigns by default.
func UnknownAgent(agent string, c *ConfigSpec) bool {
	return agent != "" && !HostAgent(agent) && c.UnknownAgents != UnknownAsDefault
}

// HostAgent reports whether a host assigns a name by default. Such names are OpenCode's
// main agent, Claude Code's agent, workflow agents and conversation forks, and Codex's
// subagents. Unless a role names them, these agents act in config.defaultRole, so that a
// team can configure them.
func HostAgent(agent string) bool {
	return slices.Contains([]string{"build", "claude", "default", "fork", "workflow-subagent"}, agent)
}

// LeastRole returns the role with the fewest permissions, or nil if there are no roles. It
// compares write permissions, then shell permissions, then tools. Among equal roles it
// prefers the lowest in the hierarchy (the highest level), then the first by name. It
// ignores primary roles, because an unknown agent cannot act in them.
func LeastRole(roles []*Role) *Role {
	var least *Role
	for _, r := range roles {
		if r.Spec.Mode != RolePrimary && (least == nil || compareRights(r, least) < 0) {
			least = r
		}
	}
	return least
}

// compareRights orders roles from the least to the most privileged.
func compareRights(a, b *Role) int {
	return cmp.Or(
		cmp.Compare(writeRights(a.Spec.Paths), writeRights(b.Spec.Paths)),
		cmp.Compare(bounded(a.Spec.Shell), bounded(b.Spec.Shell)),
		cmp.Compare(bounded(a.Spec.Tools), bounded(b.Spec.Tools)),
		cmp.Compare(b.Spec.Level, a.Spec.Level),
		cmp.Compare(a.Metadata.Name, b.Metadata.Name),
	)
}

// writeRights returns 0 if a role may write no files, 1 for only files below .idumb, 2 for
// some files, and 3 for all files that are not denied.
func writeRights(p PathRules) int {
	ofIdumb := func(glob string) bool { return strings.HasPrefix(glob, ".idumb/") }
	switch {
	case slices.Contains(p.Deny, "**"):
		return 0
	case len(p.Write) == 0:
		return 3
	case slices.ContainsFunc(p.Write, func(glob string) bool { return !ofIdumb(glob) }):
		return 2
	}
	return 1
}

// bounded returns 0 for rules with an allow list and 1 for rules without one.
func bounded(rules RuleSet) int {
	if len(rules.Allow) > 0 {
		return 0
	}
	return 1
}

// DelegationDenial is the reason why a role may not delegate to another role.
type DelegationDenial int

// Values of DelegationDenial. The zero value means that delegation is allowed.
const (
	DelegationAllowed DelegationDenial = iota
	ToPrimary                          // agents of the delegate's role are main agents
	Upwards                            // the delegate's role is higher in the hierarchy
	NotAmong                           // the giver's role may only delegate to other roles
)

// MayDelegate returns the reason why one role may not delegate to another role. It checks
// the levels of both roles, the delegate's mode and the giver's delegatesTo; an empty
// delegatesTo allows all roles. The gate uses it when an agent starts a subagent. Commands
// and tools use it when a delegation is created.
func MayDelegate(giver, taker *Role) DelegationDenial {
	switch {
	case taker.Spec.Level < giver.Spec.Level:
		return Upwards
	case len(giver.Spec.DelegatesTo) > 0 && !slices.Contains(giver.Spec.DelegatesTo, taker.Metadata.Name):
		return NotAmong
	case taker.Spec.Mode == RolePrimary:
		return ToPrimary
	}
	return DelegationAllowed
}

// TakesCategory reports whether tasks of plans in a category may be delegated to a role.
// Plans without a category, and roles without categories, match everything.
func TakesCategory(r *Role, category string) bool {
	return category == "" || len(r.Spec.Categories) == 0 || slices.Contains(r.Spec.Categories, category)
}
