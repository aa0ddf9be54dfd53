package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveSession computes the status of a session and the time of its next change. The phase
// is:
//
//	active   the hook ran within config.sessionIdleAfter
//	idle     the hook did not run for config.sessionIdleAfter
//	stale    the hook did not run for config.sessionStaleAfter
//	ended    the host reported the end
//	resumed  the hook ran again after the end or after a pause
//
// The time is the first of the next phase change, the time at which the session
// is archived (SessionCollectAt), and the time at which its task may become
// stale.
func DeriveSession(s *resources.Session, v WideView) (resources.SessionStatus, time.Time) {
	var status resources.SessionStatus
	var next time.Time
	status.Phase, next = SessionPhase(s, v)
	if collect := SessionCollectAt(s, v.Settings()); v.Now().Before(collect) {
		next = resources.Earliest(next, collect)
	}
	figures := FiguresOf(s, v)
	status.Drift, status.Health = figures.Drift(), figures.Health()
	for _, t := range TriggersIn(s, figures, v.Triggers()) {
		status.Triggers = append(status.Triggers, t.Metadata.Name)
	}
	return status, resources.Earliest(next, figures.next)
}

// SessionPhase computes the phase of a session and the time of the next phase change.
func SessionPhase(s *resources.Session, v View) (phase string, next time.Time) {
	settings, now := v.Settings(), v.Now()
	seen := lastSeen(s)
	idle := seen.Add(resources.Duration(settings.SessionIdleAfter, 0))
	stale := seen.Add(resources.Duration(settings.SessionStaleAfter, 0))
	switch {
	case HasEnded(s):
		return resources.SessionEnded, time.Time{}
	case !now.Before(stale):
		return resources.SessionStale, time.Time{}
	case !now.Before(idle):
		return resources.SessionIdle, stale
	case !s.Spec.EndedAt.IsZero() || !s.Spec.ResumedAt.IsZero():
		return resources.SessionResumed, resources.Earliest(idle, stale)
	}
	return resources.SessionActive, resources.Earliest(idle, stale)
}

// SessionCollectAt returns the time at which a session is archived:
// config.sessionCollectAfter after its end or its last activity, but not before it is
// stale.
func SessionCollectAt(s *resources.Session, settings *resources.ConfigSpec) time.Time {
	collect := resources.Duration(settings.SessionCollectAfter, 0)
	if HasEnded(s) {
		return s.Spec.EndedAt.Add(collect)
	}
	return lastSeen(s).Add(max(collect, resources.Duration(settings.SessionStaleAfter, 0)))
}

// HasEnded reports whether the host reported the end of a session and the session was not
// resumed.
func HasEnded(s *resources.Session) bool {
	return !s.Spec.EndedAt.IsZero() && !s.Spec.LastSeenAt.After(s.Spec.EndedAt.Time)
}

// lastSeen returns the last activity of a session, else its start, else its creation.
func lastSeen(s *resources.Session) time.Time {
	switch {
	case !s.Spec.LastSeenAt.IsZero():
		return s.Spec.LastSeenAt.Time
	case !s.Spec.StartedAt.IsZero():
		return s.Spec.StartedAt.Time
	}
	return s.Created()
}
