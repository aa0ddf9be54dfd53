package resources

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// TaskState is spec.state with its default, planned.
func TaskState(t *Task) string { return cmp.Or(t.Spec.State, TaskPlanned) }

// PlanState is spec.state with its default, draft.
func PlanState(p *WorkPlan) string { return cmp.Or(p.Spec.State, PlanDraft) }

// MemType is spec.type with its default, insight.
func MemType(m *Mem) string { return cmp.Or(m.Spec.Type, "insight") }

// AnchorType is spec.type with its default, context.
func AnchorType(a *Anchor) string { return cmp.Or(a.Spec.Type, "context") }

// DefaultPriority is what an empty priority means.
const DefaultPriority = "normal"

// priorities in their order, the highest first.
var priorities = [...]string{"critical", "high", "medium", DefaultPriority, "low"}

// PriorityRank orders priorities: 0 for critical, 4 for low. An empty or unknown
// one counts as normal.
func PriorityRank(priority string) int {
	i := slices.Index(priorities[:], priority)
	if i < 0 {
		return PriorityRank(DefaultPriority)
	}
	return i
}

// Duration reads a duration as Go writes it ("72h"), or returns fallback where s is
// empty, malformed or not positive.
func Duration(s string, fallback time.Duration) time.Duration {
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d
	}
	return fallback
}

// EffectiveConfig returns the settings with every default filled in. config may
// be nil, for a repository without config.json; it is not changed.
func EffectiveConfig(config *Config) *ConfigSpec {
	d := DefaultConfig()
	if config == nil {
		return &d
	}
	c := config.Spec
	fill(reflect.ValueOf(&c).Elem(), reflect.ValueOf(d))
	return &c
}

// fill sets what is not set yet.
func fill(to, from reflect.Value) {
	for i := range to.NumField() {
		switch field := to.Field(i); {
		case field.Kind() == reflect.Struct:
			fill(field, from.Field(i))
		case field.IsZero():
			field.Set(from.Field(i))
		}
	}
}

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
