package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// client is the Client of one reconciler: all of them share the world, each has
// its own name in events.
type client struct {
	*world
	from string // "task-reconciler"
}

var _ Client = (*client)(nil)

// world is what all clients share.
type world struct {
	store    store.Store
	cache    *cache
	sources  *sources
	days     *workDays
	recorder *recorder
	deliver  func([]Change)
	gone     func() bool // the store is not there: nothing may be written
	recheck  func(resources.Key)
	writer   *writer
	phasing  *load // all that phases have yet to follow from
	deriving *load // all that statuses have yet to follow from

	observing sync.Mutex // one status is read, merged and replaced at a time
}

func newWorld(s store.Store, o Options, deliver func([]Change)) *world {
	appender, _ := s.(store.Appender)
	trimmer, _ := s.(store.EventTrimmer)
	cache := newCache()
	kept := func() time.Duration { return resources.Duration(cache.config().EventsKept, defaultEventsKept) }
	return &world{
		store: s, cache: cache, deliver: deliver,
		sources:  newSources(s),
		days:     newWorkDays(s, cache),
		recorder: &recorder{appender: appender, observe: o.OnEvent, log: o.Log, old: oldEvents{trimmer: trimmer, kept: kept}},
	}
}

// defaultEventsKept is what holds where config.eventsKept is no duration.
const defaultEventsKept = 14 * 24 * time.Hour

// Get returns the last good version of an object.
func (w *world) Get(key resources.Key) (resources.Object, bool) {
	o := w.cache.object(key)
	return o, o != nil
}

// List returns the keys of all objects of a kind, readable or not, sorted.
func (w *world) List(kind string) []resources.Key { return w.cache.by(indexKind, kind) }

// By returns the keys under that value of an index, sorted.
func (w *world) By(index, value string) []resources.Key { return w.cache.by(index, value) }

// Count is len(By(index, value)) without building the list.
func (w *world) Count(index, value string) int { return w.cache.size(index, value) }

// Problem returns why the object's file cannot be read or is invalid, if so.
func (w *world) Problem(key resources.Key) (resources.Problem, bool) {
	if p := w.cache.problem(key); p != nil {
		return *p, true
	}
	return resources.Problem{}, false
}

// Problems returns all of them, sorted by key.
func (w *world) Problems() []resources.Problem {
	var problems []resources.Problem
	for _, key := range w.cache.by(indexBroken, "") {
		if p, broken := w.Problem(key); broken {
			problems = append(problems, p)
		}
	}
	return problems
}

// Status returns the status as last derived, as JSON; nil if there is none.
func (w *world) Status(key resources.Key) []byte { return w.cache.get(key).status }

// Task returns the last good version of a task.
func (w *world) Task(name string) (*resources.Task, bool) {
	t, ok := w.cache.object(resources.Key{Kind: resources.Tasks, Name: name}).(*resources.Task)
	return t, ok
}

// Plan returns the last good version of a plan.
func (w *world) Plan(name string) (*resources.WorkPlan, bool) {
	p, ok := w.cache.object(resources.Key{Kind: resources.WorkPlans, Name: name}).(*resources.WorkPlan)
	return p, ok
}

// Exists reports whether there is an object of that key, readable or not.
func (w *world) Exists(key resources.Key) bool {
	e := w.cache.get(key)
	return e.known()
}

// Archived reports whether the object stands in .idumb/archive.
func (w *world) Archived(key resources.Key) bool { return w.cache.isArchived(key) }

// Evidence returns what the task's checkpoint log amounts to; never nil.
func (w *world) Evidence(task string) *status.Sightings { return w.cache.evidence(task) }

// PlanCounts returns how many of a plan's tasks stand in each phase. Tasks that
// have no status yet are counted under "".
func (w *world) PlanCounts(plan string) map[string]int { return w.cache.planCounts(plan) }

// Circle returns the dependency circle that key stands in, nil if none.
func (w *world) Circle(key resources.Key) []string { return w.cache.circle(key) }

// Settings returns the configuration, defaults filled in.
func (w *world) Settings() *resources.ConfigSpec { return w.cache.config() }

// Now is the clock.
func (w *world) Now() time.Time { return time.Now() }

// PlanReady returns the ready tasks of a plan, sorted by name.
func (w *world) PlanReady(plan string) []string { return w.cache.names(IndexPlanReady, plan) }

