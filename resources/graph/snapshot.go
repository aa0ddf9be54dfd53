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

// SnapshotInput is the content of a store at one time.
type SnapshotInput struct {
	// Objects contains the last valid versions. The Snapshot keeps them, so they must not
	// be modified.
	Objects []resources.Object
	// Problems contains the unreadable and invalid files. Objects also contains their last
	// valid versions, if known.
	Problems map[resources.Key]resources.Problem
	// Archived contains the keys of archived objects.
	Archived []resources.Key
	// Evidence contains the summaries of the checkpoint logs, by task. May be nil.
	Evidence map[string]*status.Evidence
	// Now is the time of the computation. The zero time means the time of the call.
	Now time.Time
	// SourceFile implements View.SourceFile. nil means that no file exists.
	SourceFile func(path string) (modTime time.Time, sha256 string, exists bool)
	// SourceSection implements View.SourceSection. nil means that no section exists.
	SourceSection func(path, section string) resources.Part
	// SourceDocument implements View.SourceDocument. nil means that no document exists.
	SourceDocument func(path string) resources.Document
	// SourceStack implements View.SourceStack. It is called at most once. nil means that no
	// scan was done.
	SourceStack func() resources.Stack
	// SourceMoved implements View.SourceMoved. nil means that no file was moved.
	SourceMoved func(path, section, sha256 string) string
	// CommitDays returns the days of the commits in the history of HEAD, as numbered by
	// status.DayOf. It is called lazily and at most once. nil means that there are no commits.
	CommitDays func() []int
}

// Snapshot is an immutable graph of a store's content in memory, with the statuses of
// its objects. Statuses are computed lazily and cached. It is safe for concurrent use.
// Its results are shared and must not be modified.
type Snapshot struct {
	Wide
	content *snapshotReader
	derived memo[resources.Key, any]
	tallies memo[string, tally]
	settled memo[string, map[string]int]
	chains  *memory.Chains
}

// tally summarizes the phases of a plan's tasks.
type tally struct {
	counts map[string]int
	ready  []*resources.Task // sorted by name
}

// NewSnapshot returns a Snapshot. If two objects have the same key, the later one is used.
func NewSnapshot(in SnapshotInput) *Snapshot {
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	c := &snapshotReader{
		SnapshotInput: in, objects: make(map[resources.Key]resources.Object, len(in.Objects)), names: map[string][]string{},
		archived: make(map[resources.Key]bool, len(in.Archived)),
	}
	for _, o := range in.Objects {
		key := o.Key()
		c.objects[key] = o
		c.names[key.Kind] = append(c.names[key.Kind], key.Name)
	}
	for key := range in.Problems {
		c.names[key.Kind] = append(c.names[key.Kind], key.Name)
	}
	for kind, names := range c.names {
		slices.Sort(names)
		c.names[kind] = slices.Compact(names)
	}
	for _, key := range in.Archived {
		c.archived[key] = true
	}
	c.stack = sync.OnceValue(func() (none resources.Stack) {
		if in.SourceStack == nil {
			return none
		}
		return in.SourceStack()
	})
	c.workDays, c.memsByText = sync.OnceValue(c.listWorkDays), sync.OnceValue(c.indexSaid)
	config, _ := c.objects[resources.Key{Kind: resources.Configs, Name: resources.ConfigName}].(*resources.Config)
	s := &Snapshot{Wide: Wide{New(c, resources.EffectiveConfig(config), in.Now)}, content: c}
	s.chains = memory.Chained(s.Wide)
	return s
}

// Problem returns the problem of an object's file, if it is unreadable or invalid.
func (s *Snapshot) Problem(key resources.Key) (resources.Problem, bool) {
	p, ok := s.content.Problems[key]
	return p, ok
}

// Problems returns the problems of all unreadable and invalid files, sorted by key.
func (s *Snapshot) Problems() []resources.Problem {
	problems := make([]resources.Problem, 0, len(s.content.Problems))
	for key, p := range s.content.Problems {
		p.Key = key
		problems = append(problems, p)
	}
	slices.SortFunc(problems, func(a, b resources.Problem) int { return a.Key.Compare(b.Key) })
	return problems
}

