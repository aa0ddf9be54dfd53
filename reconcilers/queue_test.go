package reconcilers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// A controller carries out what is appended while it runs, and what was there before.
func TestTheControllerDrainsTheQueue(t *testing.T) {
	s := repository(t)
	add := func(line string) {
		f, err := os.OpenFile(s.path(".idumb/queue.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		_, err = f.WriteString(line + "\n")
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	add(`{"id": "one", "verb": "start", "args": {"task": "first"}}`)
	s.start()
	assert.Eventually(t, func() bool { return strings.Contains(s.statuses()["tasks/first.json"], `"active"`) }, 10*time.Second, 5*time.Millisecond)
	add(`{"id": "two", "verb": "complete", "args": {"task": "first", "evidence": "seen"}}`)
	add(`{"id": "three", "verb": "complete", "args": {"task": "second"}}`)
	assert.Eventually(t, func() bool { return strings.Contains(s.statuses()["tasks/second.json"], `"ready":true`) }, 10*time.Second, 5*time.Millisecond)
	assert.Eventually(t, func() bool {
		found, _ := filepath.Glob(s.path(".idumb/quarantine/queue/three-*.json"))
		return len(found) == 1
	}, 10*time.Second, 5*time.Millisecond)
	s.end()
	assert.True(t, slices.ContainsFunc(s.events, func(e resources.Event) bool {
		return e.Object == "config/config" && e.Reason == "QueueSetAside" && strings.Contains(e.Message, "queued command complete three was set aside")
	}))
}