// TasksInState returns the names of all tasks with that spec.state, sorted.
func (w *world) TasksInState(state string) []string { return w.cache.names(IndexTaskState, state) }

// PlansInState returns the names of all plans with that spec.state, sorted.
func (w *world) PlansInState(state string) []string { return w.cache.names(indexPlanState, state) }

// Superseders returns the mems whose spec.supersedes names that mem, sorted by name.
func (w *world) Superseders(mem string) []*resources.Mem {
	var mems []*resources.Mem
	for _, key := range w.cache.by(IndexSupersedes, mem) {
		if m, ok := w.cache.object(key).(*resources.Mem); ok {
			mems = append(mems, m)
		}
	}
	return mems
}

// Mem returns the last good version of a mem; nil if there is none.
func (w *world) Mem(name string) *resources.Mem {
	m, _ := w.cache.object(resources.Key{Kind: resources.Mems, Name: name}).(*resources.Mem)
	return m
}

// Topic returns the mems of a topic, sorted by name.
func (w *world) Topic(key string) []*resources.Mem {
	var mems []*resources.Mem
	for _, key := range w.cache.by(IndexTopic, memory.NormalTopic(key)) {
		if m, ok := w.cache.object(key).(*resources.Mem); ok {
			mems = append(mems, m)
		}
	}
	return mems
}

// WorkDays are the days on which the project saw work.
func (w *world) WorkDays() status.WorkDays { return w.days.get() }

// SourceSection reports on a part of a file of the repository, which is watched from
// then on.
func (w *world) SourceSection(path, section string) (sha256 string, exists bool) {
	return w.sources.section(path, section)
}

// SourceFile reports on a file of the repository, which is watched from then on.
func (w *world) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	return w.sources.get(path)
}

// errGone answers every write while the store is gone. Nobody is told about it
// one by one, and nobody tries again: the listing that follows the store's return
// brings every key back.
var errGone = fmt.Errorf("%w; nothing is written until it is back", store.ErrGone)

// DeleteStatus removes the status of an object that is gone.
func (w *world) DeleteStatus(_ context.Context, key resources.Key) error {
	if w.gone() {
		return errGone
	}
	w.observing.Lock()
	defer w.observing.Unlock()
	w.cache.update(key, func(e *entry) { e.observed = observed{} })
	w.writer.owe(key, Low)
	return nil
}

// Recheck has an object read at once, because somebody knows that it was written.
func (w *world) Recheck(key resources.Key) { w.recheck(key) }

// Archive moves an object aside, if it is still at the cached revision.
func (w *world) Archive(ctx context.Context, key resources.Key) error {
	if w.gone() {
		return errGone
	}
	archiver, ok := w.store.(store.Archiver)
	if !ok {
		return Terminal(fmt.Errorf("archive %s: this store has no archive", key))
	}
	e := w.cache.get(key)
	switch {
	case e.object == nil:
		return nil // gone already
	case e.torn:
		return fmt.Errorf("archive %s: its file cannot be read right now; repair it first", key)
	}
	err := archiver.Archive(ctx, key, e.rev)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("archive %s: %w", key, err)
	}
	if err == nil {
		w.cache.setArchived(key)
	}
	before, after := w.cache.update(key, func(e *entry) { e.object, e.problem, e.torn, e.rev = nil, nil, false, "" })
	w.deliver([]Change{change(before, after)})
	w.recheck(key) // someone may have written it again, and that been read, in between
	return nil
}

// WaitDerived returns when statuses follow from what is in the cache, or with ctx's error.
func (w *world) WaitDerived(ctx context.Context) error { return w.deriving.wait(ctx) }

// WaitPhases returns when phases follow from what is in the cache, or with ctx's error.
func (w *world) WaitPhases(ctx context.Context) error { return w.phasing.wait(ctx) }

// Event records what was done or seen, in the name of this client's reconciler.
func (c *client) Event(key resources.Key, eventType, reason, format string, args ...any) {
	c.recorder.record(key, eventType, reason, c.from, fmt.Sprintf(format, args...))
}

// keys returns the keys of all objects, sorted.
func (c *cache) keys() []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var keys []resources.Key
	for _, set := range c.indexes[indexKind] {
		keys = append(keys, set.keys()...)
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys
}