// MemsSaying returns the mems with a normalized content (NormalText), sorted by name.
func (s *Snapshot) MemsSaying(text string) []*resources.Mem { return s.content.memsByText()[text] }

// Chains returns the chains of mems. They are computed once.
func (s *Snapshot) Chains() *memory.Chains { return s.chains }

// AsOf returns the state of knowledge at another time: the mems that were recorded by then,
// without later replacements. The former content of cited files is unknown, so they count
// as unchanged.
func (s *Snapshot) AsOf(at time.Time) *Snapshot {
	in := s.content.SnapshotInput
	in.Now = at
	in.Objects = slices.DeleteFunc(slices.Clone(in.Objects), func(o resources.Object) bool {
		m, ok := o.(*resources.Mem)
		return ok && memory.RecordedAt(m).After(at)
	})
	for i, o := range in.Objects {
		if m, ok := o.(*resources.Mem); ok && m.Spec.SupersedesSince.After(at) { // the replacement was not known yet
			then := resources.Clone(m).(*resources.Mem)
			then.Spec.Supersedes, then.Spec.SupersedeReason, then.Spec.SupersedesSince = "", "", resources.Time{}
			in.Objects[i] = then
		}
	}
	in.SourceFile = func(string) (time.Time, string, bool) { return time.Time{}, "", true }
	in.SourceSection = func(string, string) resources.Part { return resources.Part{Exists: true} }
	return NewSnapshot(in)
}

// Derived returns a pointer to the status of an object (*TaskStatus, ...), including the
// fields of FillStatus but without transition times. Without a valid version, the status is
// empty with phase Invalid. It returns nil if the object does not exist. The trajectory
// always has a status.
func (s *Snapshot) Derived(key resources.Key) any {
	return s.derived.get(key, func() any { return s.compute(key) })
}

// compute derives the status of an object. It returns nil for a missing object, except for the
// trajectory.
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

// viewFor returns the view for computing an object's status. Tasks get settled counts of
// other plans.
func (s *Snapshot) viewFor(o resources.Object) status.WideView {
	if _, isTask := o.(*resources.Task); isTask {
		return settledSnapshot{s}
	}
	return s
}

// settledSnapshot is a Snapshot with the plan counts of settledGraph.
type settledSnapshot struct{ *Snapshot }

// PlanCounts counts the completed and the abandoned tasks of a plan, and all others under "". It
// derives no status of a task, because that status needs these counts.
func (s settledSnapshot) PlanCounts(plan string) map[string]int {
	return s.settled.get(plan, func() map[string]int { return s.settledCounts(plan) })
}

// PlanCounts returns the number of a plan's tasks by phase.
func (s *Snapshot) PlanCounts(plan string) map[string]int { return maps.Clone(s.tally(plan).counts) }

// PlanReady returns the ready tasks of a plan with a priority rank, sorted by name.
func (s *Snapshot) PlanReady(plan string, rank int) []status.ReadyTask {
	return ofRank(s.tally(plan).ready, rank, s)
}

// tally returns the phases of a plan's tasks, cached.
func (s *Snapshot) tally(plan string) tally {
	return s.tallies.get(plan, func() (t tally) {
		t.counts, t.ready = s.Graph.tally(plan, func(t *resources.Task) resources.TaskStatus {
			return *s.Derived(t.Key()).(*resources.TaskStatus)
		})
		return t
	})
}

// memo is a cache. Two goroutines may compute the same value concurrently; both get the
// same result.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// get returns the cached value of a key, or computes and caches it.
func (m *memo[K, V]) get(key K, compute func() V) V {
	m.mu.Lock()
	value, known := m.values[key]
	m.mu.Unlock()
	if known {
		return value
	}
	value = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[K]V{}
	}
	m.values[key] = value
	return value
}
