package daemon

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A controller carries out what is appended while it runs, and what was there before.
func TestTheControllerDrainsTheQueue(t *testing.T) {
	root := repository(t)
	add := func(line string) {
		f, err := os.OpenFile(filepath.Join(root, ".idumb/queue.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		_, err = f.WriteString(line + "\n")
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	add(`{"id": "one", "verb": "start", "args": {"task": "first"}}`)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	var log output
	go func() { ended <- Run(ctx, Options{Root: root, Version: "test", Out: &log, Err: &log}) }()
	assert.Eventually(t, func() bool { return strings.Contains(status(root, "first"), `"active"`) }, 10*time.Second, 5*time.Millisecond)
	add(`{"id": "two", "verb": "complete", "args": {"task": "first", "evidence": "seen"}}`)
	add(`{"id": "three", "verb": "complete", "args": {"task": "second"}}`)
	assert.Eventually(t, func() bool { return strings.Contains(status(root, "second"), `"ready": true`) }, 10*time.Second, 5*time.Millisecond)
	assert.Eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(root, ".idumb/quarantine/queue/three-*.json"))
		return len(found) == 1
	}, 10*time.Second, 5*time.Millisecond)
	end()
	require.NoError(t, <-ended)
	assert.Contains(t, log.String(), "queued command complete three was set aside")
}
