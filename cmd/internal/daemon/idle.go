package daemon

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// vigil waits for the end of all sessions: it is over when none was heard of for a
// while. It costs nothing while it waits. Several goroutines may use it.
type vigil struct {
	after time.Duration

	mu    sync.Mutex
	until time.Time // when it is over, if nothing is heard until then
	moved chan struct{}
}

// newVigil begins one: it lasts at least that long.
func newVigil(after time.Duration) *vigil {
	return &vigil{after: after, until: time.Now().Add(after), moved: make(chan struct{}, 1)}
}

// heard tells that a session was heard of. A time that is yet to come counts as now:
// clocks and files are not always right.
func (v *vigil) heard(at time.Time) {
	if now := time.Now(); at.After(now) {
		at = now
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if until := at.Add(v.after); until.After(v.until) {
		v.until = until
		select {
		case v.moved <- struct{}{}:
		default:
		}
	}
}

// change tells of the cache's changes; only those of sessions matter. A record that
// was removed tells nothing.
func (v *vigil) change(c controller.Change) {
	if s, ok := c.New.(*resources.Session); ok && c.Key.Kind == resources.Sessions {
		v.heard(s.Spec.LastSeenAt.Time)
	}
}

// left is how long nothing must be heard for it to be over.
func (v *vigil) left() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return time.Until(v.until)
}

// wait returns true when it is over, false when ctx ends before.
func (v *vigil) wait(ctx context.Context) bool {
	timer := time.NewTimer(v.left())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-v.moved:
			timer.Reset(v.left())
		case <-timer.C:
			left := v.left()
			if left <= 0 {
				return true
			}
			timer.Reset(left)
		}
	}
}
