package hooks

import (
	"testing"

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
