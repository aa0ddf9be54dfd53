package hooks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session that a person started, with no delegation, reads nothing for the sake of
// delegations: neither one of them, nor their folder, nor other sessions' records. What
// is denied may look: it shows where the work stands.
func TestWhoWasHandedNothingReadsNothingForIt(t *testing.T) {
	house := newHouse(t)
	house.hand("d1", "a", "executor", "")
	house.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	house.file("sessions/s", `{"spec": {"activeTask": "a"}}`)
	house.file("sessions/other", `{"spec": {"delegation": "d1"}}`)
	for _, action := range []admission.Action{admission.Write, admission.Shell, admission.Read, admission.Governance, admission.Delegate, admission.Other} {
		e := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Cwd: string(house.root), Tool: "Tool", Action: action, Command: "ls"}
		if action == admission.Write {
			e.Paths = []string{"src/a"}
		}
		h := &handler{repo: openPacking(house.root, nil, house.now), event: e, limit: 10000}
		require.Empty(t, h.handle().Deny, action)
		require.NotEmpty(t, h.repo.specs.objects)
		for key := range h.repo.specs.objects {
			assert.NotEqual(t, resources.Delegations, key.Kind, action)
			assert.NotEqual(t, resources.Key{Kind: resources.Sessions, Name: "other"}, key, action)
		}
		assert.NotContains(t, h.repo.specs.lists, resources.Delegations, action)
		assert.NotContains(t, h.repo.specs.lists, resources.Sessions, action)
	}
}
