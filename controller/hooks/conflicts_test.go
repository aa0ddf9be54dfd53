package hooks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

// mark is a conflict that an exchange wrote down.
func (h *house) mark(name string) {
	folder := filepath.Join(h.root.SyncFolder(), "conflicts")
	require.NoError(h.t, os.MkdirAll(folder, 0o700))
	require.NoError(h.t, os.WriteFile(filepath.Join(folder, name), []byte("{}"), 0o600))
}

// Each conflict is told once, with the next prompt; what is not taken from the team is none of the agent's.
func TestConflictsAreTold(t *testing.T) {
	const told = "conflict with changes of the team"
	h := newHouse(t)
	assert.NotContains(t, h.ask(), told, "there is no git")
	h.git("init", "-q")
	assert.NotContains(t, h.ask(), told)
	h.mark("tasks--login.in.json")
	assert.NotContains(t, h.ask(), told)
	h.mark("tasks--log.in--now.0123456789ab.json")
	assert.Contains(t, h.ask(), told+": task/log.in--now. The team's version is in effect; the local version is kept. Run `idumb sync conflicts` and tell the user")
	assert.NotContains(t, h.ask(), told, "once")
	for _, name := range []string{"a", "b", "c", "d"} {
		h.mark("mems--" + name + ".0123456789ab.json")
	}
	h.mark("mems--d.ba9876543210.json")
	h.mark("roles--$(x).0123456789ab.json")
	h.mark("tasks--.json")
	h.mark("x.json")
	assert.Contains(t, h.ask(), told+": mem/a, mem/b, mem/c and 1 more.")
	merged, refused := Conflicts(h.root)
	assert.Equal(t, []resources.Key{{Kind: resources.Mems, Name: "a"}, {Kind: resources.Mems, Name: "b"}, {Kind: resources.Mems, Name: "c"}, {Kind: resources.Mems, Name: "d"}, {Kind: resources.Tasks, Name: "log.in--now"}}, merged)
	assert.Equal(t, []resources.Key{{Kind: resources.Tasks, Name: "login"}}, refused)
	other := h.run(hosts.Event{Type: hosts.Prompt, Session: "other"}).Context
	assert.Contains(t, other, "and 2 more", "a session of its own knows of none")
}
