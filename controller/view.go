package controller

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// What follows are the reads of Client, which says what they return: all of them are answered
// from the cache.

// object returns the last good version of an object of a type; the zero T if there is none.
func object[T resources.Object](w *world, kind, name string) (T, bool) {
	o, ok := w.cache.object(resources.Key{Kind: kind, Name: name}).(T)
	return o, ok
}

// objects returns those of the keys that are objects of a type and pass, in their order.
func objects[T resources.Object](w *world, keys []resources.Key, passes func(T) bool) []T {
	var found []T
	for _, key := range keys {
		if o, ok := w.cache.object(key).(T); ok && passes(o) {
			found = append(found, o)
		}
	}
	return found
}

func all[T resources.Object](T) bool { return true }

// Get returns the last good version of an object.
func (w *world) Get(key resources.Key) (resources.Object, bool) {
	o := w.cache.object(key)
	return o, o != nil
}

// Task returns the last good version of a task.
func (w *world) Task(name string) (*resources.Task, bool) {
	return object[*resources.Task](w, resources.Tasks, name)
}

// Plan returns the last good version of a plan.
func (w *world) Plan(name string) (*resources.WorkPlan, bool) {
	return object[*resources.WorkPlan](w, resources.WorkPlans, name)
}

// Mem returns the last good version of a mem; nil if there is none.
func (w *world) Mem(name string) *resources.Mem {
	m, _ := object[*resources.Mem](w, resources.Mems, name)
	return m
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

// Exists reports whether there is an object of that key, readable or not.
func (w *world) Exists(key resources.Key) bool { return w.cache.get(key).known() }

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

// PlanTasks returns the names of a plan's tasks, sorted.
func (w *world) PlanTasks(plan string) []string { return w.cache.names(IndexPlan, plan) }

// PlanReady returns the ready tasks of a plan, sorted by name.
func (w *world) PlanReady(plan string) []string { return w.cache.names(IndexPlanReady, plan) }

// TasksInState returns the names of all tasks with that spec.state, sorted.
func (w *world) TasksInState(state string) []string { return w.cache.names(IndexTaskState, state) }

// PlansInState returns the names of all plans with that spec.state, sorted.
func (w *world) PlansInState(state string) []string { return w.cache.names(indexPlanState, state) }

// Dependents returns the objects of the same kind that wait for that task or
// plan, sorted by name.
func (w *world) Dependents(key resources.Key) []resources.Key {
	return w.By(IndexDependsOn, key.String())
}

// Superseders returns the mems whose spec.supersedes names that mem, sorted by name.
func (w *world) Superseders(mem string) []*resources.Mem {
	return objects(w, w.By(IndexSupersedes, mem), all[*resources.Mem])
}

// Topic returns the mems of a topic, sorted by name.
func (w *world) Topic(key string) []*resources.Mem {
	return objects(w, w.By(IndexTopic, memory.NormalTopic(key)), all[*resources.Mem])
}

// Triggers returns all triggers, sorted by name.
func (w *world) Triggers() []*resources.Trigger {
	return objects(w, w.List(resources.Triggers), all[*resources.Trigger])
}

// Delegations returns the delegations that hand over that task, sorted by name.
func (w *world) Delegations(task string) []*resources.Delegation {
	referring := w.By(IndexRefers, resources.Key{Kind: resources.Tasks, Name: task}.String())
	return objects(w, referring, func(d *resources.Delegation) bool { return d.Spec.Task == task })
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (w *world) Delegates(delegation string) []*resources.Session {
	referring := w.By(IndexRefers, resources.Key{Kind: resources.Delegations, Name: delegation}.String())
	return objects(w, referring, func(s *resources.Session) bool { return s.Spec.Delegation == delegation })
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
