package reconcilers

import (
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// hostLimits are the characters that a host passes on of what a hook says, as the hook
// itself has them.
var hostLimits = map[string]int{"claude": 10000, "codex": 10000, "opencode": 100_000}

// ReaderOf returns who a session's pack is for; nil is nobody in particular: the
// repository's own pack. Commands pack with it as well, to print the same bytes.
func ReaderOf(s packer.Source, session *resources.Session) packer.Reader {
	roles, otherwise := rolesOf(s), s.Settings().DefaultRole
	if session == nil {
		return packer.Reader{Role: roles.named(otherwise)}
	}
	return packer.Reader{Session: session, Role: roles.of(session, otherwise), Limit: packer.LimitFor(hostLimits[session.Spec.Host])}
}

// roles are all roles of the repository.
type roles []*resources.Role

func rolesOf(s packer.Source) roles {
	var all roles
	for _, key := range s.List(resources.Roles) {
		object, _ := s.Get(key)
		if role, ok := object.(*resources.Role); ok {
			all = append(all, role)
		}
	}
	return all
}

func (all roles) named(name string) *resources.Role {
	for _, role := range all {
		if role.Metadata.Name == name {
			return role
		}
	}
	return nil
}

// of returns the role that a session acts in, as the gate sees it: the one that its
// record names, the one that its agent's name belongs to, or the default.
func (all roles) of(session *resources.Session, otherwise string) *resources.Role {
	if session.Spec.Role != "" {
		return all.named(session.Spec.Role)
	}
	if role := all.named(strings.ToLower(session.Spec.Agent)); role != nil {
		return role
	}
	for _, role := range all {
		for _, pattern := range role.Spec.Agents {
			if session.Spec.Agent != "" && resources.MatchGlob(pattern, session.Spec.Agent) {
				return role
			}
		}
	}
	return all.named(otherwise)
}
