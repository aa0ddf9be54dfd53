package controllerprocess

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// Delays before an idle controller ends.
const (
	afterLast = 2 * time.Second // after the last session, for its late messages
	afterPage = time.Minute     // after a query or a watcher: pages are reloaded
)

// idleTimer expires when no session was active for a while and no watcher is connected. It uses no
// time while it waits. It is safe for concurrent use.
type idleTimer struct {
	timeout    time.Duration
	withLast   bool        // expire when the last session reports its end
	hasWatcher func() bool // reports whether a watcher is connected; nil means never
	began      time.Time

	mu    sync.Mutex
	until time.Time       // expiry without further activity
	live  map[string]bool // sessions that did not report their end, with withLast
	last  time.Time       // end of the last of them; zero while one lives, or without withLast
	moved chan struct{}
}

// newIdleTimer starts a timer. It does not expire before after, unless the last session ends.
func newIdleTimer(after time.Duration, withLast bool) *idleTimer {
	now := time.Now()
	v := &idleTimer{timeout: after, withLast: withLast, began: now, until: now.Add(after), live: map[string]bool{}, moved: make(chan struct{}, 1)}
	if withLast {
		v.last = now.Add(min(afterPage, after)) // the session that started the controller may have ended already
	}
	return v
}

// recordActivity records activity of a session. A time in the future counts as now, because clocks and files
// may be wrong.
func (v *idleTimer) recordActivity(at time.Time) {
	if now := time.Now(); at.After(now) {
		at = now
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if until := at.Add(v.timeout); until.After(v.until) {
		v.until = until
		v.wake()
	}
}

// wake makes wait check again. v.mu is held.
func (v *idleTimer) wake() {
	select {
	case v.moved <- struct{}{}:
	default:
	}
}

// queryEnded records the end of a query or a watcher.
func (v *idleTimer) queryEnded() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if until := time.Now().Add(min(afterPage, v.timeout)); !v.withLast && until.After(v.until) {
		v.until = until
	}
	v.wake()
}

// change records changes of sessions from the cache. A removed record is ignored.
func (v *idleTimer) change(c controller.Change) {
	if s, ok := c.New.(*resources.Session); ok && c.Key.Kind == resources.Sessions {
		v.recordActivity(s.Spec.LastSeenAt.Time)
		v.noteSession(c.Key.Name, s)
	}
}

// noteSession records whether a session lives. Subagents' sessions end with their parent.
func (v *idleTimer) noteSession(name string, s *resources.Session) {
	if !v.withLast || s.Spec.Parent != "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	switch ended := !s.Spec.EndedAt.IsZero(); {
	case !ended && now.Sub(s.Spec.LastSeenAt.Time) < v.timeout:
		v.live[name], v.last = true, time.Time{}
	case ended && (v.live[name] || !s.Spec.EndedAt.Before(v.began.Truncate(time.Second))):
		if delete(v.live, name); len(v.live) == 0 {
			v.last = now
		}
	}
	v.wake()
}

// remaining returns the time until expiry without further activity.
func (v *idleTimer) remaining() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.last.IsZero() {
		return time.Until(v.last.Add(afterLast))
	}
	return time.Until(v.until)
}

// allEnded reports whether the timer expired because all sessions ended.
func (v *idleTimer) allEnded() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.last.IsZero()
}

// wait returns true when the timer expires, and false when ctx is cancelled first.
func (v *idleTimer) wait(ctx context.Context) bool {
	timer := time.NewTimer(v.remaining())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-v.moved:
			timer.Reset(v.remaining())
		case <-timer.C:
			switch left := v.remaining(); {
			case left > 0:
				timer.Reset(left)
			case v.hasWatcher == nil || !v.hasWatcher():
				return true
			} // otherwise queryEnded resets the timer
		}
	}
}
