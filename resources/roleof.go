package resources

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// RolePrimary is spec.mode of a role that only an agent a person talks to acts in.
const RolePrimary = "primary"

// UnknownAsDefault is config.unknownAgents where agents that no role names act in
// defaultRole, and not in the least role.
const UnknownAsDefault = "default"

// RoleNamed returns the role that an agent of that name acts in: the one of the same
// name, whatever its case, else the first that names it exactly, else the first with a
// glob that matches; nil if there is none.
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

// globFor returns what tells whether a glob matches a name; a broken one matches none.
func globFor(name string) func(glob string) bool {
	return func(glob string) bool {
		ok, _ := path.Match(glob, name)
		return ok
	}
}

// ActingRole returns the name of the role that an agent acts in: the one that names it;
// config.defaultRole for one that nobody gave a name; and for a named one that no role
// names the least role, unless config.unknownAgents says default. It is the one place
// where this is decided: the gate, the pack and doctor ask it.
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

// UnknownAgent reports whether an agent that no role names is one of which nobody said what
// it may do: it has a name, and not one that its host gives to every agent.
func UnknownAgent(agent string, c *ConfigSpec) bool {
	return agent != "" && !HostAgent(agent) && c.UnknownAgents != UnknownAsDefault
}

// HostAgent reports whether a name is the one that a host gives to an agent for which
// nobody chose any: OpenCode's main agent, Claude Code's and the agents of its workflows, its forks of
// a conversation, and Codex's subagents. They act in config.defaultRole unless a role names them, so
// that a team that sets it reaches them.
func HostAgent(agent string) bool {
	return slices.Contains([]string{"build", "claude", "default", "fork", "workflow-subagent"}, agent)
}

// LeastRole returns the role with the fewest rights, nil if there is none: it may write
// the least, then run the least, then use the fewest tools; of those that are equal the
// one that stands lowest, then the first by name. A primary role is none that an unknown
// agent could act in.
func LeastRole(roles []*Role) *Role {
	var least *Role
	for _, r := range roles {
		if r.Spec.Mode != RolePrimary && (least == nil || compareRights(r, least) < 0) {
			least = r
		}
	}
	return least
}

func compareRights(a, b *Role) int {
	return cmp.Or(
		cmp.Compare(writeRights(a.Spec.Paths), writeRights(b.Spec.Paths)),
		cmp.Compare(bounded(a.Spec.Shell), bounded(b.Spec.Shell)),
		cmp.Compare(bounded(a.Spec.Tools), bounded(b.Spec.Tools)),
		cmp.Compare(b.Spec.Level, a.Spec.Level),
		cmp.Compare(a.Metadata.Name, b.Metadata.Name),
	)
}

// writeRights is 0 for who writes nothing, 1 for who writes plans and knowledge only,
// 2 for who writes some files and 3 for who writes all that are not denied.
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

// bounded is 0 for rules with a list of what is allowed, 1 for those without.
func bounded(rules RuleSet) int {
	if len(rules.Allow) > 0 {
		return 0
	}
	return 1
}

// Hindrance is why a role does not hand work to another one.
type Hindrance int

// Hindrances. The zero Hindrance is none.
const (
	NoHindrance Hindrance = iota
	ToPrimary             // an agent of that role talks to the person
	Upwards               // that role stands above the giver's
	NotAmong              // the giver's role delegates to others only
)

// MayDelegate says what keeps a role from handing work to another one: the levels of
// the two, the taker's mode, and the giver's delegatesTo, of which none means all. The
// gate asks it of who starts a subagent, commands and tools of who makes a delegation.
func MayDelegate(giver, taker *Role) Hindrance {
	switch {
	case taker.Spec.Level < giver.Spec.Level:
		return Upwards
	case len(giver.Spec.DelegatesTo) > 0 && !slices.Contains(giver.Spec.DelegatesTo, taker.Metadata.Name):
		return NotAmong
	case taker.Spec.Mode == RolePrimary:
		return ToPrimary
	}
	return NoHindrance
}

// TakesCategory reports whether tasks of plans of a category may be delegated to a role.
// A plan without a category, and a role that names none, are open to all.
func TakesCategory(r *Role, category string) bool {
	return category == "" || len(r.Spec.Categories) == 0 || slices.Contains(r.Spec.Categories, category)
}
