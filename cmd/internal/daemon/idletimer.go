package daemon

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// How long a controller stays that is about to end.
const (
	afterLast = 2 * time.Second // where it ends with the last session, for what that one brought
	afterPage = time.Minute     // after somebody asked, or looked on: pages are loaded again
)

// idleTimer waits for the end of all sessions: it is over when none was heard of for a
// while, and nobody looks on. It costs nothing while it waits. Several goroutines may use it.
type idleTimer struct {
	after    time.Duration
	withLast bool        // it is over with the last session, where that says that it ends
	watched  func() bool // whether somebody looks on; nil: nobody can
	began    time.Time

	mu    sync.Mutex
	until time.Time       // when it is over, if nothing is heard until then
	live  map[string]bool // the sessions that did not say that they end, where withLast
	last  time.Time       // when the last of them ended; zero: one lives, or all count
	moved chan struct{}
}

// newIdleTimer begins one: it lasts at least that long, unless it ends with the last session.
func newIdleTimer(after time.Duration, withLast bool) *idleTimer {
	now := time.Now()
	v := &idleTimer{after: after, withLast: withLast, began: now, until: now.Add(after), live: map[string]bool{}, moved: make(chan struct{}, 1)}
	if withLast {
		v.last = now.Add(min(afterPage, after)) // the one that it was started for may have ended by now
	}
	return v
}

// heard tells that a session was heard of. A time that is yet to come counts as now:
// clocks and files are not always right.
func (v *idleTimer) heard(at time.Time) {
	if now := time.Now(); at.After(now) {
		at = now
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if until := at.Add(v.after); until.After(v.until) {
		v.until = until
		v.move()
	}
}

// move has wait look again. It is called with the lock held.
func (v *idleTimer) move() {
	select {
	case v.moved <- struct{}{}:
	default:
	}
}

// answered tells that somebody asked, or looked on until now.
func (v *idleTimer) answered() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if until := time.Now().Add(min(afterPage, v.after)); !v.withLast && until.After(v.until) {
		v.until = until
	}
	v.move()
}

// change tells of the cache's changes; only those of sessions matter. A record that
// was removed tells nothing.
func (v *idleTimer) change(c controller.Change) {
	if s, ok := c.New.(*resources.Session); ok && c.Key.Kind == resources.Sessions {
		v.heard(s.Spec.LastSeenAt.Time)
		v.note(c.Key.Name, s)
	}
}

// note tells whether a session lives. Those that others started end with them.
func (v *idleTimer) note(name string, s *resources.Session) {
	if !v.withLast || s.Spec.Parent != "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	switch ended := !s.Spec.EndedAt.IsZero(); {
	case !ended && now.Sub(s.Spec.LastSeenAt.Time) < v.after:
		v.live[name], v.last = true, time.Time{}
	case ended && (v.live[name] || !s.Spec.EndedAt.Before(v.began.Truncate(time.Second))):
		if delete(v.live, name); len(v.live) == 0 {
			v.last = now
		}
	}
	v.move()
}

// left is how long nothing must be heard for it to be over.
func (v *idleTimer) left() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.last.IsZero() {
		return time.Until(v.last.Add(afterLast))
	}
	return time.Until(v.until)
}

// allEnded reports whether it is over because all sessions said that they ended.
func (v *idleTimer) allEnded() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.last.IsZero()
}

// wait returns true when it is over, false when ctx ends before.
func (v *idleTimer) wait(ctx context.Context) bool {
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
			switch {
			case left > 0:
				timer.Reset(left)
			case v.watched == nil || !v.watched():
				return true
			} // else answered moves it
		}
	}
}
