package controller

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// reader adapts the cache, the repository's files and the days of work to
// graph.Reader. Its results change with the cache.
type reader struct {
	*cache
	sources *sources
	days    *workDays
}

var (
	_ graph.Live         = reader{}
	_ graph.Surroundings = reader{}
)

// Get returns the last good version of an object and the state of its file.
func (r reader) Get(key resources.Key) (resources.Object, graph.State) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e := r.entries[key]
	switch {
	case e == nil || !e.exists():
		if r.archived[key] {
			return nil, graph.Archived
		}
		return nil, graph.Missing
	case e.object == nil || e.problem != nil:
		return e.object, graph.Broken
	}
	return e.object, graph.Good
}

// Names returns the names of all objects of a kind.
func (r reader) Names(kind string) []string { return r.namesBy(indexKind, kind) }

// Mentioning returns the names of objects with any of the terms. Words are not
// indexed; for them it returns all names and false.
func (r reader) Mentioning(kind string, terms ...graph.Term) (names []string, exact bool) {
	if slices.ContainsFunc(terms, func(t graph.Term) bool { return t.Index == "" }) {
		return r.Names(kind), false
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, term := range terms {
		if more := r.indexes[term.Index][term.Value].namesOf(kind); len(names) == 0 {
			names = more
		} else {
			names = append(slices.Clip(names), more...)
		}
	}
	if len(terms) > 1 {
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return names, true
}

// Evidence returns the evidence in the task's checkpoint log.
func (r reader) Evidence(task string) *status.Evidence { return r.evidence(task) }

// PlanReady returns the plan's ready tasks with that priority rank. The number
// of tasks that each one unblocks is cached until the set of waiting tasks or
// their dependencies change.
func (r reader) PlanReady(plan string, rank int) []status.ReadyTask {
	ready, uncounted, waiting := r.ready(plan, rank)
	if len(uncounted) == 0 {
		return ready
	}
	now := graph.Wide{Graph: graph.New(r, nil, time.Time{})}
	for _, t := range uncounted {
		t.Unblocks = status.CountUnblocked(t.Task.Metadata.Name, now)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range uncounted {
		if e := r.entries[t.Task.Key()]; e != nil && r.dependencyVersion == waiting {
			e.unblocks, e.unblocksVersion = t.Unblocks, waiting
		}
	}
	return ready
}

// PlanCounts returns the number of a plan's tasks in each phase. Tasks without
// a status are counted under "".
func (r reader) PlanCounts(plan string) map[string]int { return r.planCounts(plan) }

// Circle returns the dependency cycle that contains key.
func (r reader) Circle(key resources.Key) []resources.Key { return r.cycle(key) }

// Settings returns the configuration with defaults applied.
func (r reader) Settings() *resources.ConfigSpec { return r.config() }

// WorkDays returns the days on which the project saw work.
func (r reader) WorkDays() status.WorkDays { return r.days.get() }

// SourceSection describes a section of a file of the repository: whether it
// exists, and its checksum. The file is watched from then on.
func (r reader) SourceSection(path, section string) resources.Part {
	return r.sources.section(path, section)
}

// SourceDocument returns a Markdown file of the repository. The file is watched
// from then on.
func (r reader) SourceDocument(path string) resources.Document {
	if _, _, exists := r.sources.get(path); !exists {
		return resources.Document{}
	}
	return cached(r.sources, path, "", func(f *source) *map[string]resources.Document { return &f.doc },
		func() resources.Document { return r.sources.store.SourceDocument(path) })
}

// SourceStack returns the technologies that the code map last found in the
// manifests. Its result file is watched from then on.
func (r reader) SourceStack() resources.Stack {
	if _, _, exists := r.sources.get(store.StackFile); !exists {
		return resources.Stack{}
	}
	return cached(r.sources, store.StackFile, "", func(f *source) *map[string]resources.Stack { return &f.stack }, r.sources.store.SourceStack)
}

// SourceMoved returns the file that replaces a missing one or contains a missing
// section, or "" if unknown. That file is watched from then on.
func (r reader) SourceMoved(path, section, sha256 string) string {
	return r.sources.moved(path, section, sha256)
}

// SourceFile returns the state of a file of the repository. The file is watched
// from then on.
func (r reader) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	return r.sources.get(path)
}

// The following methods implement the reads of Client that are not part of a
// graph. They read the cache too.

// Reader returns the cache as a graph.Reader.
func (w *world) Reader() graph.Reader { return reader{w.cache, w.sources, w.days} }

// Lookup returns the keys under a value of an index, sorted.
func (w *world) Lookup(index, value string) []resources.Key { return w.cache.lookup(index, value) }

// Problem returns the problem of an object's file, if it is unreadable or
// invalid.
func (w *world) Problem(key resources.Key) (resources.Problem, bool) {
	if p := w.cache.problem(key); p != nil {
		return *p, true
	}
	return resources.Problem{}, false
}

// Problems returns all problems, sorted by key.
func (w *world) Problems() []resources.Problem {
	var problems []resources.Problem
	for _, key := range w.cache.lookup(indexBroken, "") {
		if p, broken := w.Problem(key); broken {
			problems = append(problems, p)
		}
	}
	return problems
}

// Status returns the last derived status as JSON; nil if none.
func (w *world) Status(key resources.Key) []byte { return w.cache.get(key).status }

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
