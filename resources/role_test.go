package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRoleNamed(t *testing.T) {
	roles := []*Role{
		made[RoleSpec, RoleStatus](Roles, "executor", RoleSpec{Agents: []string{"general*", "[broken"}}),
		made[RoleSpec, RoleStatus](Roles, "general", RoleSpec{}),
		made[RoleSpec, RoleStatus](Roles, "last", RoleSpec{Agents: []string{"*"}}),
	}
	for agent, want := range map[string]string{
		"executor": "executor", "Executor": "executor", "general-purpose": "executor", "general": "general", "other": "last", "": "",
	} {
		got := ""
		if r := RoleNamed(agent, roles); r != nil {
			got = r.Metadata.Name
		}
		assert.Equal(t, want, got, agent)
	}
	assert.Nil(t, RoleNamed("x", nil))
}
