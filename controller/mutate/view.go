package mutate

import (
	"iter"
	"maps"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// View is a store's content, changed by what is about to be written. It reads
// objects by name as long as few are asked for, and everything only when
// somebody wants to know about all of them: most changes look at a handful of
// objects, however many there are. It is for one goroutine.
type View struct {
	tx     *Tx
	staged map[resources.Key]resources.Object // nil: about to be removed
	shared *reading
	// circular holds what may stand in a circle, once prepareCircles has looked.
	circular map[string][]string
}

// reading is what was read so far; views made with With share it.
type reading struct {
	objects  map[resources.Key]resources.Object // by name; nil: nothing readable
	snapshot *graph.Snapshot                    // nil until it is needed
	err      error                              // of reading it
}

// maxByName is how many objects are read one by one before everything is read at
// once: about where that becomes the cheaper way.
const maxByName = 64

func newView(t *Tx) *View {
	shared := &reading{objects: map[resources.Key]resources.Object{}}
	if known := t.repo.Known; known != nil {
		shared.snapshot = known()
	}
	return &View{tx: t, staged: map[resources.Key]resources.Object{}, shared: shared}
}

// With returns the view as it is once o is written; v stays as it is.
func (v *View) With(o resources.Object) *View {
	staged := maps.Clone(v.staged)
	staged[o.Key()] = o
	return &View{tx: v.tx, staged: staged, shared: v.shared}
}

// all is everything that is there. If it cannot be read it is empty, and nothing
// will be written.
func (v *View) all() *graph.Snapshot {
	r := v.shared
	if r.snapshot == nil {
		r.snapshot, r.err = v.tx.repo.Store.Load(v.tx.ctx, v.Now())
		if r.err != nil {
			r.snapshot = graph.NewSnapshot(graph.SnapshotInput{Now: v.Now()})
		}
	}
	return r.snapshot
}

// Get returns the last good version of what will be there under that key.
func (v *View) Get(key resources.Key) (resources.Object, bool) {
	o, found := v.staged[key]
	if !found {
		o = v.stored(key)
	}
	return o, o != nil
}

// stored returns the last good version of what is there.
func (v *View) stored(key resources.Key) resources.Object {
	r := v.shared
	if o, known := r.objects[key]; known {
		return o
	}
	if r.snapshot == nil && len(r.objects) < maxByName {
		if o, certain := v.tx.readable(key); certain {
			r.objects[key] = o
			return o
		}
	}
	o, _ := v.all().Get(key)
	return o
}

// readable reads an object by name; nil if there is none. A file that is not
// valid says nothing certain: there may be a last good version.
func (t *Tx) readable(key resources.Key) (o resources.Object, certain bool) {
	record, err := t.Record(key)
	if err != nil {
		return nil, isNotFound(err)
	}
	o, _, err = resources.Read(key, record.Spec)
	if err != nil {
		return nil, false
	}
	o.Source().Revision, o.Source().ModTime = record.Rev, record.ModTime
	return o, true
}

// Task returns the last good version of a task.
func (v *View) Task(name string) (*resources.Task, bool) {
	o, _ := v.Get(resources.Key{Kind: resources.Tasks, Name: name})
	task, ok := o.(*resources.Task)
	return task, ok
}

// Plan returns the last good version of a plan.
func (v *View) Plan(name string) (*resources.WorkPlan, bool) {
	o, _ := v.Get(resources.Key{Kind: resources.WorkPlans, Name: name})
	plan, ok := o.(*resources.WorkPlan)
	return plan, ok
}

// Exists reports whether there will be an object of that key, readable or not.
func (v *View) Exists(key resources.Key) bool {
	if o, found := v.staged[key]; found {
		return o != nil
	}
	if v.stored(key) != nil {
		return true
	}
	_, err := v.tx.Record(key)
	return err == nil || !isNotFound(err)
}

// Archived reports whether the object stands in the archive.
func (v *View) Archived(key resources.Key) bool {
	if v.shared.snapshot != nil {
		return v.shared.snapshot.Archived(key)
	}
	_, _, err := v.tx.repo.Store.Root().Read(layout.ArchivePath(key), layout.MaxSpec)
	return err == nil
}

// Evidence returns what the task's checkpoint log amounts to.
func (v *View) Evidence(task string) *status.Sightings {
	record, err := v.tx.Record(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	if err != nil {
		return &status.Sightings{}
	}
	seen, _ := status.ReadSightings(record.Spec)
	return seen
}

// PlanCounts returns how many of a plan's tasks will stand in each phase.
func (v *View) PlanCounts(plan string) map[string]int {
	counts, stored := maps.Clone(v.storedCounts(plan)), v.unstaged()
	if counts == nil {
		counts = map[string]int{}
	}
	for key, o := range v.staged {
		if key.Kind != resources.Tasks {
			continue
		}
		if old, found := stored.Task(key.Name); found && old.Spec.WorkPlan == plan {
			counts[phase(old, stored)]--
		}
		if task, ok := o.(*resources.Task); ok && task.Spec.WorkPlan == plan {
			counts[phase(task, v)]++
		}
	}
	return counts
}

// storedCounts are PlanCounts of what is there.
func (v *View) storedCounts(plan string) map[string]int {
	if around := v.tx.repo.Around; around != nil && v.shared.snapshot == nil {
		if counts, known := around.PlanCounts(v.tx.ctx, plan); known {
			return counts
		}
	}
	return v.all().PlanCounts(plan)
}

// unstaged is the view as it is while nothing is written.
func (v *View) unstaged() *View { return &View{tx: v.tx, shared: v.shared} }

func phase(t *resources.Task, v status.View) string {
	status, _ := status.DeriveTask(t, v)
	return status.Phase
}

// Circle returns the dependency circle that a task or a plan will stand in.
func (v *View) Circle(key resources.Key) []string {
	return graph.FindCircle(key, func(key resources.Key) []string {
		o, _ := v.Get(key)
		switch o := o.(type) {
		case *resources.Task:
			if gate := o.Spec.TemporalGate; gate != nil {
				return append(o.Spec.DependsOn[:len(o.Spec.DependsOn):len(o.Spec.DependsOn)], gate.After)
			}
			return o.Spec.DependsOn
		case *resources.WorkPlan:
			return o.Spec.DependsOn
		}
		return nil
	})
}

// Settings returns the configuration, defaults filled in.
func (v *View) Settings() *resources.ConfigSpec {
	o, _ := v.Get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	config, _ := o.(*resources.Config)
	return resources.EffectiveConfig(config)
}

// Now is the one clock of a change.
func (v *View) Now() time.Time { return v.tx.repo.Now() }

// Referring yields all objects that will refer to one of these, and perhaps others, in no
// particular order.
func (v *View) Referring(keys ...resources.Key) iter.Seq[resources.Object] {
	around := v.tx.repo.Around
	if around == nil || v.shared.snapshot != nil {
		return v.objects()
	}
	found, known := around.Referring(v.tx.ctx, keys...)
	if !known {
		return v.objects()
	}
	return func(yield func(resources.Object) bool) {
		for _, o := range v.staged {
			if o != nil && !yield(o) {
				return
			}
		}
		for _, key := range found {
			if _, staged := v.staged[key]; staged {
				continue
			}
			if o := v.stored(key); o != nil && !yield(o) {
				return
			}
		}
	}
}

// ofKind yields what will be there of a kind, as far as it can be read.
func ofKind[T resources.Object](v *View, kind string) iter.Seq[T] {
	return func(yield func(T) bool) {
		for key, staged := range v.staged {
			if o, ok := staged.(T); ok && key.Kind == kind && !yield(o) {
				return
			}
		}
		for _, key := range v.all().List(kind) {
			if _, staged := v.staged[key]; staged {
				continue
			}
			o, _ := v.all().Get(key)
			if o, ok := o.(T); ok && !yield(o) {
				return
			}
		}
	}
}

// objects yields everything that will be there, as far as it can be read.
func (v *View) objects() iter.Seq[resources.Object] {
	return func(yield func(resources.Object) bool) {
		for _, kind := range resources.Kinds() {
			for o := range ofKind[resources.Object](v, kind.Plural) {
				if !yield(o) {
					return
				}
			}
		}
	}
}
