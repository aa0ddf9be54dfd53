package memory

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// Question is what is asked of the memory.
type Question struct {
	Text    string
	Paths   []string // files that it is about, besides those that Text names
	Type    string   // only mems of this type; "": of any
	Shelf   string   // only mems of this shelf; "": of any
	Tags    []string // only mems with all of these tags, in any case
	History bool     // those that do not hold any more as well
	Most    int      // how many answers, the best first; 0: all
}

// Recalled is one answer.
type Recalled packer.Recalled

// Recall finds mems by the same scores by which they enter a context. stock is what is at hand of
// them, nil for nothing.
func Recall(s packer.Source, stock *packer.Stock, q Question) []Recalled {
	if stock == nil {
		stock = &packer.Stock{}
	}
	question := search.Query{Parts: []search.Part{{Text: q.Text}}, Paths: q.Paths}
	var found []Recalled
	for _, r := range stock.Recall(s, question, func(m *packer.Mem) bool { return q.fits(m.Object) }, q.History, cmp.Or(q.Most, -1)) {
		found = append(found, Recalled(r))
	}
	return found
}

func (q Question) fits(m *resources.Mem) bool {
	return (q.Type == "" || resources.MemType(m) == q.Type) && (q.Shelf == "" || m.Spec.Shelf == q.Shelf) &&
		!slices.ContainsFunc(q.Tags, func(tag string) bool { return !tagged(m, tag) })
}

func tagged(m *resources.Mem, tag string) bool {
	return slices.ContainsFunc(m.Spec.Tags, func(has string) bool { return strings.EqualFold(has, tag) })
}

// Source is what there is, with what holds about it.
type Source interface {
	packer.Source
	// Derived returns the status of an object, a pointer (*MemStatus, ...); nil if there is no
	// such object.
	Derived(key resources.Key) any
}

// Derived returns all mems that can be read, with what holds about them, by name.
func Derived(s Source) []packer.Mem {
	keys := s.List(resources.Mems)
	mems := make([]packer.Mem, 0, len(keys))
	for _, key := range keys {
		m := s.Mem(key.Name)
		status, ok := s.Derived(key).(*resources.MemStatus)
		if m != nil && ok {
			mems = append(mems, packer.Mem{Object: m, Status: *status})
		}
	}
	return mems
}

// Why tells what speaks for an answer, and what against it.
func (r *Recalled) Why() string {
	why := r.Hit.Why()
	if text := Standing(&r.Mem); text != "" {
		why += "; " + text
	}
	return why
}

// Standing says in a few words why a mem is to be taken with care, or not at all; "" for
// one that holds.
func Standing(m *packer.Mem) string {
	s := &m.Status
	switch s.Phase {
	case resources.Superseded:
		return "mem/" + cmp.Or(s.Head, s.SupersededBy) + " took its place"
	case resources.Purged:
		return "purged " + day(s.InvalidatedAt) + reasonOf(m.Object.Spec.PurgeReason)
	case resources.Ended:
		return "it was so until " + day(s.ValidTo)
	case resources.Pending:
		return "it will be so from " + day(s.ValidFrom)
	case resources.Gone, resources.SuspectPhase:
		return "check it: " + some(s.Suspect)
	case resources.StalePhase:
		return "stale since " + day(s.StaleSince)
	}
	return ""
}

func reasonOf(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func day(t resources.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Format("2006-01-02")
}

// some lists two of several items.
func some(items []string) string {
	const most = 2
	text := ""
	for i, item := range items[:min(most, len(items))] {
		if i > 0 {
			text += ", "
		}
		text += item
	}
	if more := len(items) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// Points is the score of an answer in a number that can be read.
func Points(r *Recalled) int64 { return PointsOf(r.Hit.Score) }

// PointsOf is a share of a score in the same unit.
func PointsOf(score int64) int64 { return search.Points(score) }
