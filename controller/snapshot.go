package controller

import (
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Snapshot returns what is in the cache as it is now.
func (w *world) Snapshot() *graph.Snapshot {
	in := w.cache.input()
	in.Now, in.SourceFile, in.SourceSection = w.Now(), w.SourceFile, w.SourceSection
	in.CommitDays = func() []int { return w.WorkDays() }
	return graph.NewSnapshot(in)
}

// input is what a Snapshot is made of, as far as the cache holds it.
func (c *cache) input() graph.SnapshotInput {
	c.mu.RLock()
	defer c.mu.RUnlock()
	in := graph.SnapshotInput{
		Objects:  make([]resources.Object, 0, len(c.entries)),
		Problems: map[resources.Key]resources.Problem{},
		Evidence: make(map[string]*status.Evidence, len(c.logs)),
		Archived: slices.Collect(maps.Keys(c.archived)),
	}
	for _, set := range c.indexes[indexKind] {
		for _, key := range set.keys() { // sorted, so that nobody has to sort them again
			e := c.entries[key]
			if e.object != nil {
				in.Objects = append(in.Objects, e.object)
			}
			if e.problem != nil {
				in.Problems[key] = *e.problem
			}
		}
	}
	for task, log := range c.logs {
		in.Evidence[task] = log.evidence
	}
	return in
}
