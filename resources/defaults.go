package resources

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"
)

// TaskState returns spec.state, or its default, planned.
func TaskState(t *Task) string { return cmp.Or(t.Spec.State, TaskPlanned) }

// PlanState returns spec.state, or its default, draft.
func PlanState(p *WorkPlan) string { return cmp.Or(p.Spec.State, PlanDraft) }

// MemType returns spec.type, or its default, insight.
func MemType(m *Mem) string { return cmp.Or(m.Spec.Type, "insight") }

// AnchorType returns spec.type, or its default, context.
func AnchorType(a *Anchor) string { return cmp.Or(a.Spec.Type, "context") }

// DecisionState returns spec.state, or its default, proposed.
func DecisionState(d *Decision) string { return cmp.Or(d.Spec.State, DecisionProposed) }

// OnViolation returns spec.onViolation, or its default, warn.
func OnViolation(d *Decision) string { return cmp.Or(d.Spec.OnViolation, ViolationWarn) }

// DefaultPriority is the meaning of an empty priority.
const DefaultPriority = "normal"

// priorities is sorted from highest to lowest.
var priorities = [...]string{"critical", "high", "medium", DefaultPriority, "low"}

// PriorityRanks is the number of priorities.
const PriorityRanks = len(priorities)

// PriorityRank returns the rank of a priority: 0 for critical, 4 for low. An empty or
// unknown priority has the rank of DefaultPriority.
func PriorityRank(priority string) int {
	i := slices.Index(priorities[:], priority)
	if i < 0 {
		return PriorityRank(DefaultPriority)
	}
	return i
}

// Duration parses a duration in Go's syntax ("72h"). It returns fallback if s is empty,
// malformed or not positive.
func Duration(s string, fallback time.Duration) time.Duration {
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d
	}
	return fallback
}

// DefaultConfig returns the settings of a repository without config.json.
func DefaultConfig() ConfigSpec { return *EffectiveConfig(nil) }

// EffectiveConfig returns the settings with defaults applied to unset fields and to invalid
// durations. config may be nil for a repository without config.json. It is not modified.
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

// fillIn sets the defaults of unset numbers, strings and lists of an object,
// and of invalid durations. Booleans keep their value.
func (f *Field) fillIn(object reflect.Value) {
	for _, of := range f.Fields {
		switch field := object.FieldByIndex(of.index); {
		case field.Kind() == reflect.Struct:
			of.fillIn(field)
		case field.Kind() == reflect.Int && field.IsZero() && of.Default != "":
			field.SetInt(int64(*parseBound(of.Default)))
		case field.Kind() == reflect.String && (field.IsZero() || of.Format == "duration" && Duration(field.String(), 0) == 0):
			field.SetString(of.Default)
		case field.Kind() == reflect.Slice && field.IsNil() && of.Default != "":
			field.Set(reflect.ValueOf(strings.Split(of.Default, "|")))
		}
	}
}

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Earliest returns the earlier of two times. The zero time means never.
func Earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Age returns the time from since to now. It returns 0 if the result would be negative
// because the clock was set back.
func Age(since, now time.Time) time.Duration { return max(0, now.Sub(since)) }

// ValidatedAt returns the time of an object's creation or last confirmation, whichever is
// later.
func ValidatedAt(o Object) time.Time {
	return Later(o.Created(), AnnotatedAt(o))
}

// AnnotatedAt returns the time in the annotation validated-at. It returns the zero time if
// the annotation is absent or malformed.
func AnnotatedAt(o Object) time.Time {
	text := o.Head().Metadata.Annotations[AnnotationValidatedAt]
	if text == "" {
		return time.Time{} // common case; parsing an empty string allocates an error
	}
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
