package controllerprocess

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// seenAt is the change that a hook makes when it renews a session's record.
func seenAt(at time.Time) controller.Change {
	s := &resources.Session{Spec: resources.SessionSpec{LastSeenAt: resources.NewTime(at)}}
	return controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "s"}, New: s}
}

func TestTheIdleTimerEndsExactly(t *testing.T) {
	for _, test := range []struct {
		name string
		seen []time.Duration // after the start
		want time.Duration
	}{
		{"nobody came", nil, 30 * time.Minute},
		{"a session that was there before", []time.Duration{-time.Hour}, 30 * time.Minute},
		{"one call", []time.Duration{10 * time.Minute}, 40 * time.Minute},
		{"many calls", []time.Duration{time.Minute, 29 * time.Minute, 58 * time.Minute, 58 * time.Minute}, 88 * time.Minute},
		{"out of order", []time.Duration{20 * time.Minute, 20*time.Minute + time.Second}, 50*time.Minute + time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				v := newIdleTimer(30*time.Minute, false)
				go func() {
					for _, after := range test.seen {
						time.Sleep(time.Until(began.Add(after)))
						v.change(seenAt(began.Add(after)))
					}
				}()
				assert.True(t, v.wait(t.Context()))
				assert.Equal(t, test.want, time.Since(began))
			})
		})
	}
}

func TestTheIdleTimerIsNotFooled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		v := newIdleTimer(30*time.Minute, false)
		time.Sleep(time.Minute)
		v.change(seenAt(began.Add(1000 * time.Hour))) // by a wrong clock
		v.change(controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "s"}})
		v.change(controller.Change{Key: resources.Key{Kind: resources.Tasks, Name: "t"}, New: &resources.Task{}})
		assert.True(t, v.wait(t.Context()))
		assert.Equal(t, 31*time.Minute, time.Since(began))
	})
}

func TestTheIdleTimerIsBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		assert.False(t, newIdleTimer(30*time.Minute, false).wait(ctx))
	})
}

// endedAt is the change that a hook makes when its session ends.
func endedAt(name string, at time.Time) controller.Change {
	c := seenAt(at)
	c.Key.Name = name
	c.New.(*resources.Session).Spec.EndedAt = resources.NewTime(at)
	return c
}

func TestTheIdleTimerEndsWithTheLastSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		v := newIdleTimer(30*time.Minute, true)
		v.change(endedAt("before", began.Add(-time.Hour)))
		go func() {
			v.change(seenAt(time.Now()))
			other := seenAt(time.Now())
			other.Key.Name = "other"
			v.change(other)
			time.Sleep(5 * time.Minute)
			v.change(endedAt("s", time.Now()))
			time.Sleep(10 * time.Minute)
			v.change(endedAt("other", time.Now()))
		}()
		assert.True(t, v.wait(t.Context()))
		assert.Equal(t, 15*time.Minute+afterLast, time.Since(began))
	})
}

func TestTheIdleTimerDoesNotWaitForASessionThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		assert.True(t, newIdleTimer(30*time.Minute, true).wait(t.Context()))
		assert.Equal(t, afterPage+afterLast, time.Since(began))
	})
}

// One that falls silent without a word is not waited for any longer than elsewhere.
func TestTheIdleTimerEndsThoughASessionDoesNotSayThatItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		v := newIdleTimer(30*time.Minute, true)
		v.change(seenAt(began))
		assert.True(t, v.wait(t.Context()))
		assert.Equal(t, 30*time.Minute, time.Since(began))
	})
}

func TestTheIdleTimerLastsWhileSomebodyLooksOn(t *testing.T) {
	for name, withLast := range map[string]bool{"for long": false, "for one job": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				v := newIdleTimer(30*time.Minute, withLast)
				var open atomic.Bool
				open.Store(true)
				v.hasWatcher = open.Load
				go func() {
					time.Sleep(5 * time.Hour)
					open.Store(false)
					v.queryEnded()
				}()
				assert.True(t, v.wait(t.Context()))
				want := 5 * time.Hour
				if !withLast {
					want += afterPage
				}
				assert.Equal(t, want, time.Since(began))
			})
		})
	}
}

// A real controller: it ends, and says so in its log and in an event.
func TestAControllerEndsWithItsSessions(t *testing.T) {
	t.Setenv("CI", "")
	root := repository(t)
	const idle = 400 * time.Millisecond
	var out output
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- Run(t.Context(), Options{Root: root, UntilIdle: idle, Output: &out}) }()
	eventually(t, "the first listing", func() bool { return strings.Contains(out.String(), "settled") })
	time.Sleep(idle / 2)
	seen := time.Now()
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"lastSeenAt": seen.UTC().Format(time.RFC3339Nano)}})
	require.NoError(t, err)
	write(t, root, ".idumb/sessions/s.json", string(data))
	require.NoError(t, <-ended)
	assert.GreaterOrEqual(t, time.Since(began), idle)
	assert.Contains(t, out.String(), "no session for 400ms")
	events, err := filepath.Glob(filepath.Join(root, ".idumb/events/*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, events)
	text, err := os.ReadFile(events[len(events)-1])
	require.NoError(t, err)
	assert.Contains(t, string(text), `"IdleEnd"`)
}
