package hooks

import (
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// pause is how long nothing was heard of a session.
type pause time.Duration

// String says it as people do.
func (p pause) String() string {
	d := time.Duration(p)
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours())/24)
	case d >= time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// away is how long nothing was heard of this session before this event; 0 for a
// session that begins.
func (h *handler) away() pause {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || s.Spec.LastSeenAt.IsZero() {
		return 0
	}
	return pause(max(0, h.repo.now.Sub(s.Spec.LastSeenAt.Time)))
}

// isReturn reports whether a session goes on after a pause: one that makes it idle, or
// a shorter one if it had ended, or its host resumes it.
func (h *handler) isReturn(away pause) bool {
	idle := resources.Duration(h.repo.settings.SessionIdleAfter, resources.DefaultSessionIdleAfter)
	return away >= pause(idle) || h.event.Resumed && away >= pause(time.Minute)
}
