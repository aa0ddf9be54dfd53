package controller

import (
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// watch turns the store's hints into keys of the informer's queue until ctx ends.
// A watch that ends on its own account is begun again, after a listing for what it
// may have missed.
func (m *Manager) watch(ctx context.Context) {
	for failures := 1; ; failures++ {
		err := m.store.Watch(ctx, m.hint)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = errors.New("it ended without a reason")
		}
		m.options.Log.Error("the watch of the store is begun again", "controller", "informer", "err", err)
		m.informer.queue.Add(listKey, Low)
		select {
		case <-time.After(Backoff(failures)):
		case <-ctx.Done():
			return
		}
	}
}

// hint is what the store calls with each key that may have changed.
func (m *Manager) hint(key resources.Key) {
	if m.clock.jumped(time.Now()) {
		m.informer.queue.Add(clockKey, Low)
	}
	switch {
	case key != listKey:
		m.informer.queue.Add(key, High)
	case m.hasListed():
		m.informer.queue.AddAfter(listKey, relistAfter)
	default:
		m.informer.queue.Add(listKey, Low)
	}
}

// relistAfter is how long the controller waits before it lists everything again.
// Folders vanish when somebody removes .idumb: to list what is left of it, and to
// write what seems to be missing, would keep rm -r from ending.
const relistAfter = 100 * time.Millisecond

// hasListed reports whether the first listing is in the cache.
func (m *Manager) hasListed() bool {
	select {
	case <-m.listed:
		return true
	default:
		return false
	}
}

// wallClock notices that the time of day moved differently from the clock that
// timers run on: the machine slept, or someone set the time. Moments that
// reconcilers asked for are then wrong. Nobody is woken up to find out: it is asked
// whenever something happens. Not for use by several goroutines.
type wallClock struct{ last time.Time }

// maxDrift is what a clock may be put right by without anybody noticing.
const maxDrift = 5 * time.Second

func (w *wallClock) jumped(now time.Time) bool {
	last := w.last
	w.last = now
	if last.IsZero() {
		return false
	}
	return drifted(now.Round(0).Sub(last.Round(0)), now.Sub(last)) // Round(0) leaves the time of day
}

// drifted reports whether the time of day and the timers' clock disagree.
func drifted(wall, timers time.Duration) bool { return (wall - timers).Abs() > maxDrift }
