package packer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// A Stock caches a repository's memory for packs and recalls: mems and anchors
// with their derived statuses, a search index, the selection for each reader, and
// the statuses of tasks. It changes how long a pack or a recall takes and nothing
// else, provided that Changed is called for each object that changed or whose
// status changed. The zero Stock is empty and ready for use. It is safe for
// concurrent use.
type Stock struct {
	mu      sync.Mutex
	changed map[resources.Key]bool

	use      sync.Mutex // held during a pack or a recall
	day      string
	settings *resources.ConfigSpec
	tasks    map[string]resources.TaskStatus
	tells    map[sizedPlan][]string // see telling; sorted
	gathered int                    // number of tasks in the last pack

	index   search.Index
	facts   []*fact                   // by the numbers of the index
	naming  map[resources.Key][]int32 // the facts that refer to an object
	next    time.Time                 // the first time at which a status changes without an event
	version int                       // incremented whenever a mem or an anchor changes; 0: empty
	weighed map[string]weighed        // by session

	anchored struct { // the last result of anchors
		version int
		list    []Anchor
	}
}

// weighed is the selection for one reader and its inputs.
type weighed struct {
	judge    *judge
	previous map[string]int
	offered  candidates
}

// Changed marks an object that changed or whose status changed.
func (s *Stock) Changed(key resources.Key) {
	switch key.Kind {
	case resources.CheckpointsKind:
		key.Kind = resources.Tasks
	case resources.Tasks, resources.WorkPlans, resources.Mems, resources.Anchors:
	default:
		return // read for each pack
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = map[resources.Key]bool{}
	}
	s.changed[key] = true
}

// Only drops the selections of all other sessions; "" is the repository's pack.
func (s *Stock) Only(sessions map[string]bool) {
	s.use.Lock()
	defer s.use.Unlock()
	maps.DeleteFunc(s.weighed, func(session string, _ weighed) bool { return !sessions[session] })
}

// renew updates what changed. Everything depends on the day and the settings.
func (s *Stock) renew(source Source) {
	s.mu.Lock()
	changed := s.changed
	s.changed = nil
	s.mu.Unlock()
	if day := date(source.Now()); s.version == 0 || day != s.day || !reflect.DeepEqual(s.settings, source.Settings()) {
		s.day, s.settings, s.tasks = day, source.Settings(), map[string]resources.TaskStatus{}
		s.tells = map[sizedPlan][]string{}
		changed = s.everything(source)
		s.version++
	}
	var tasks []resources.Key
	for key := range changed {
		switch key.Kind {
		case resources.Tasks:
			delete(s.tasks, key.Name)
			tasks = append(tasks, key)
		case resources.WorkPlans: // its status is derived for each pack, because it follows from those of its tasks
		default:
			s.look(source, key)
		}
	}
	s.pass(source)
	s.renewTelling(source, tasks)
}

// everything returns the keys of all mems and anchors, existing and cached.
func (s *Stock) everything(source Source) map[resources.Key]bool {
	all := map[resources.Key]bool{}
	for _, kind := range []string{resources.Mems, resources.Anchors} {
		for _, key := range source.List(kind) {
			all[key] = true
		}
	}
	for _, f := range s.facts {
		if f != nil {
			all[f.key()] = true
		}
	}
	return all
}

// pass updates statuses that changed because time passed.
func (s *Stock) pass(source Source) {
	now := source.Now()
	if s.next.IsZero() || s.next.After(now) {
		return
	}
	s.next = time.Time{}
	for _, f := range s.facts {
		if f == nil {
			continue
		}
		if f.next.IsZero() || f.next.After(now) {
			s.awaits(f.next)
		} else {
			s.look(source, f.key())
		}
	}
}

// awaits records when a status changes without an event.
func (s *Stock) awaits(t time.Time) {
	if !t.IsZero() && (s.next.IsZero() || t.Before(s.next)) {
		s.next = t
	}
}

// look reads a mem or an anchor again, or drops it.
func (s *Stock) look(source Source, key resources.Key) {
	switch key.Kind {
	case resources.Mems:
		if m, next, ok := observed(source, key, memory.Assess); ok && !memory.ListsOnly(m.Object) {
			s.put(factOf(&m, next), DocumentOf(&m))
			return
		}
	case resources.Anchors:
		if a, next, ok := observed(source, key, status.DeriveAnchor); ok {
			s.put(factOfAnchor(&a, next), anchorDocument(&a))
			return
		}
	}
	if n, known := s.index.Number(key.String()); known {
		s.forget(n)
		s.index.Remove(key.String())
	}
}

// put adds a fact, or replaces the fact with its ID.
func (s *Stock) put(f *fact, d search.Document) {
	s.awaits(f.next)
	n := s.index.Put(d)
	if n < len(s.facts) && s.facts[n] != nil {
		if old := s.facts[n]; old.says(f) {
			old.next = f.next
			return
		}
		s.forget(n)
	}
	for len(s.facts) <= n {
		s.facts = append(s.facts, nil)
	}
	s.facts[n] = f
	for _, key := range f.names {
		if s.naming == nil {
			s.naming = map[resources.Key][]int32{}
		}
		s.naming[key] = append(s.naming[key], int32(n))
	}
	s.version++
}

// forget drops a fact. Its number may be reused.
func (s *Stock) forget(n int) {
	for _, key := range s.facts[n].names {
		if rest := slices.DeleteFunc(s.naming[key], func(other int32) bool { return int(other) == n }); len(rest) > 0 {
			s.naming[key] = rest
		} else {
			delete(s.naming, key)
		}
	}
	s.facts[n] = nil
	s.version++
}

// stockOf returns a stock of mems and anchors that do not change.
func stockOf(mems []Mem, anchors []Anchor) *Stock {
	s := &Stock{}
	for i := range mems {
		s.put(factOf(&mems[i], time.Time{}), DocumentOf(&mems[i]))
	}
	for i := range anchors {
		s.put(factOfAnchor(&anchors[i], time.Time{}), anchorDocument(&anchors[i]))
	}
	return s
}

// anchors returns all anchors, sorted by name.
func (s *Stock) anchors() []Anchor {
	if s.anchored.version != s.version {
		s.anchored.version, s.anchored.list = s.version, nil
		for _, f := range s.facts {
			if f != nil && f.anchor != nil {
				s.anchored.list = append(s.anchored.list, *f.anchor)
			}
		}
		slices.SortFunc(s.anchored.list, func(a, b Anchor) int { return strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name) })
	}
	return s.anchored.list
}

// remember stores the selection for a reader.
func (s *Stock) remember(session string, w weighed) {
	if s.weighed == nil {
		s.weighed = map[string]weighed{}
	}
	s.weighed[session] = w
}
