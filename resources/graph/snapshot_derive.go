package graph

import (
	"maps"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// memo keeps what was computed. Two goroutines may compute the same at once; both
// come to the same result.
type memo struct {
	mu      sync.Mutex
	derived map[string][]observed // of a kind, by the numbers of its shelf
	tallies map[string]*tally
	settled map[string]map[string]int
	cited   map[[2]string]citedPart // files, and parts of them
}

// citedPart is what is known of a file, or of a part of one.
type citedPart struct {
	modTime time.Time
	sum     string
	exists  bool
}

// cite looks at a file, or at a part of one, once.
func (s *Snapshot) cite(path, section string, look func() citedPart) citedPart {
	key := [2]string{path, section}
	s.memo.mu.Lock()
	part, known := s.memo.cited[key]
	s.memo.mu.Unlock()
	if known {
		return part
	}
	part = look()
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	if s.memo.cited == nil {
		s.memo.cited = map[[2]string]citedPart{}
	}
	s.memo.cited[key] = part
	return part
}

// observed is a computed status.
type observed struct {
	status any
	next   time.Time
}

// tally is what the phases of a plan's tasks amount to.
type tally struct {
	counts map[string]int
	ready  []string // sorted
}

// Derived returns the status of an object, computed and filled in (FillStatus),
// transition times aside: a pointer (*TaskStatus, ...). An object without a good
// version has the status of one that says nothing, with phase Invalid. nil if there
// is no such object; but the one trajectory has a status whether there is a file or
// not.
func (s *Snapshot) Derived(key resources.Key) any { return s.observe(key).status }

// Next returns when the status of an object changes by itself; zero if never.
func (s *Snapshot) Next(key resources.Key) time.Time { return s.observe(key).next }

func (s *Snapshot) observe(key resources.Key) observed {
	shelf := s.shelves[key.Kind]
	n, known := shelf.find(key.Name)
	if !known {
		return s.compute(key) // nothing, or the trajectory that has no file
	}
	return s.observeAt(key, shelf, n)
}

// observeAt is observe for the n-th object of a shelf.
func (s *Snapshot) observeAt(key resources.Key, shelf *shelf, n int) observed {
	s.memo.mu.Lock()
	all := s.memo.derived[key.Kind]
	if all == nil {
		if s.memo.derived == nil {
			s.memo.derived = map[string][]observed{}
		}
		all = make([]observed, len(shelf.names))
		s.memo.derived[key.Kind] = all
	}
	o := all[n]
	s.memo.mu.Unlock()
	if o.status != nil {
		return o
	}
	o = s.compute(key)
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	all[n] = o
	return o
}

func (s *Snapshot) compute(key resources.Key) observed {
	object, problem := s.object(key), s.problem(key)
	var o observed
	switch {
	case object == nil && key == (resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}) && problem == nil:
		o.status, o.next = derived(status.DeriveTrajectory(nil, s))
	case object == nil && problem == nil:
		return observed{}
	case object == nil:
		kind, ok := resources.KindOf(key.Kind)
		if !ok {
			return observed{}
		}
		o.status = kind.New().StatusPointer()
	default:
		o.status, o.next = Derive(object, s.viewFor(object))
	}
	revision := ""
	if object != nil {
		revision = object.Source().Revision
	}
	FillStatus(resources.CommonOf(o.status), key, object, revision, problem)
	return o
}

func (s *Snapshot) problem(key resources.Key) *resources.Problem {
	p, broken := s.input.Problems[key]
	if !broken {
		return nil
	}
	found := p // a copy of its own, or every call would allocate one
	return &found
}

// viewFor is what an object's status is computed from. Tasks get settled counts of
// other plans: exact ones would need the phases of those plans' tasks, and so on.
func (s *Snapshot) viewFor(o resources.Object) status.WideView {
	if _, isTask := o.(*resources.Task); isTask {
		return settledView{s}
	}
	return s
}

// settledView is a Snapshot that, of a plan's tasks, counts only what does not
// depend on other tasks: which are completed or abandoned. That is all that
// PlanDone needs. The others are counted under "".
type settledView struct{ *Snapshot }

// PlanCounts counts completed, abandoned and other tasks.
func (v settledView) PlanCounts(plan string) map[string]int {
	m := &v.memo
	m.mu.Lock()
	counts, known := m.settled[plan]
	m.mu.Unlock()
	if known {
		return counts
	}
	counts = map[string]int{}
	for _, n := range v.indexes.plans()[plan] {
		counts[v.settledPhase(v.tasks.objects[n].(*resources.Task))]++
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.settled == nil {
		m.settled = map[string]map[string]int{}
	}
	m.settled[plan] = counts
	return counts
}

func (s *Snapshot) settledPhase(t *resources.Task) string {
	switch {
	case s.problem(t.Key()) != nil:
		return ""
	case t.Spec.State == resources.TaskAbandoned, status.TaskDone(t, s.Evidence(t.Metadata.Name)):
		return t.Spec.State
	}
	return ""
}

// PlanCounts returns how many of a plan's tasks stand in each phase.
func (s *Snapshot) PlanCounts(plan string) map[string]int { return maps.Clone(s.tally(plan).counts) }

// PlanReady returns the ready tasks of a plan, sorted by name.
func (s *Snapshot) PlanReady(plan string) []string { return s.tally(plan).ready }

func (s *Snapshot) tally(plan string) *tally {
	s.memo.mu.Lock()
	t := s.memo.tallies[plan]
	s.memo.mu.Unlock()
	if t != nil {
		return t
	}
	t = &tally{counts: map[string]int{}}
	all := s.indexes.plans()[plan]
	t.ready = make([]string, 0, len(all))
	for _, n := range all {
		status := s.observeAt(resources.Key{Kind: resources.Tasks, Name: s.tasks.names[n]}, s.tasks, n).status.(*resources.TaskStatus)
		t.counts[status.Phase]++
		if status.Ready {
			t.ready = append(t.ready, s.tasks.names[n])
		}
	}
	if len(t.ready) == 0 {
		t.ready = nil
	}
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	if s.memo.tallies == nil {
		s.memo.tallies = map[string]*tally{}
	}
	s.memo.tallies[plan] = t
	return t
}
