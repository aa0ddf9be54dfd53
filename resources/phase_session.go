package resources

import "time"

// DeriveSession computes where a session stands from when its hook last ran:
// active, idle after config.sessionIdleAfter, stale after config.sessionStaleAfter,
// ended when its host said so, and resumed when it was heard of after that, or after
// a pause. The
// next moment is the next of these, or the one at which it is to be collected
// (SessionCollectAt).
func DeriveSession(s *Session, v WideView) (SessionStatus, time.Time) {
	var status SessionStatus
	var next time.Time
	status.Phase, next = SessionPhase(s, v)
	if collect := SessionCollectAt(s, v.Settings()); v.Now().Before(collect) {
		next = earliest(next, collect)
	}
	status.Conditions = orphanedSession(s, v)
	figures := FiguresOf(s, v)
	status.Drift, status.Health = figures.Drift(), figures.Health()
	for _, t := range TriggersIn(s, figures, v.Triggers()) {
		status.Triggers = append(status.Triggers, t.Metadata.Name)
	}
	return status, earliest(next, figures.next)
}

// SessionPhase computes a session's phase alone, and when it is another one by itself.
func SessionPhase(s *Session, v View) (phase string, next time.Time) {
	settings, now := v.Settings(), v.Now()
	seen := lastSeen(s)
	idle := seen.Add(Duration(settings.SessionIdleAfter, DefaultSessionIdleAfter))
	stale := seen.Add(Duration(settings.SessionStaleAfter, DefaultSessionStaleAfter))
	switch {
	case HasEnded(s):
		return SessionEnded, time.Time{}
	case !now.Before(stale):
		return SessionStale, time.Time{}
	case !now.Before(idle):
		return SessionIdle, stale
	case !s.Spec.EndedAt.IsZero() || !s.Spec.ResumedAt.IsZero():
		return SessionResumed, earliest(idle, stale)
	}
	return SessionActive, earliest(idle, stale)
}

// SessionCollectAt is when a session is archived: config.sessionCollectAfter after
// it ended or was last heard of, and never before it is stale.
func SessionCollectAt(s *Session, settings *ConfigSpec) time.Time {
	collect := Duration(settings.SessionCollectAfter, DefaultSessionCollectAfter)
	if HasEnded(s) {
		return s.Spec.EndedAt.Add(collect)
	}
	return lastSeen(s).Add(max(collect, Duration(settings.SessionStaleAfter, DefaultSessionStaleAfter)))
}

// HasEnded reports whether the host ended a session and it was not heard of since.
func HasEnded(s *Session) bool {
	return !s.Spec.EndedAt.IsZero() && !s.Spec.LastSeenAt.After(s.Spec.EndedAt.Time)
}

func lastSeen(s *Session) time.Time {
	switch {
	case !s.Spec.LastSeenAt.IsZero():
		return s.Spec.LastSeenAt.Time
	case !s.Spec.StartedAt.IsZero():
		return s.Spec.StartedAt.Time
	}
	return s.Created()
}

func orphanedSession(s *Session, v View) []Condition {
	o := orphan{view: v}
	o.check("spec.activeTask", Tasks, s.Spec.ActiveTask)
	o.check("spec.delegation", Delegations, s.Spec.Delegation)
	return o.conditions()
}
