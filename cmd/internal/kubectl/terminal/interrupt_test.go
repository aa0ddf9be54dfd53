package terminal

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// at returns what all goroutines are doing.
func at() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// A program that is done exits at once: nothing may still be at work on its signals then.
func TestNothingIsLeftAtWorkOnSignals(t *testing.T) {
	for range 2000 {
		_, stop := SignalContext(t.Context(), hangup)
		stop()
		stop()
		require.NotContains(t, at(), "signal.(*signalCtx).stop", "it goes on after it was stopped")
	}
}

func TestTheEndOfTheParentEndsIt(t *testing.T) {
	parent, cancel := context.WithCancel(t.Context())
	ctx, stop := SignalContext(parent, hangup)
	cancel()
	<-ctx.Done()
	stop()
	assert.Equal(t, 0, strings.Count(at(), "signal.(*signalCtx).stop"))
}
