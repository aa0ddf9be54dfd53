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
// else, provided that Invalidate is called for each object that changed or whose
// status changed. The zero Stock is empty and ready for use. It is safe for
// concurrent use.
type Stock struct {
	mu      sync.Mutex
	changed map[resources.Key]bool

	work      sync.Mutex // held during a pack or a recall
	day       string
	settings  *resources.ConfigSpec
	tasks     map[string]resources.TaskStatus
	planTasks map[sizedPlan][]string // see notablePlanTasks; sorted
	taskCount int                    // number of tasks in the last pack

	index      search.Index
	facts      []*fact                   // by the numbers of the index
	naming     map[resources.Key][]int32 // the facts that refer to an object
	next       time.Time                 // the first time at which a status changes without an event
	version    int                       // incremented whenever a mem or an anchor changes; 0: empty
	selections map[string]selection      // by session

	anchorCache struct { // the last result of anchors
		version int
		list    []Anchor
	}
}

// selection is the cached result of the last offerKnowledge for one reader: offered, and the inputs for which it is
// valid, judge and previous.
type selection struct {
	judge    *judge
	previous map[string]int
	offered  candidates
}

// Invalidate marks an object that changed or whose status changed. It ignores
// kinds that are read for each pack.
func (s *Stock) Invalidate(key resources.Key) {
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

// Retain drops the selections of all other sessions; "" is the repository's pack.
func (s *Stock) Retain(sessions map[string]bool) {
	s.work.Lock()
	defer s.work.Unlock()
	maps.DeleteFunc(s.selections, func(session string, _ selection) bool { return !sessions[session] })
}

// refresh updates what was invalidated and what changed with the time. If the
// day or the settings changed, it updates everything.
func (s *Stock) refresh(source Source) {
	s.mu.Lock()
	changed := s.changed
	s.changed = nil
	s.mu.Unlock()
	if day := date(source.Now()); s.version == 0 || day != s.day || !reflect.DeepEqual(s.settings, source.Settings()) {
		s.day, s.settings, s.tasks = day, source.Settings(), map[string]resources.TaskStatus{}
		s.planTasks = map[sizedPlan][]string{}
		changed = s.allKeys(source)
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
			s.update(source, key)
		}
	}
	s.updateExpired(source)
	s.refreshPlanTasks(source, tasks)
}

// allKeys returns the keys of all mems and anchors, existing and cached.
func (s *Stock) allKeys(source Source) map[resources.Key]bool {
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

// updateExpired updates statuses that changed because time passed.
func (s *Stock) updateExpired(source Source) {
	now := source.Now()
	if s.next.IsZero() || s.next.After(now) {
		return
	}
	s.next = time.Time{}
	for _, f := range s.facts {
		if f == nil {
			continue
		}
		if f.nextChange.IsZero() || f.nextChange.After(now) {
			s.scheduleAt(f.nextChange)
		} else {
			s.update(source, f.key())
		}
	}
}

// scheduleAt records when a status changes without an event.
func (s *Stock) scheduleAt(t time.Time) {
	if !t.IsZero() && (s.next.IsZero() || t.Before(s.next)) {
		s.next = t
	}
}

// update reads a mem or an anchor again. It drops one that no longer exists or
// is only listed.
func (s *Stock) update(source Source, key resources.Key) {
	switch key.Kind {
	case resources.Mems:
		if m, next, ok := withStatus(source, key, memory.Assess); ok && !memory.ListsOnly(m.Object) {
			s.put(factOf(&m, next), DocumentOf(&m))
			return
		}
	case resources.Anchors:
		if a, next, ok := withStatus(source, key, status.DeriveAnchor); ok {
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
	s.scheduleAt(f.nextChange)
	n := s.index.Put(d)
	if n < len(s.facts) && s.facts[n] != nil {
		if old := s.facts[n]; old.equal(f) {
			old.nextChange = f.nextChange
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
	if s.anchorCache.version != s.version {
		s.anchorCache.version, s.anchorCache.list = s.version, nil
		for _, f := range s.facts {
			if f != nil && f.anchor != nil {
				s.anchorCache.list = append(s.anchorCache.list, *f.anchor)
			}
		}
		slices.SortFunc(s.anchorCache.list, func(a, b Anchor) int { return strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name) })
	}
	return s.anchorCache.list
}

// remember stores the selection for a reader.
func (s *Stock) remember(session string, w selection) {
	if s.selections == nil {
		s.selections = map[string]selection{}
	}
	s.selections[session] = w
}
