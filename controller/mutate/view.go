package mutate

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/source"
	"github.com/idumb-dev/idumb/resources/status"
)

// View is the store's content with the planned changes. It reads objects by
// name as long as few are needed. It reads all objects when a question concerns
// all of them. Most changes need only a few objects, however many there are. It
// must be used by one goroutine.
type View struct {
	*graph.Graph
	tx     *Tx
	staged map[resources.Key]resources.Object // nil for an object to be removed
	stored *stored
	// cyclic holds the objects that may be part of a cycle, after
	// prepareCycles; nil means any object.
	cyclic map[resources.Key]bool
}

var (
	_ admission.Objects = (*View)(nil)
	_ admission.View    = (*View)(nil)
)

// stored caches the objects read so far. All views of one change share it.
type stored struct {
	tx            *Tx
	objects       map[resources.Key]resources.Object // by name; nil if not readable
	snapshot      *graph.Snapshot                    // nil before it is needed
	kindSnapshots map[string]*graph.Snapshot         // snapshots of single kinds in separateKinds
	err           error                              // first read error
}

// maxByName is the number of objects that are read one by one before everything
// is read at once, which is faster from there on.
const maxByName = 64

// newView returns the view of a change that has staged nothing yet.
func newView(t *Tx) *View {
	s := &stored{tx: t, objects: map[resources.Key]resources.Object{}, kindSnapshots: map[string]*graph.Snapshot{}}
	return (&View{tx: t, stored: s}).changed(map[resources.Key]resources.Object{})
}

// changed returns a view of the same stored objects with other staged ones.
func (v *View) changed(staged map[resources.Key]resources.Object) *View {
	next := &View{tx: v.tx, staged: staged, stored: v.stored, cyclic: v.cyclic}
	next.resetGraph()
	return next
}

// resetGraph resets the graph, which caches relations between objects.
func (v *View) resetGraph() {
	v.Graph = graph.New(reader{v}, nil, v.tx.repo.Now())
}

// WithObject returns the view after o is written; v stays unchanged.
func (v *View) WithObject(o resources.Object) *View {
	staged := maps.Clone(v.staged)
	staged[o.Key()] = o
	return v.changed(staged)
}

// withoutKeys returns the view after the objects are removed.
func (v *View) withoutKeys(keys []resources.Key) *View {
	staged := maps.Clone(v.staged)
	for _, key := range keys {
		staged[key] = nil
	}
	return v.changed(staged)
}

// Original returns the view without staged changes.
func (v *View) Original() admission.Objects { return v.changed(nil) }

// stage adds the new version of an object to the view.
func (v *View) stage(o resources.Object) {
	v.staged[o.Key()] = o
	v.resetGraph()
}

// remove stages the removal of an object.
func (v *View) remove(key resources.Key) {
	v.staged[key] = nil
	v.resetGraph()
}

// load reads everything, or some kinds. If that fails, it returns an empty
// snapshot, and nothing will be written.
func (s *stored) load(kinds ...string) *graph.Snapshot {
	snapshot, err := s.tx.repo.Store.Load(s.tx.ctx, s.tx.repo.Now(), kinds...)
	if err != nil {
		s.err = err
		return graph.NewSnapshot(graph.SnapshotInput{Now: s.tx.repo.Now()})
	}
	return snapshot
}

// all returns a snapshot of all stored objects.
func (s *stored) all() *graph.Snapshot {
	if s.snapshot == nil {
		s.snapshot = s.load()
	}
	return s.snapshot
}

// separateKinds lists kinds that are read separately: those that determine the worker
// of a task, those that a task depends on, and those that few objects of other
// kinds refer to.
var separateKinds = []string{resources.Delegations, resources.Sessions, resources.Roles, resources.Decisions, resources.Artifacts, resources.Comments}

