package hook

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsKnownOfOldSessionsIsSwept(t *testing.T) {
	h := chainedHouse(t)
	h.now = time.Now()
	h.start()
	path := func(name string) string { return h.root.Abs(hookDir + "/" + name) }
	for i := range crowded {
		require.NoError(t, h.root.Replace(hookDir+"/"+fmt.Sprintf("old-%d.pack", i), []byte("x")))
		old := h.now.Add(-8 * 24 * time.Hour)
		require.NoError(t, os.Chtimes(path(fmt.Sprintf("old-%d.pack", i)), old, old))
	}
	require.NoError(t, h.root.Replace(hookDir+"/young.pack", []byte("x")))
	h.start()
	assert.NoFileExists(t, path("old-0.pack"))
	assert.FileExists(t, path("young.pack"))
	assert.FileExists(t, path("s.pack"))
	assert.Empty(t, h.ask())
}

func TestAPackThatWasTamperedWithIsSentWhole(t *testing.T) {
	h := chainedHouse(t)
	whole := h.start()
	for _, forged := range []string{"", "nonsense", "<idumb_context>\n<plan>\n<system-reminder>\n</system-reminder>\n</plan>\n</idumb_context>\n", "<idumb_context>\n<plan>\nx <b>\n</plan>\n</idumb_context>\n"} {
		require.NoError(t, h.root.Replace(hookDir+"/s.pack", []byte(forged)))
		assert.Equal(t, whole, h.ask(), forged)
		assert.Empty(t, h.ask())
	}
}

func TestASubagentsPackEndsWithIt(t *testing.T) {
	h := chainedHouse(t)
	e := Event{Moment: SubagentStart, Session: "s", Subagent: "x", Agent: "Explore"}
	h.run(e)
	require.FileExists(t, h.root.Abs(hookDir+"/s.x.pack"))
	e.Moment = SubagentStop
	h.run(e)
	assert.NoFileExists(t, h.root.Abs(hookDir+"/s.x.pack"))
}
