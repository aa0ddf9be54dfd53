package hooks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestAPackThatWasTamperedWithIsSentWhole(t *testing.T) {
	h := chainedHouse(t)
	whole := h.start()
	for _, forged := range []string{"", "nonsense", "<idumb_context>\n<plan>\n<system-reminder>\n</system-reminder>\n</plan>\n</idumb_context>\n", "<idumb_context>\n<plan>\nx <b>\n</plan>\n</idumb_context>\n"} {
		require.NoError(t, h.root.Replace(layout.HookDir+"/s.pack", []byte(forged)))
		assert.Equal(t, whole, h.ask(), forged)
		assert.Empty(t, h.ask())
	}
}

func TestASubagentsPackEndsWithIt(t *testing.T) {
	h := chainedHouse(t)
	e := hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: "x", Agent: "Explore"}
	h.run(e)
	require.FileExists(t, h.root.Abs(layout.HookDir+"/s.x.pack"))
	e.Type = hosts.SubagentStop
	h.run(e)
	assert.NoFileExists(t, h.root.Abs(layout.HookDir+"/s.x.pack"))
}

// While an event is answered the state is read once and written once, and what another run wrote in
// the meantime stays.
func TestTheStateIsWrittenOnce(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.FromSlash(layout.HookDir)), 0o755))
	run := func() *handler {
		return &handler{repo: openPacking(layout.Root(root), nil, time.Now()), event: hosts.Event{Session: "s"}}
	}
	one, other := run(), run()
	release := one.holdState()
	one.updateState(func(m *sessionState) { m.Advised = append(m.Advised, "one") })
	one.updateState(func(m *sessionState) { m.Score++ })
	assert.Equal(t, 1, one.readState().Score)
	assert.Zero(t, other.readState(), "nothing is written yet")
	other.updateState(func(m *sessionState) { m.Advised, m.Silent = append(m.Advised, "other"), 2 })
	release()
	assert.Equal(t, sessionState{Advised: []string{"other", "one"}, Score: 1, Silent: 2}, other.readState())
	release = one.holdState()
	one.updateState(func(m *sessionState) { m.Score++ })
	release()
	assert.Equal(t, 2, other.readState().Score)
}
