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
	var all []*resources.Role
	for _, key := range s.List(resources.Roles) {
		object, _ := s.Get(key)
		if role, ok := object.(*resources.Role); ok {
			all = append(all, role)
		}
	}
	reader, name := Reader{Session: session}, s.Settings().DefaultRole
	if session != nil {
		name = cmp.Or(delegateRole(s, session, all), session.Spec.Role)
		if name == "" {
			name = resources.ActingRole(session.Spec.Agent, all, s.Settings())
		}
	}
	if i := slices.IndexFunc(all, func(r *resources.Role) bool { return r.Metadata.Name == name }); i >= 0 {
		reader.Role = all[i]
	}
	return reader
}

// delegateRole is the name of the role that the session's delegation is addressed to; "" for none.
func delegateRole(s Source, session *resources.Session, all []*resources.Role) string {
	object, _ := s.Get(resources.Key{Kind: resources.Delegations, Name: session.Spec.Delegation})
	if d, ok := object.(*resources.Delegation); ok {
		if role := resources.RoleNamed(d.Spec.To, all); role != nil {
			return role.Metadata.Name
		}
	}
	return ""
}
