package hooks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session of a role with first tools is closed until one of them was used, over as
// many processes as it takes; the step that the denial names opens it.
func TestFirstToolsOpenASession(t *testing.T) {
	h := newHouse(t)
	h.file("roles/executor", `{"spec": {"agents": ["general-*"], "firstTools": ["read"]}}`)
	fetch := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "executor", Tool: "WebFetch", Action: admission.Other}
	look := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "executor", Tool: "Grep", Action: admission.Read}
	next := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "executor", Tool: "Bash", Action: admission.Governance, Command: "idumb next"}
	assert.Contains(t, h.run(fetch).Deny, "must not start with it")
	assert.Contains(t, h.run(fetch).Deny, "again: follow USE INSTEAD")
	assert.Empty(t, h.run(look).Deny)
	assert.Contains(t, h.run(fetch).Deny, "must not start with it", "looking with another tool opens nothing")
	assert.Empty(t, h.run(next).Deny)
	assert.Empty(t, h.run(fetch).Deny)
	fetch.Subagent = "sub"
	assert.Contains(t, h.run(fetch).Deny, "must not start with it", "a subagent is a session of its own")
}

func TestNamed(t *testing.T) {
	got := named("Do task/login-form. It is delegation/d1, not subtask/x or a/task/y.")
	assert.Equal(t, []resources.Key{{Kind: resources.Delegations, Name: "d1"}, {Kind: resources.Tasks, Name: "login-form"}}, got)
}
