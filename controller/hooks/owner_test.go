package hooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/resources/admission"
)

// ownHouse has one task for anybody, and one that nobody works on.
func ownHouse(t *testing.T) *house {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	return h
}

func (h *house) wants(session string) hosts.Answer {
	return h.run(hosts.Event{Type: hosts.BeforeTool, Session: session, Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}})
}

// Of two sessions to which a task falls, one has it before either has written.
func TestATaskFallsToOneSession(t *testing.T) {
	h := ownHouse(t)
	assert.Empty(t, h.wants("one").Deny)
	assert.Contains(t, h.wants("two").Deny, `"a": it is held by session "one"`)
	assert.Empty(t, h.wants("one").Deny)
}

// A session that is heard of keeps all that it holds, not only what it is on.
func TestAllThatASessionHoldsIsRenewed(t *testing.T) {
	h := ownHouse(t)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	book := leases.Open(h.root)
	for _, name := range []string{"a", "b"} {
		task, ok := openPacking(h.root, trusting(h.root), h.now).Task(name)
		require.True(t, ok)
		_, err := book.Claim(task, book.Session("one", nil), false, h.now)
		require.NoError(t, err)
	}
	h.now = h.now.Add(20 * time.Minute)
	h.run(hosts.Event{Type: hosts.Prompt, Session: "one"})
	all, _ := book.All()
	require.Len(t, all, 2)
	for _, l := range all {
		assert.Equal(t, h.now.Unix(), l.Spec.RenewTime.Unix(), l.Metadata.Name)
	}
}
