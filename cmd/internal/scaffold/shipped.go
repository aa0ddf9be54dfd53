package scaffold

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ShippedRoles returns the roles of a set as they ship, in the order in which init writes
// them: whoever makes something of them for a host must not read what a repository says.
func ShippedRoles(set string) ([]*resources.Role, error) {
	entries, err := roles(set)
	if err != nil {
		return nil, err
	}
	var list []*resources.Role
	for _, e := range entries {
		name := strings.TrimSuffix(path.Base(e.Path), ".json")
		o, _, err := resources.Read(resources.Key{Kind: resources.Roles, Name: name}, e.Data)
		if err != nil {
			return nil, err
		}
		list = append(list, o.(*resources.Role))
	}
	return list, nil
}