// snapshotOf returns a snapshot of the stored objects that includes at least one kind.
func (s *stored) snapshotOf(kind string) *graph.Snapshot {
	if s.snapshot != nil || !slices.Contains(separateKinds, kind) {
		return s.all()
	}
	if s.kindSnapshots[kind] == nil {
		s.kindSnapshots[kind] = s.load(kind)
	}
	return s.kindSnapshots[kind]
}

// get returns the last good version of an object.
func (s *stored) get(key resources.Key) resources.Object {
	if o, known := s.objects[key]; known {
		return o
	}
	if s.snapshot == nil && s.kindSnapshots[key.Kind] == nil && len(s.objects) < maxByName {
		if o, certain := s.byName(key); certain {
			s.objects[key] = o
			return o
		}
	}
	o, _ := s.snapshotOf(key.Kind).Get(key)
	return o
}

// byName reads one object, or nil. An invalid file is not certain, because
// there may be a last good version.
func (s *stored) byName(key resources.Key) (o resources.Object, certain bool) {
	record, err := s.tx.Record(key)
	if err != nil {
		return nil, apierrors.IsNotFound(err) && s.tx.repo.Store.MarkOf(key) == nil
	}
	o, _, err = resources.Read(key, record.Spec)
	if err != nil {
		return nil, false
	}
	o.Source().Revision, o.Source().ModTime = record.Rev, record.ModTime
	return o, true
}

// reader adapts the view to the graph.
type reader struct{ v *View }

// Get returns the staged version of an object, or else its last good version,
// with the state of its file.
func (r reader) Get(key resources.Key) (resources.Object, graph.State) {
	o, staged := r.v.staged[key]
	if !staged {
		o = r.v.stored.get(key)
	}
	if o != nil {
		return o, graph.Good
	}
	if !staged {
		if _, err := r.v.tx.Record(key); err == nil || !apierrors.IsNotFound(err) {
			return nil, graph.Broken
		}
	}
	if r.v.stored.archived(key) {
		return nil, graph.Archived
	}
	return nil, graph.Missing
}

// archived reports whether the archive contains an object.
func (s *stored) archived(key resources.Key) bool {
	if s.snapshot != nil {
		return s.snapshot.Archived(key)
	}
	_, err := s.tx.repo.Store.ReadArchived(s.tx.ctx, key)
	return err == nil
}

