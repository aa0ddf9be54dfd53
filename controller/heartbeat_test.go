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
		m.began = began
		var ctx context.Context
		ctx, m.stop = context.WithCancelCause(t.Context())
		return m, ctx
	}
	var firstLog, secondLog bytes.Buffer
	now := time.Now()
	first, firstCtx := lead(&firstLog, now.Add(-time.Hour))
	second, secondCtx := lead(&secondLog, now)
	first.heart.beat()
	first.heart.beat()
	require.Empty(t, firstLog.String(), "it knows its own")
	second.heart.beat()
	require.NoError(t, secondCtx.Err(), "it may be one that was killed")
	first.heart.beat()
	second.heart.beat()
	require.NoError(t, firstCtx.Err())
	assert.Contains(t, firstLog.String(), "leads this repository at the same time")
	require.ErrorContains(t, reason(secondCtx), "this one came later, and ends")
	first.heart.beat()
	assert.Equal(t, 1, bytes.Count(firstLog.Bytes(), []byte("at the same time")), "it is said once")

	second.heart.end()
	firstLog.Reset()
	first.rivalTold.Do(func() {})
	first.heart.beat()
	assert.Empty(t, firstLog.String(), "that one has ended")
}

// TestWhoLostTheLeaseLeavesTheHeartbeatAlone: it is another controller's by then.
func TestWhoLostTheLeaseLeavesTheHeartbeatAlone(t *testing.T) {
	s := newStage(t)
	held := true
	m := New(s, nil, Options{Held: func() bool { return held }})
	m.heart.beat()
	before := s.heartbeat()
	held = false
	m.heart.end()
	assert.Equal(t, before, s.heartbeat())
}
