package graph

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// SnapshotInput is the content of a store at one moment.
type SnapshotInput struct {
	// Objects are the last good versions. They are kept and must not change.
	Objects []resources.Object
	// Problems are the files that cannot be read or are invalid. An object whose
	// last good version is known stands in Objects as well.
	Problems map[resources.Key]resources.Problem
	// Archived are the keys of what was set aside.
	Archived []resources.Key
	// Evidence is what the checkpoint logs amount to, by task. May be nil.
	Evidence map[string]*status.Evidence
	// Now is the clock. The zero time means the time of the call.
	Now time.Time
	// SourceFile answers View.SourceFile. nil: no file exists.
	SourceFile func(path string) (modTime time.Time, sha256 string, exists bool)
	// SourceSection answers View.SourceSection. nil: no part of any file exists.
	SourceSection func(path, section string) resources.Part
	// SourceDocument answers View.SourceDocument. nil: there is no document.
	SourceDocument func(path string) resources.Document
	// SourceStack answers View.SourceStack; it is asked once. nil: the map was never asked.
	SourceStack func() resources.Stack
	// SourceMoved answers View.SourceMoved. nil: nothing has moved.
	SourceMoved func(path, section, sha256 string) string
	// CommitDays are the days on which the commits were made that HEAD leads to, as
	// DayOf numbers them. It is asked once, when somebody wants to know. nil: there are none.
	CommitDays func() []int
}

// Snapshot is the graph of a store's content in memory, with the statuses of its objects: each
// is computed once, when it is asked for. It never changes, and any number
// of goroutines may use it. What it returns is shared and read-only.
type Snapshot struct {
	Wide
	content *content
	derived memo[resources.Key, any]
	tallies memo[string, tally]
	settled memo[string, map[string]int]
	chains  *memory.Chains
}

// tally is what the phases of a plan's tasks amount to.
type tally struct {
	counts map[string]int
	ready  []*resources.Task // sorted by name
}

// NewSnapshot makes a Snapshot. Of two objects of one key the later one counts.
func NewSnapshot(in SnapshotInput) *Snapshot {
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	c := newContent(in)
	config, _ := c.objects[resources.Key{Kind: resources.Configs, Name: resources.ConfigName}].(*resources.Config)
	s := &Snapshot{Wide: Wide{New(c, resources.EffectiveConfig(config), in.Now)}, content: c}
	s.chains = memory.Chained(s.Wide)
	return s
}

// Problem returns why an object's file cannot be read or is invalid, if so.
func (s *Snapshot) Problem(key resources.Key) (resources.Problem, bool) {
	p, ok := s.content.Problems[key]
	return p, ok
}

// Problems returns every file that cannot be read or is invalid, sorted by key.
func (s *Snapshot) Problems() []resources.Problem {
	problems := make([]resources.Problem, 0, len(s.content.Problems))
	for key, p := range s.content.Problems {
		p.Key = key
		problems = append(problems, p)
	}
	slices.SortFunc(problems, func(a, b resources.Problem) int { return a.Key.Compare(b.Key) })
	return problems
}

// MemsSaying returns the mems with these words, as NormalText leaves them, sorted by name.
func (s *Snapshot) MemsSaying(text string) []*resources.Mem { return s.content.said()[text] }

// Chains are the chains of mems, worked out once for all that ask.
func (s *Snapshot) Chains() *memory.Chains { return s.chains }

// AsOf returns what was known at another moment: the mems that were recorded by then,
// with what had been said of them. What the files that they cite looked like is not
// known, so they count as unchanged.
func (s *Snapshot) AsOf(at time.Time) *Snapshot {
	in := s.content.SnapshotInput
	in.Now = at
	in.Objects = slices.DeleteFunc(slices.Clone(in.Objects), func(o resources.Object) bool {
		m, ok := o.(*resources.Mem)
		return ok && memory.RecordedAt(m).After(at)
	})
	for i, o := range in.Objects {
		if m, ok := o.(*resources.Mem); ok && m.Spec.SupersedesSince.After(at) { // it stood for itself then
			then := resources.Clone(m).(*resources.Mem)
			then.Spec.Supersedes, then.Spec.SupersedeReason, then.Spec.SupersedesSince = "", "", resources.Time{}
			in.Objects[i] = then
		}
	}
	in.SourceFile = func(string) (time.Time, string, bool) { return time.Time{}, "", true }
	in.SourceSection = func(string, string) resources.Part { return resources.Part{Exists: true} }
	return NewSnapshot(in)
}

// Derived returns the status of an object, computed and filled in (FillStatus),
// transition times aside: a pointer (*TaskStatus, ...). An object without a good
// version has the status of one that says nothing, with phase Invalid. nil if there
// is no such object; but the one trajectory has a status whether there is a file or
// not.
func (s *Snapshot) Derived(key resources.Key) any {
	return s.derived.get(key, func() any { return s.compute(key) })
}

func (s *Snapshot) compute(key resources.Key) (st any) {
	object, problem := s.content.objects[key], (*resources.Problem)(nil)
	if p, broken := s.content.Problems[key]; broken {
		problem = &p
	}
	revision := ""
	switch kind, known := resources.KindOf(key.Kind); {
	case object != nil:
		revision = object.Source().Revision
		st, _ = Derive(object, s.viewFor(object))
	case problem != nil && known:
		st = kind.New().StatusPointer()
	case key == resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}:
		st, _ = Derive((*resources.Trajectory)(nil), s)
	default:
		return nil
	}
	FillStatus(resources.CommonOf(st), key, object, revision, problem)
	return st
}

// viewFor is what an object's status is computed from. Tasks get settled counts of other plans.
func (s *Snapshot) viewFor(o resources.Object) status.WideView {
	if _, isTask := o.(*resources.Task); isTask {
		return settledSnapshot{s}
	}
	return s
}

// settledSnapshot is a Snapshot that counts as settled does.
type settledSnapshot struct{ *Snapshot }

// PlanCounts counts completed, abandoned and other tasks.
func (s settledSnapshot) PlanCounts(plan string) map[string]int {
	return s.settled.get(plan, func() map[string]int { return s.settledCounts(plan) })
}

// PlanCounts returns how many of a plan's tasks stand in each phase.
func (s *Snapshot) PlanCounts(plan string) map[string]int { return maps.Clone(s.tally(plan).counts) }

// PlanReady returns the ready tasks of a plan whose priority has that rank, sorted by name.
func (s *Snapshot) PlanReady(plan string, rank int) []status.ReadyTask {
	return ofRank(s.tally(plan).ready, rank, s)
}

func (s *Snapshot) tally(plan string) tally {
	return s.tallies.get(plan, func() (t tally) {
		t.counts, t.ready = s.Graph.tally(plan, func(t *resources.Task) resources.TaskStatus {
			return *s.Derived(t.Key()).(*resources.TaskStatus)
		})
		return t
	})
}

// memo keeps what was computed. Two goroutines may compute the same at once; both come to the
// same result.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

func (m *memo[K, V]) get(key K, compute func() V) V {
	m.mu.Lock()
	value, known := m.known[key]
	m.mu.Unlock()
	if known {
		return value
	}
	value = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[K]V{}
	}
	m.known[key] = value
	return value
}
