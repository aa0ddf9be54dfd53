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

// TestHostsOwnNames: an agent whose name its host gave, and nobody chose, acts in the default role; one
// whose profile somebody chose does not.
func TestHostsOwnNames(t *testing.T) {
	roles := []*Role{role("solo"), role("investigator", "Explore")}
	roles[1].Spec.Paths.Deny = []string{"**"}
	for agent, want := range map[string]string{
		"": "solo", "claude": "solo", "workflow-subagent": "solo", "fork": "solo", "build": "solo", "default": "solo",
		"Explore": "investigator", "my-reviewer": "investigator",
	} {
		assert.Equal(t, want, ActingRole(agent, roles, &ConfigSpec{DefaultRole: "solo"}), agent)
	}
}
