package status

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// WorkDays are the days on which a project saw work, as numbers of whole days since
// 1970-01-01 in UTC, sorted, each once. On such a day
//
//   - a work plan, a task, an anchor or a mem was created (metadata.creationTimestamp or,
//     without one, the file's time of last change), or a mem was confirmed
//     (spec.confirmations, the annotation validated-at), or
//   - a commit that HEAD leads to was committed (its committer's date).
//
// Checkpoint logs and sessions do not count: they are of one machine, and what is left
// of a mem's confidence is to be the same in every clone.
type WorkDays []int

// WorkKinds are the kinds whose objects count for WorkDays: whoever derives the status
// of a mem has to have loaded them.
func WorkKinds() []string {
	return []string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Mems}
}

// day is how long a day takes: clocks are not changed in UTC.
const Day = 24 * time.Hour

// DayOf is the number of the day of a moment.
func DayOf(t time.Time) int {
	seconds := t.Unix()
	n := seconds / int64(Day/time.Second)
	if seconds < 0 && seconds%int64(Day/time.Second) != 0 {
		n--
	}
	return int(n)
}

// startOf is when a day began.
func StartOf(n int) time.Time { return time.Unix(int64(n)*int64(Day/time.Second), 0).UTC() }

// NewWorkDays sorts days and takes out those that stand there twice. It keeps the slice.
func NewWorkDays(days []int) WorkDays {
	slices.Sort(days)
	return slices.Compact(days)
}

// Between returns the days after that of since, up to that of until.
func (w WorkDays) Between(since, until time.Time) WorkDays {
	from, _ := slices.BinarySearch(w, DayOf(since)+1)
	to, _ := slices.BinarySearch(w, DayOf(until)+1)
	if to <= from {
		return nil
	}
	return w[from:to]
}

// ObjectDays appends the days on which an object of one of WorkKinds shows that there was
// work.
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
