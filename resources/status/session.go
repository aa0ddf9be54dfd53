package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveSession computes where a session stands from when its hook last ran:
// active, idle after config.sessionIdleAfter, stale after config.sessionStaleAfter,
// ended when its host said so, and resumed when it was heard of after that, or after
// a pause. The
// next moment is the next of these, or the one at which it is to be collected
// (SessionCollectAt).
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

// SessionPhase computes a session's phase alone, and when it is another one by itself.
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

// SessionCollectAt is when a session is archived: config.sessionCollectAfter after
// it ended or was last heard of, and never before it is stale.
func SessionCollectAt(s *resources.Session, settings *resources.ConfigSpec) time.Time {
	collect := resources.Duration(settings.SessionCollectAfter, 0)
	if HasEnded(s) {
		return s.Spec.EndedAt.Add(collect)
	}
	return lastSeen(s).Add(max(collect, resources.Duration(settings.SessionStaleAfter, 0)))
}

// HasEnded reports whether the host ended a session and it was not heard of since.
func HasEnded(s *resources.Session) bool {
	return !s.Spec.EndedAt.IsZero() && !s.Spec.LastSeenAt.After(s.Spec.EndedAt.Time)
}

func lastSeen(s *resources.Session) time.Time {
	switch {
	case !s.Spec.LastSeenAt.IsZero():
		return s.Spec.LastSeenAt.Time
	case !s.Spec.StartedAt.IsZero():
		return s.Spec.StartedAt.Time
	}
	return s.Created()
}
