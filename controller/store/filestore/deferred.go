package filestore

import (
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// deferredMems are the mems of a folder: those that the index holds are made when somebody
// asks for them.
type deferredMems struct {
	s      *Store
	form   *form
	old    *index
	places []place // by name

	mu sync.Mutex // held while one is made
	r  reader
}

// place is where a mem is.
type place struct {
	name  string
	entry int            // of the index
	made  *resources.Mem // nil: it is in the index
}

var _ resources.DeferredMems = (*deferredMems)(nil)

// deferred hands over the mems that were found.
func (s *shelf) deferred() resources.DeferredMems {
	m := &deferredMems{s: s.s, form: s.form, old: s.old, places: make([]place, 0, len(s.kept))}
	holds := make([]bool, s.old.count)
	for _, n := range s.kept {
		if n >= 0 {
			holds[n] = s.old.flags(int(n))&flagBroken == 0
		}
	}
	for i := range s.old.count {
		if n := s.old.place(i); n >= 0 && holds[n] {
			name := strings.TrimSuffix(s.old.name(n), ".json")
			m.places = append(m.places, place{name: name, entry: n})
		}
	}
	s.found.placed = nil
	for _, o := range s.found.sorted() {
		made := o.(*resources.Mem)
		m.places = append(m.places, place{name: made.Metadata.Name, made: made})
	}
	byName := func(a, b place) int { return strings.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(m.places, byName) {
		slices.SortStableFunc(m.places, byName)
	}
	return m
}

// Len is how many there are.
func (m *deferredMems) Len() int { return len(m.places) }

// Name is the name of the i-th.
func (m *deferredMems) Name(i int) string { return m.places[i].name }

// Mem makes the i-th.
func (m *deferredMems) Mem(i int) *resources.Mem {
	at := &m.places[i]
	if at.made != nil {
		return at.made
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.old.entry(at.entry)
	if o, ok := m.form.decodeObject(&m.r, &e); ok {
		return o.(*resources.Mem)
	}
	return m.read(at.name)
}

// read is Mem where the entry of the index turns out to be damaged, in spite of its sum.
func (m *deferredMems) read(name string) *resources.Mem {
	key := resources.Key{Kind: resources.Mems, Name: name}
	if record, err := m.s.readSpec(key); err == nil {
		if o, _, err := resources.Read(key, record.Spec); err == nil {
			*o.Source() = resources.Origin{Revision: record.Rev, ModTime: record.ModTime}
			return o.(*resources.Mem)
		}
	}
	o := m.form.empty()
	o.Head().Metadata.Name = name
	return o.(*resources.Mem)
}

// Sketch fills in the sketch of the i-th.
func (m *deferredMems) Sketch(i int, s *resources.MemSketch) {
	at := &m.places[i]
	if at.made == nil && m.old.readSketch(at.entry, at.name, s) {
		return
	}
	*s = resources.SketchMem(m.Mem(i))
}

// Says is resources.MemSays of the i-th.
func (m *deferredMems) Says(i int) (words, topic uint64) {
	at := &m.places[i]
	if at.made != nil {
		return resources.MemSays(at.made)
	}
	return m.old.says(at.entry)
}

// Glance is Sketch of what every mem is asked for first.
func (m *deferredMems) Glance(i int) (created int64, supersedes string, days []int) {
	at := &m.places[i]
	if at.made == nil {
		if created, supersedes, days, ok := m.old.glance(at.entry); ok {
			return created, supersedes, days
		}
	}
	var s resources.MemSketch
	m.Sketch(i, &s)
	return s.Created, s.Supersedes, s.Days
}
