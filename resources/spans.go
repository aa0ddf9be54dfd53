package resources

import "time"

// Settings that hold where a configuration, or an object, names something that is
// no duration; validation refuses that, but a status is computed all the same.
const (
	DefaultTaskStaleAfter      = 4 * time.Hour
	DefaultAnchorStaleAfter    = 48 * time.Hour
	DefaultSessionIdleAfter    = time.Hour
	DefaultDelegationGrace     = time.Hour
	DefaultSessionStaleAfter   = 48 * time.Hour
	DefaultSessionCollectAfter = 168 * time.Hour
	DefaultPurgeAfter          = 48 * time.Hour
	DefaultOrphanGracePeriod   = 24 * time.Hour
)

// Later returns the later of two moments.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Earliest returns the earlier of two moments; the zero time is never.
func Earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Age is how long ago since was; a clock that was set back makes it 0, not negative.
func Age(since, now time.Time) time.Duration { return max(0, now.Sub(since)) }

// ValidatedAt is when an object was made, or last confirmed if that was later.
func ValidatedAt(o Object) time.Time {
	return Later(o.Created(), AnnotatedAt(o))
}

// AnnotatedAt is the time of the annotation validated-at; zero if there is none, or it is
// no time.
func AnnotatedAt(o Object) time.Time {
	text := o.Head().Metadata.Annotations[AnnotationValidatedAt]
	if text == "" {
		return time.Time{} // as most: parsing nothing makes an error
	}
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
