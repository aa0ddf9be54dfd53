package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRoleNamed(t *testing.T) {
	roles := []*Role{
		role("executor", "general*", "[broken"),
		role("general"),
		role("last", "*"),
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

// role is one for those agents.
func role(name string, agents ...string) *Role {
	r := &Role{Spec: RoleSpec{Agents: agents}}
	r.Metadata.Name = name
	return r
}
