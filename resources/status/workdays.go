package status

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// WorkDays lists the days with project activity, as sorted numbers of days since 1970-01-01
// in UTC, without duplicates. The following activities count:
//
//   - a work plan, a task, an anchor or a mem was created (metadata.creationTimestamp, or the file's
//     modification time if it is unset),
//   - a mem was confirmed (spec.confirmations or the annotation validated-at),
//   - a commit in the history of HEAD was created (its committer date).
//
// Checkpoint logs and sessions do not count, because they are local to a machine. A mem's
// remaining confidence must be the same in every clone.
type WorkDays []int

// WorkKinds returns the kinds of objects that count for WorkDays. They must be loaded
// before the status of a mem is computed.
func WorkKinds() []string {
	return []string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Mems}
}

// Day is the length of a day in UTC.
const Day = 24 * time.Hour

// DayOf returns the number of the day that contains a time.
func DayOf(t time.Time) int {
	seconds := t.Unix()
	n := seconds / int64(Day/time.Second)
	if seconds < 0 && seconds%int64(Day/time.Second) != 0 {
		n--
	}
	return int(n)
}

// StartOf returns the time at which a day begins.
func StartOf(n int) time.Time { return time.Unix(int64(n)*int64(Day/time.Second), 0).UTC() }

// NewWorkDays sorts days and removes duplicates. It reuses the slice.
func NewWorkDays(days []int) WorkDays {
	slices.Sort(days)
	return slices.Compact(days)
}

// Range returns the days after the day of since, up to and including the day of until.
func (w WorkDays) Range(since, until time.Time) WorkDays {
	from, _ := slices.BinarySearch(w, DayOf(since)+1)
	to, _ := slices.BinarySearch(w, DayOf(until)+1)
	if to <= from {
		return nil
	}
	return w[from:to]
}

// ObjectDays appends the days of activity that an object of one of WorkKinds records.
func ObjectDays(to []int, o resources.Object) []int {
	switch o.(type) {
	case *resources.WorkPlan, *resources.Task, *resources.Anchor, *resources.Mem:
	default:
		return to
	}
	if created := o.Created(); !created.IsZero() {
		to = append(to, DayOf(created))
	}
	m, isMem := o.(*resources.Mem)
	if !isMem {
		return to
	}
	for _, c := range m.Spec.Confirmations {
		if !c.At.IsZero() {
			to = append(to, DayOf(c.At.Time))
		}
	}
	if at := resources.AnnotatedAt(o); !at.IsZero() {
		to = append(to, DayOf(at))
	}
	return to
}
