package controller

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOfTwoControllersTheLaterOneEnds: where the lock keeps nobody out, as on a network mount
// that does not share it.
func TestOfTwoControllersTheLaterOneEnds(t *testing.T) {
	s := newStage(t)
	lead := func(log *bytes.Buffer, began time.Time) (*Manager, context.Context) {
		m := New(s, nil, Options{Log: slog.New(slog.NewTextHandler(log, nil))})
		m.startedAt = began
		var ctx context.Context
		ctx, m.stop = context.WithCancelCause(t.Context())
		return m, ctx
	}
	var firstLog, secondLog bytes.Buffer
	now := time.Now()
	first, firstCtx := lead(&firstLog, now.Add(-time.Hour))
	second, secondCtx := lead(&secondLog, now)
	first.heartbeats.writeNow()
	first.heartbeats.writeNow()
	require.Empty(t, firstLog.String(), "it knows its own")
	second.heartbeats.writeNow()
	require.NoError(t, secondCtx.Err(), "it may be one that was killed")
	first.heartbeats.writeNow()
	second.heartbeats.writeNow()
	require.NoError(t, firstCtx.Err())
	assert.Contains(t, firstLog.String(), "leads this repository at the same time")
	require.ErrorContains(t, reason(secondCtx), "this one came later, and ends")
	first.heartbeats.writeNow()
	assert.Equal(t, 1, bytes.Count(firstLog.Bytes(), []byte("at the same time")), "it is said once")

	second.heartbeats.writeLast()
	firstLog.Reset()
	first.rivalWarning.Do(func() {})
	first.heartbeats.writeNow()
	assert.Empty(t, firstLog.String(), "that one has ended")
}

// TestWhoLostTheLeaseLeavesTheHeartbeatAlone: it is another controller's by then.
func TestWhoLostTheLeaseLeavesTheHeartbeatAlone(t *testing.T) {
	s := newStage(t)
	held := true
	m := New(s, nil, Options{HoldsLease: func() bool { return held }})
	m.heartbeats.writeNow()
	before := s.heartbeat()
	held = false
	m.heartbeats.writeLast()
	assert.Equal(t, before, s.heartbeat())
}
