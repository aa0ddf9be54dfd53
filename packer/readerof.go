package packer

import (
	"cmp"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// ReaderOf returns who a session's pack is for, without the limit of its host; nil is
// nobody in particular. The role is the one that the gate judges the session's own
// calls by: the one that its delegation is addressed to, the one that its record names, the
// one that its agent's name belongs to, or those that are left (resources.ActingRole).
func ReaderOf(s Source, session *resources.Session) Reader {
	all := rolesOf(s)
	if session == nil {
		return Reader{Role: all.named(s.Settings().DefaultRole)}
	}
	name := ""
	object, _ := s.Get(resources.Key{Kind: resources.Delegations, Name: session.Spec.Delegation})
	if d, ok := object.(*resources.Delegation); ok {
		name = all.ofAgent(d.Spec.To)
	}
	name = cmp.Or(name, session.Spec.Role)
	if name == "" {
		name = resources.ActingRole(session.Spec.Agent, all, s.Settings())
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
	if role := resources.RoleNamed(agent, all); role != nil {
		return role.Metadata.Name
	}
	return ""
}
