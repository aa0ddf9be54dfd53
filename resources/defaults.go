package resources

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
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

// DecisionState is spec.state with its default, proposed.
func DecisionState(d *Decision) string { return cmp.Or(d.Spec.State, DecisionProposed) }

// OnViolation is spec.onViolation with its default, warn.
func OnViolation(d *Decision) string { return cmp.Or(d.Spec.OnViolation, ViolationWarn) }

// DefaultPriority is what an empty priority means.
const DefaultPriority = "normal"

// priorities in their order, the highest first.
var priorities = [...]string{"critical", "high", "medium", DefaultPriority, "low"}

// PriorityRanks is how many there are.
const PriorityRanks = len(priorities)

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

// DefaultConfig returns the settings of a repository without config.json.
func DefaultConfig() ConfigSpec { return *EffectiveConfig(nil) }

// EffectiveConfig returns the settings with the default of every one that is not set, or is to
// be a duration and is none. config may be nil, for a repository without config.json; it is not
// changed.
func EffectiveConfig(config *Config) *ConfigSpec {
	var c ConfigSpec
	if config != nil {
		c = config.Spec
	}
	kind, _ := KindOf(Configs)
	settings, _ := kind.Fields().Field("spec")
	settings.fillIn(reflect.ValueOf(&c).Elem())
	return &c
}

// fillIn sets the fields of an object that have no value yet to their defaults.
func (f *Field) fillIn(object reflect.Value) {
	for _, of := range f.Fields {
		field := object.FieldByIndex(of.index)
		switch {
		case field.Kind() == reflect.Struct:
			of.fillIn(field)
		case field.Kind() == reflect.Int && field.IsZero() && of.Default != "":
			field.SetInt(int64(*bound(of.Default)))
		case field.Kind() == reflect.String && (field.IsZero() || of.Format == "duration" && Duration(field.String(), 0) == 0):
			field.SetString(of.Default)
		case field.Kind() == reflect.Slice && field.IsNil() && of.Default != "":
			field.Set(reflect.ValueOf(strings.Split(of.Default, "|")))
		}
	}
}

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
