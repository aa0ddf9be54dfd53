package controller

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// reader is the cache as a graph.Reader that is kept up to date, with the repository around.
type reader struct {
	*cache
	sources *sources
	days    *workDays
}

var (
	_ graph.Live         = reader{}
	_ graph.Surroundings = reader{}
)

// Get returns the last good version of an object, and how its file stands.
func (r reader) Get(key resources.Key) (resources.Object, graph.State) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e := r.entries[key]
	switch {
	case e == nil || !e.known():
		if r.archived[key] {
			return nil, graph.Archived
		}
		return nil, graph.Missing
	case e.object == nil || e.problem != nil:
		return e.object, graph.Broken
	}
	return e.object, graph.Good
}

// Names returns the names of a kind's objects.
func (r reader) Names(kind string) []string { return r.names(indexKind, kind) }

// Mentioning looks the terms up. What a word occurs in is not known.
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

// Evidence returns what the task's checkpoint log amounts to.
func (r reader) Evidence(task string) *status.Evidence { return r.evidence(task) }

// PlanReady returns the ready tasks of a plan whose priority has that rank. What each unblocks is
// counted once until a task begins or ceases to wait, or waits for others.
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
		if e := r.entries[t.Task.Key()]; e != nil && r.waiting == waiting {
			e.unblocks, e.waiting = t.Unblocks, waiting
		}
	}
	return ready
}

// PlanCounts returns how many of a plan's tasks stand in each phase. Tasks that
// have no status yet are counted under "".
func (r reader) PlanCounts(plan string) map[string]int { return r.planCounts(plan) }

// Circle returns the dependency circle that key stands in.
func (r reader) Circle(key resources.Key) []resources.Key { return r.circle(key) }

// Settings returns the configuration, defaults filled in.
func (r reader) Settings() *resources.ConfigSpec { return r.config() }

// WorkDays are the days on which the project saw work.
func (r reader) WorkDays() status.WorkDays { return r.days.get() }

// SourceSection reports on a part of a file of the repository, which is watched from then on.
func (r reader) SourceSection(path, section string) resources.Part {
	return r.sources.section(path, section)
}

// SourceDocument reads a Markdown file of the repository, which is watched from then on.
func (r reader) SourceDocument(path string) resources.Document { return r.sources.document(path) }

// SourceStack is what the map last saw in the repository's manifests; what it left is watched from then on.
func (r reader) SourceStack() resources.Stack { return r.sources.stack() }

// SourceMoved returns the file that stands in the place of one that is gone, which is watched
// from then on.
func (r reader) SourceMoved(path, section, sha256 string) string {
	return r.sources.moved(path, section, sha256)
}

// SourceFile reports on a file of the repository, which is watched from then on.
func (r reader) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	return r.sources.get(path)
}

// What follows are the reads of Client that are no part of a graph, all from the cache too.

// Reader is the cache as a graph.Reader.
func (w *world) Reader() graph.Reader { return reader{w.cache, w.sources, w.days} }

// By returns the keys under that value of an index, sorted.
func (w *world) By(index, value string) []resources.Key { return w.cache.by(index, value) }

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
