package resources

import (
	"maps"
	"math"
	"slices"
	"time"
)

// DeferredMems are mems that are made when somebody asks for one: most of those who look for
// a few would never look at the others. Any number of goroutines may use them.
type DeferredMems interface {
	// Len is how many there are.
	Len() int
	// Name is the name of the i-th; they are sorted by name, each there once.
	Name(i int) string
	// Mem makes the i-th; never nil.
	Mem(i int) *Mem
	// Sketch fills in what SketchMem says of the i-th.
	Sketch(i int, s *MemSketch)
	// Glance is Sketch of what every mem is asked for first: when it was created, what it
	// supersedes, and MemSketch.Days.
	Glance(i int) (created int64, supersedes string, days []int)
	// Says is MemSays of the i-th.
	Says(i int) (words, topic uint64)
}

// MemFacts is a mem's sketch, and what AssessMem says of it: all that finding it needs.
type MemFacts struct {
	MemSketch
	Phase string
	Left  int  // of its confidence
	Doubt bool // status.suspect is not empty
}

// MemFacts calls do with what holds of each mem that can be read, in the order of their
// names; at is its place for MemAt. f is the same each time, and filled in anew: copy what is
// to be kept. A mem whose file is broken is Invalid.
func (s *Snapshot) MemFacts(do func(at int, f *MemFacts)) {
	shelf := s.shelves[Mems]
	if shelf == nil {
		return
	}
	a := assessor{s: s, now: s.Now(), days: s.WorkDays(), replaced: s.superseded(), curves: map[curveKey]curveValue{}}
	var f MemFacts
	for n := range shelf.names {
		if shelf.sketch(n, &f.MemSketch) {
			a.assess(n, &f)
			do(n, &f)
		}
	}
}

// MemAt returns the mem of a place that MemFacts told.
func (s *Snapshot) MemAt(at int) *Mem { return s.shelves[Mems].at(at).(*Mem) }

// MemCount is how many mems MemFacts tells of at most.
func (s *Snapshot) MemCount() int { return len(s.shelves[Mems].allNames()) }

// sketch fills in the sketch of the n-th object, if that is a mem that can be read.
func (s *shelf) sketch(n int, to *MemSketch) bool {
	if s.deferred != nil {
		s.deferred.Sketch(n, to)
		return true
	}
	m, ok := s.objects[n].(*Mem)
	if ok {
		*to = SketchMem(m)
	}
	return ok
}

// assessor is AssessMem for many mems, by their sketches.
type assessor struct {
	s        *Snapshot
	now      time.Time
	days     WorkDays
	replaced map[string]bool
	curves   map[curveKey]curveValue
}

// curveKey is what a curve depends on; one day's mems have few of them.
type curveKey struct {
	day, start, confirmations int
	falsePath                 bool
}

type curveValue struct {
	left  int
	phase string
}

// superseded are the names that some mem has in spec.supersedes.
func (s *Snapshot) superseded() map[string]bool {
	names := map[string]bool{}
	for name := range s.indexes.superseders() {
		names[name] = true
	}
	return names
}

// assess fills in what AssessMem says. What depends on other mems, or on a moment that the
// mem names, is left to AssessMem: it is said of few.
func (a *assessor) assess(n int, f *MemFacts) {
	if f.Special || f.Latest > a.now.Unix() || len(a.replaced) > 0 && a.replaced[f.Name] {
		status := AssessMem(a.s.MemAt(n), a.s)
		f.Phase, f.Left, f.Doubt = status.Phase, status.Confidence, len(status.Suspect) > 0
	} else {
		a.plain(f)
	}
	if len(a.s.input.Problems) > 0 && a.s.problem(Key{Mems, f.Name}) != nil {
		f.Phase = PhaseInvalid
	}
}

// plain is deriver.assess of a mem of which nothing but evidence and time decides.
func (a *assessor) plain(f *MemFacts) {
	curve := a.curve(f)
	f.Left, f.Phase, f.Doubt = curve.left, curve.phase, false
	if len(f.Evidence) == 0 {
		return
	}
	gone := false
	if f.Doubt, gone = cites(f.Evidence, a.s); f.Doubt {
		f.Left /= 2
	}
	switch {
	case gone && !f.FalsePath:
		f.Phase = Gone
	case f.Doubt && f.Phase != StalePhase:
		f.Phase = SuspectPhase
	}
}

// cites is deriver.cited without saying what.
func cites(evidence []MemEvidence, v WideView) (suspect, gone bool) {
	missing := 0
	for _, e := range evidence {
		changed, exists := compare(e, v)
		if !exists {
			missing++
		}
		suspect = suspect || changed || !exists
	}
	return suspect, missing > 0 && missing == len(evidence)
}

func (a *assessor) curve(f *MemFacts) curveValue {
	key := curveKey{DayOf(time.Unix(f.Since, 0)), f.MemSketch.Confidence, f.Confirmations, f.FalsePath}
	if f.Pinned || f.Critical {
		return curveValue{key.start, Fresh}
	}
	value, known := a.curves[key]
	if !known {
		value = a.draw(key)
		a.curves[key] = value
	}
	return value
}

// draw computes a curve as deriver.curve and deriver.decay do.
func (a *assessor) draw(key curveKey) curveValue {
	c := memCurve{since: startOf(key.day), start: key.start, stability: stabilityOf(key.falsePath, key.confirmations)}
	c.days = a.days.between(c.since, a.now)
	value := curveValue{c.now(), c.phase(a.s.Settings())}
	if value.phase == StalePhase && key.falsePath {
		value.phase = Fading
	}
	return value
}

// sketchedDays is ObjectDays of the mems that were not made yet, each day once.
func (s *Snapshot) sketchedDays() []int {
	shelf := s.shelves[Mems]
	if shelf == nil || shelf.deferred == nil {
		return nil
	}
	seen, last := map[int]bool{}, int64(math.MinInt64)
	for n := range shelf.names {
		created, _, days := shelf.deferred.Glance(n)
		if created != last && created != (time.Time{}).Unix() {
			seen[DayOf(time.Unix(created, 0))], last = true, created
		}
		for _, day := range days {
			seen[day] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// deferredMems makes all mems, if some came as DeferredMems.
func (s *Snapshot) deferredMems() []Object {
	if s.input.Mems == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.shelves[Mems].allObjects()), func(o Object) bool { return o == nil })
}
