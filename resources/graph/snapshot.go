package graph

import (
	"slices"
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
	// Sightings is what the checkpoint logs amount to, by task. May be nil.
	Sightings map[string]*status.Sightings
	// Now is the clock. The zero time means the time of the call.
	Now time.Time
	// SourceFile answers View.SourceFile. nil: no file exists.
	SourceFile func(path string) (modTime time.Time, sha256 string, exists bool)
	// SourceSection answers View.SourceSection. nil: no part of any file exists.
	SourceSection func(path, section string) (sha256 string, exists bool)
	// CommitDays are the days on which the commits were made that HEAD leads to, as
	// DayOf numbers them. It is asked once, when somebody wants to know. nil: there are none.
	CommitDays func() []int
}

// Snapshot is the content of a store in memory: a WideView that computes statuses
// and indexes when they are asked for, each once. It never changes, and any number
// of goroutines may use it. What it returns is shared and read-only.
type Snapshot struct {
	input    SnapshotInput
	settings *resources.ConfigSpec
	shelves  map[string]*shelf
	tasks    *shelf // one of shelves
	plans    *shelf
	archived map[resources.Key]bool
	indexes  snapshotIndexes
	memo     memo
}

var _ status.WideView = (*Snapshot)(nil)

// NewSnapshot makes a Snapshot. Of two objects of one key the later one counts.
func NewSnapshot(in SnapshotInput) *Snapshot {
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	s := &Snapshot{input: in, shelves: shelve(in), archived: make(map[resources.Key]bool, len(in.Archived))}
	s.tasks, s.plans = s.shelves[resources.Tasks], s.shelves[resources.WorkPlans]
	for _, key := range in.Archived {
		s.archived[key] = true
	}
	s.indexes = s.lazyIndexes()
	config, _ := s.object(resources.Key{Kind: resources.Configs, Name: resources.ConfigName}).(*resources.Config)
	s.settings = resources.EffectiveConfig(config)
	return s
}

func (s *Snapshot) object(key resources.Key) resources.Object {
	object, _ := s.shelves[key.Kind].get(key.Name)
	return object
}

// Get returns the last good version of an object.
func (s *Snapshot) Get(key resources.Key) (resources.Object, bool) {
	o := s.object(key)
	return o, o != nil
}

// List returns the keys of all objects of a kind, readable or not, sorted.
func (s *Snapshot) List(kind string) []resources.Key { return s.shelves[kind].keys(kind) }

// Count returns how many objects of a kind there are, readable or not.
func (s *Snapshot) Count(kind string) int { return len(s.shelves[kind].allNames()) }

// Problem returns why an object's file cannot be read or is invalid, if so.
func (s *Snapshot) Problem(key resources.Key) (resources.Problem, bool) {
	p, ok := s.input.Problems[key]
	return p, ok
}

// Problems returns every file that cannot be read or is invalid, sorted by key.
func (s *Snapshot) Problems() []resources.Problem {
	problems := make([]resources.Problem, 0, len(s.input.Problems))
	for key, p := range s.input.Problems {
		p.Key = key
		problems = append(problems, p)
	}
	slices.SortFunc(problems, func(a, b resources.Problem) int { return a.Key.Compare(b.Key) })
	return problems
}

// Task returns the last good version of a task.
func (s *Snapshot) Task(name string) (*resources.Task, bool) {
	o, _ := s.tasks.get(name)
	t, ok := o.(*resources.Task)
	return t, ok
}

// Plan returns the last good version of a plan.
func (s *Snapshot) Plan(name string) (*resources.WorkPlan, bool) {
	o, _ := s.plans.get(name)
	p, ok := o.(*resources.WorkPlan)
	return p, ok
}

// Exists reports whether there is an object of that key, readable or not.
func (s *Snapshot) Exists(key resources.Key) bool {
	if s.object(key) != nil {
		return true
	}
	_, broken := s.input.Problems[key]
	return broken
}

// Archived reports whether the object stands in the archive.
func (s *Snapshot) Archived(key resources.Key) bool { return s.archived[key] }

// ArchivedKeys returns the keys of what stands in the archive, sorted.
func (s *Snapshot) ArchivedKeys() []resources.Key {
	keys := slices.Clone(s.input.Archived)
	slices.SortFunc(keys, resources.Key.Compare)
	return keys
}

// noSightings is what a task without a checkpoint log amounts to.
var noSightings = &status.Sightings{}

// Evidence returns what the task's checkpoint log amounts to; never nil.
func (s *Snapshot) Evidence(task string) *status.Sightings {
	if seen := s.input.Sightings[task]; seen != nil {
		return seen
	}
	return noSightings
}

// Settings returns the configuration, defaults filled in.
func (s *Snapshot) Settings() *resources.ConfigSpec { return s.settings }

// Now returns the clock of the snapshot.
func (s *Snapshot) Now() time.Time { return s.input.Now }

// SourceFile reports on an anchor's source file.
func (s *Snapshot) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	if s.input.SourceFile == nil {
		return time.Time{}, "", false
	}
	part := s.cite(path, "", func() (c citedPart) {
		c.modTime, c.sum, c.exists = s.input.SourceFile(path)
		return c
	})
	return part.modTime, part.sum, part.exists
}

// SourceSection reports on a part of a file of the repository.
func (s *Snapshot) SourceSection(path, section string) (sha256 string, exists bool) {
	if s.input.SourceSection == nil {
		return "", false
	}
	part := s.cite(path, section, func() (c citedPart) {
		c.sum, c.exists = s.input.SourceSection(path, section)
		return c
	})
	return part.sum, part.exists
}

// Topic returns the mems of a topic, sorted by name.
func (s *Snapshot) Topic(key string) []*resources.Mem {
	return s.indexes.topics()[memory.NormalTopic(key)]
}

// MemsSaying returns the mems with these words, as NormalText leaves them, sorted by name.
func (s *Snapshot) MemsSaying(text string) []*resources.Mem { return s.indexes.said()[text] }

// WorkDays are the days on which the project saw work.
func (s *Snapshot) WorkDays() status.WorkDays { return s.indexes.workDays() }

// AsOf returns what was known at another moment: the mems that were recorded by then,
// with what had been said of them. What the files that they cite looked like is not
// known, so they count as unchanged.
func (s *Snapshot) AsOf(at time.Time) *Snapshot {
	in := s.input
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
	in.SourceSection = func(string, string) (string, bool) { return "", true }
	return NewSnapshot(in)
}

// Mem returns the last good version of a mem; nil if there is none.
func (s *Snapshot) Mem(name string) *resources.Mem {
	m, _ := s.object(resources.Key{Kind: resources.Mems, Name: name}).(*resources.Mem)
	return m
}
