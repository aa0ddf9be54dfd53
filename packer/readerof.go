package packer

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ReaderOf returns who a session's pack is for, without the limit of its host; nil is
// nobody in particular. The role is the one that the gate judges the session's own
// calls by: the one that its delegation is addressed to, the one that its record names, the
// one that its agent's name belongs to, or the default of the repository.
func ReaderOf(s Source, session *resources.Session) Reader {
	all, otherwise := rolesOf(s), s.Settings().DefaultRole
	if session == nil {
		return Reader{Role: all.named(otherwise)}
	}
	name := ""
	object, _ := s.Get(resources.Key{Kind: resources.Delegations, Name: session.Spec.Delegation})
	if d, ok := object.(*resources.Delegation); ok {
		name = all.ofAgent(d.Spec.To)
	}
	for _, next := range []string{session.Spec.Role, all.ofAgent(session.Spec.Agent), otherwise} {
		if name == "" {
			name = next
		}
	}
	return Reader{Session: session, Role: all.named(name)}
}

// roles are all roles of the repository.
type roles []*resources.Role

func rolesOf(s Source) roles {
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
	if i := slices.IndexFunc(all, func(r *resources.Role) bool { return r.Metadata.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// ofAgent is the name of the role that an agent of that name acts in, "" if there is none.
func (all roles) ofAgent(agent string) string {
	if agent == "" {
		return ""
	}
	if role := all.named(strings.ToLower(agent)); role != nil {
		return role.Metadata.Name
	}
	for _, role := range all {
		for _, pattern := range role.Spec.Agents {
			if ok, _ := path.Match(pattern, agent); ok {
				return role.Metadata.Name
			}
		}
	}
	return ""
}