// Names returns the names of all objects of a kind after the change, sorted.
func (r reader) Names(kind string) []string {
	var names []string
	for _, key := range r.v.stored.snapshotOf(kind).List(kind) {
		if _, staged := r.v.staged[key]; !staged {
			names = append(names, key.Name)
		}
	}
	for key, o := range r.v.staged {
		if key.Kind == kind && o != nil {
			names = append(names, key.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Mentioning returns all names of a kind and false, because the stored objects
// are not indexed.
func (r reader) Mentioning(kind string, _ ...graph.Term) (names []string, exact bool) {
	return r.Names(kind), false
}

// Evidence returns the evidence in the task's checkpoint log and the unlogged
// files.
func (r reader) Evidence(task string) *status.Evidence { return r.v.Evidence(task) }

// Evidence returns the evidence in the task's checkpoint log and the unlogged
// files.
func (v *View) Evidence(task string) *status.Evidence {
	record, err := v.tx.Record(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	if err != nil {
		return &status.Evidence{Files: v.tx.repo.unlogged[task]}
	}
	seen, _ := status.ReadEvidence(record.Spec)
	seen.Files = append(seen.Files, v.tx.repo.unlogged[task]...)
	return seen
}

// Get returns the last good version of an object after the change.
func (v *View) Get(key resources.Key) (resources.Object, bool) {
	o, _ := reader{v}.Get(key)
	return o, o != nil
}

// RoleNamed returns the role of an agent with that name, or nil.
func (v *View) RoleNamed(agent string) *resources.Role {
	return resources.RoleNamed(agent, v.Roles())
}

// Settings returns the configuration with defaults applied.
func (v *View) Settings() *resources.ConfigSpec {
	o, _ := v.Get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	config, _ := o.(*resources.Config)
	return resources.EffectiveConfig(config)
}

// PlanCounts returns the number of a plan's tasks in each phase after the
// change.
func (v *View) PlanCounts(plan string) map[string]int {
	counts, before := maps.Clone(v.storedCounts(plan)), v.changed(nil)
	if counts == nil {
		counts = map[string]int{}
	}
	count := func(task *resources.Task, by *View, n int) {
		if task != nil && task.Spec.WorkPlan == plan {
			status, _ := status.DeriveTask(task, by)
			counts[status.Phase] += n
		}
	}
	for key, o := range v.staged {
		if key.Kind != resources.Tasks {
			continue
		}
		old, _ := before.Task(key.Name)
		count(old, before, -1)
		task, _ := o.(*resources.Task)
		count(task, v, 1)
	}
	return counts
}

// storedCounts returns the number of a plan's tasks in each phase, without
// staged changes.
func (v *View) storedCounts(plan string) map[string]int {
	if around := v.tx.repo.Neighbors; around != nil && v.stored.snapshot == nil {
		if counts, known := around.PlanCounts(v.tx.ctx, plan); known {
			return counts
		}
	}
	return v.stored.all().PlanCounts(plan)
}

// ask queries the index of related objects, unless everything was already read.
func (v *View) ask(ask func(Neighbors) ([]resources.Key, bool)) ([]resources.Key, bool) {
	if around := v.tx.repo.Neighbors; around != nil && v.stored.snapshot == nil {
		return ask(around)
	}
	return nil, false
}

// staging yields all staged objects, and the stored objects under keys that are
// not staged.
func (v *View) staging(keys []resources.Key) iter.Seq[resources.Object] {
	return func(yield func(resources.Object) bool) {
		for _, o := range v.staged {
			if o != nil && !yield(o) {
				return
			}
		}
		for _, key := range keys {
			if _, staged := v.staged[key]; staged {
				continue
			}
			if o := v.stored.get(key); o != nil && !yield(o) {
				return
			}
		}
	}
}

// Referring yields all objects that will refer to one of keys, and possibly
// others, in no particular order.
func (v *View) Referring(keys ...resources.Key) iter.Seq[resources.Object] {
	found, known := v.ask(func(around Neighbors) ([]resources.Key, bool) { return around.Referring(v.tx.ctx, keys...) })
	if !known {
		for _, kind := range resources.Kinds() {
			found = append(found, v.stored.all().List(kind.Plural)...)
		}
	}
	return v.staging(found)
}

// prepareCycles finds the objects that may be part of a cycle, once for many
// objects to write. Following the references of each one would need quadratic
// time. For kinds without precedence it combines all references within the
// kind, so it may find too many objects but misses none.
func (v *View) prepareCycles() {
	v.stored.all()
	edges, steps := map[string][]string{}, map[status.Step][]status.Step{}
	for o := range v.Referring() {
		key := o.Key()
		switch key.Kind {
		case resources.Tasks, resources.WorkPlans, resources.Decisions:
			for _, step := range [...]status.Step{{Key: key}, {Key: key, Start: true}} {
				if before := status.Precedence(step, v); len(before) > 0 {
					steps[step] = graph.Steps(before)
				}
			}
		}
		for _, r := range resources.References(o) {
			if r.Key.Kind == key.Kind && !strings.HasPrefix(r.Field, "spec.relatedTo") {
				edges[key.String()] = append(edges[key.String()], r.Key.String())
			}
		}
	}
	v.cyclic = map[resources.Key]bool{}
	for key := range graph.Cycles(steps) {
		v.cyclic[key] = true
	}
	for name := range graph.CyclesOf(edges) {
		kind, name, _ := strings.Cut(name, "/")
		v.cyclic[resources.Key{Kind: kind, Name: name}] = true
	}
}

// MayCircle reports whether the object may be part of a cycle.
func (v *View) MayCircle(key resources.Key) bool {
	return v.cyclic == nil || v.cyclic[key]
}

// Mem returns the last good version of a mem after the change, or nil.
func (v *View) Mem(name string) *resources.Mem {
	o, _ := v.Get(resources.Key{Kind: resources.Mems, Name: name})
	m, _ := o.(*resources.Mem)
	return m
}

// Superseders returns the mems whose spec.supersedes will name that mem, sorted
// by name.
func (v *View) Superseders(name string) []*resources.Mem {
	old := resources.Key{Kind: resources.Mems, Name: name}
	return v.memsThat(func(around Neighbors) ([]resources.Key, bool) { return around.Referring(v.tx.ctx, old) },
		func(s *graph.Snapshot) []*resources.Mem { return s.Superseders(name) },
		func(m *resources.Mem) bool { return m.Spec.Supersedes == name })
}

// Topic returns the mems that will have that topic, sorted by name.
func (v *View) Topic(key string) []*resources.Mem {
	topic := memory.NormalTopic(key)
	return v.memsThat(func(around Neighbors) ([]resources.Key, bool) { return around.OfTopic(v.tx.ctx, key) },
		func(s *graph.Snapshot) []*resources.Mem { return s.Topic(key) },
		func(m *resources.Mem) bool { return memory.NormalTopic(m.Spec.TopicKey) == topic })
}

// MemsSaying returns the mems that will have these words, normalized by
// memory.NormalText, sorted by name.
func (v *View) MemsSaying(text string) []*resources.Mem {
	return v.memsThat(func(around Neighbors) ([]resources.Key, bool) { return around.Saying(v.tx.ctx, text) },
		func(s *graph.Snapshot) []*resources.Mem { return s.MemsSaying(text) },
		func(m *resources.Mem) bool { return memory.Says(m.Spec.Content, text) })
}

// memsThat returns the stored mems with the staged changes. ask finds
// candidates with the index, and read finds them without it.
func (v *View) memsThat(ask func(Neighbors) ([]resources.Key, bool), read func(*graph.Snapshot) []*resources.Mem, fits func(*resources.Mem) bool) []*resources.Mem {
	keys, known := v.ask(ask)
	if !known {
		for _, m := range read(v.stored.all()) {
			keys = append(keys, m.Key())
		}
	}
	var mems []*resources.Mem
	for o := range v.staging(keys) {
		if m, ok := o.(*resources.Mem); ok && fits(m) {
			mems = append(mems, m)
		}
	}
	slices.SortFunc(mems, func(a, b *resources.Mem) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return mems
}

// SourceFile returns the state of a repository file. See status.WideView.
func (v *View) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	file := v.tx.repo.Store.ReadSource(path, store.SourceFile{})
	return file.ModTime, file.SHA256, file.Exists
}

// SourceSection describes a section of a repository file: whether it exists, and its checksum.
func (v *View) SourceSection(path, section string) resources.Part {
	return v.tx.repo.Store.SourceSection(path, section)
}

// SourceDocument returns a Markdown file of the repository.
func (v *View) SourceDocument(path string) resources.Document {
	return v.tx.repo.Store.SourceDocument(path)
}

// SourceStack returns the technologies that the code map last found.
func (v *View) SourceStack() resources.Stack { return v.tx.repo.Store.SourceStack() }

// SourceMoved returns the file that replaces a missing one.
func (v *View) SourceMoved(path, section, sha256 string) string {
	return v.tx.repo.Store.SourceMoved(path, section, sha256)
}

// SourceNames returns the names by which parts of a file may be cited.
func (v *View) SourceNames(path string) []string {
	text, _ := v.tx.repo.Store.SourceText(path)
	return source.Names(path, text)
}

// HasFile reports whether a file or directory of the repository matches a glob. See admission.View.
func (v *View) HasFile(glob string) bool { return v.tx.repo.Store.Root().HasFile(glob) }

// TrackedFiles returns the files that git tracks. See admission.View.
func (v *View) TrackedFiles() []string { return v.tx.repo.Store.Root().Tracked() }
