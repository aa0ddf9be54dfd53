package controller

import (
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// watch turns the store's hints into keys of the informer's queue until ctx
// ends. It restarts a watch that ended early, after a listing of everything that the watch
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

// hint receives each key that may have changed from the store.
func (m *Manager) hint(key resources.Key) {
	if m.clock.jumped(time.Now()) {
		m.informer.queue.Add(clockKey, Low)
	}
	switch {
	case key != listKey:
		m.informer.queue.Add(key, High)
	case m.hasListed():
		m.informer.queue.AddAfter(listKey, relistDelay)
	default:
		m.informer.queue.Add(listKey, Low)
	}
}

// relistDelay is the delay before the controller lists everything again.
// Directories disappear while a user removes .idumb. Listing the rest and
// writing missing files would keep rm -r from finishing.
const relistDelay = 100 * time.Millisecond

// hasListed reports whether the first listing is in the cache.
func (m *Manager) hasListed() bool {
	select {
	case <-m.listed:
		return true
	default:
		return false
	}
}

// wallClock detects that the wall clock moved differently from the monotonic
// clock: the machine was suspended or the time was set. Delays that reconcilers
// requested are then wrong. It needs no timer, because it is checked with every
// hint. It is not safe for concurrent use.
type wallClock struct{ last time.Time }

// maxDrift is the largest clock correction that is ignored.
const maxDrift = 5 * time.Second

// jumped reports whether the wall clock drifted from the monotonic clock since
// the last call.
func (w *wallClock) jumped(now time.Time) bool {
	last := w.last
	w.last = now
	if last.IsZero() {
		return false
	}
	return drifted(now.Round(0).Sub(last.Round(0)), now.Sub(last)) // Round(0) strips the monotonic clock reading
}

// drifted reports whether the wall clock and the monotonic clock disagree.
func drifted(wall, timers time.Duration) bool { return (wall - timers).Abs() > maxDrift }
