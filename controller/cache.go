package controller

import (
	"slices"
	"strconv"
	"sync"
	"unique"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// cache is the controller's state. For each object it holds the last good
// version, the problem of its file, its last derived status and its checkpoint
// evidence. Indexes over all objects are updated with each entry. Returned
// values are shared and read-only. It is safe for concurrent use.
type cache struct {
	mu                  sync.RWMutex
	entries             map[resources.Key]*entry
	indexes             map[string]map[string]sortedSet
	phases              map[string]map[string]int // plan -> phase -> tasks
	logs                map[string]checkpointLog  // by task
	noEvidence          *status.Evidence          // evidence of a task without a log
	archived            map[resources.Key]bool
	settings            *resources.ConfigSpec
	changedDependencies map[resources.Key]bool            // objects with changed dependencies since the last cycle check
	cycles              map[resources.Key][]resources.Key // cycles as of the last refreshCycles
	dependencyVersion   uint64                            // changes whenever the set of waiting tasks or their dependencies change
	days                map[int]int                       // day of work -> number of objects that prove it
	dayVersion          uint64                            // number of days added or removed
	revisions           revisions
	changeCount         uint64
	oldTerms            []graph.Term // buffers that update reuses
	newTerms            []graph.Term
}

// entry is the cached state of one object.
type entry struct {
	key     resources.Key
	object  resources.Object // last good version; nil if none
	rev     string           // revision of the stored bytes, valid or not; empty if unreadable
	problem *resources.Problem
	observed
	decoded  any    // decoded status, see Client.KeepDecoded; nil if not kept
	rejected bool   // the file exists but could not be accepted; problem may follow
	version  uint64 // resource version; 0 if unchanged since the first request for versions
	changeID uint64 // changes with the object and when its phase was checked: see errOutdated

	unblocks        int    // for a task, see status.CountUnblocked
	unblocksVersion uint64 // cache.dependencyVersion when unblocks was counted; 0 if never
}

// exists reports whether the object exists, readable or not. An entry for an
// unknown object holds only an orphaned status.
func (e entry) exists() bool { return e.object != nil || e.problem != nil || e.rejected }

// newCache returns an empty cache with the default settings.
func newCache() *cache {
	return &cache{
		entries:             map[resources.Key]*entry{},
		indexes:             map[string]map[string]sortedSet{},
		phases:              map[string]map[string]int{},
		logs:                map[string]checkpointLog{},
		noEvidence:          &status.Evidence{},
		archived:            map[resources.Key]bool{},
		changedDependencies: map[resources.Key]bool{},
		dependencyVersion:   1,
		settings:            resources.EffectiveConfig(nil),
	}
}

// get returns a copy of the entry of key. It returns an entry with only the key
// if the cache has none.
func (c *cache) get(key resources.Key) entry {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if e := c.entries[key]; e != nil {
		return *e
	}
	return entry{key: key}
}

// problem returns the problem of an object's file, or nil.
func (c *cache) problem(key resources.Key) *resources.Problem {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if e := c.entries[key]; e != nil {
		return e.problem
	}
	return nil
}

// update applies change to the entry of key and updates the indexes. It returns
// the entry before and after the change. It deletes an entry whose object does
// not exist and that has no status.
func (c *cache) update(key resources.Key, change func(*entry)) (before, after entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.updateLocked(key, change)
}

// updateLocked is update for a caller that holds the lock.
func (c *cache) updateLocked(key resources.Key, change func(*entry)) (before, after entry) {
	e := c.entries[key]
	if e == nil {
		e = &entry{key: key}
		c.entries[key] = e
	}
	before = *e
	change(e)
	e.key = before.key // share the key's strings
	if e.object != before.object || e.problem != before.problem {
		c.markChanged(e)
	}
	if !sameBytes(before.status, e.status) {
		e.decoded = nil
	}
	c.reindex(e, &before)
	c.revisions.record(&before, e)
	after = *e
	if !e.exists() && e.status == nil {
		delete(c.entries, key)
	}
	if len(c.revisions.changed) >= maxSteps { // no caller has read the changes for a long time
		c.publishRevisions()
	}
	return before, after
}

// markChanged marks e as changed, so that a status computed from its earlier state is
// rejected.
func (c *cache) markChanged(e *entry) {
	c.changeCount++
	e.changeID = c.changeCount
}

// reindex updates the indexes from the terms of before to the terms of e.
func (c *cache) reindex(e, before *entry) {
	if e.object == before.object && e.exists() == before.exists() && (e.problem == nil) == (before.problem == nil) &&
		e.phase == before.phase && e.ready == before.ready {
		return
	}
	terms := allTerms
	if e.object == before.object && e.exists() == before.exists() && (e.problem == nil) == (before.problem == nil) {
		terms = observedTerms // the other terms are unchanged
	}
	c.oldTerms, c.newTerms = terms(c.oldTerms[:0], before), terms(c.newTerms[:0], e)
	for _, t := range c.oldTerms {
		if !slices.Contains(c.newTerms, t) {
			// An empty set is deleted. Otherwise the index would grow with every value ever used.
			values := c.indexes[t.Index]
			if set := values[t.Value].remove(e); len(set) > 0 {
				values[t.Value] = set
			} else {
				delete(values, t.Value)
			}
		}
	}
	for _, t := range c.newTerms {
		if !slices.Contains(c.oldTerms, t) {
			values := c.indexes[t.Index]
			if values == nil {
				values = map[string]sortedSet{}
				c.indexes[t.Index] = values
			}
			values[t.Value] = values[t.Value].add(e)
		}
	}
	c.recount(before, e)
	c.countDays(before.object, e.object)
	edged := !sameDependencies(before.object, e.object)
	if !samePrecedence(before.object, e.object) {
		c.changedDependencies[e.key] = true
	}
	if edged || isLiveTask(before.object) != isLiveTask(e.object) && len(graph.ComesFirst(e.object)) > 0 {
		c.dependencyVersion++
	}
	if e.key.Kind == resources.Configs && e.key.Name == resources.ConfigName {
		config, _ := e.object.(*resources.Config)
		c.settings = resources.EffectiveConfig(config)
	}
}

// lookup returns the keys of one index set, sorted.
func (c *cache) lookup(index, value string) []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.indexes[index][value].keys()
}

// namesBy returns the names in one index set. The set must contain one kind only.
func (c *cache) namesBy(index, value string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.indexes[index][value].names()
}

// size returns the number of entries in one index set.
func (c *cache) size(index, value string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.indexes[index][value])
}

// config returns the settings with defaults applied.
func (c *cache) config() *resources.ConfigSpec {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.settings
}

// keysWithStatus returns the keys of all entries that have a status, including
// entries without an object.
func (c *cache) keysWithStatus() []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var keys []resources.Key
	for key, e := range c.entries {
		if e.status != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// Indexes for the cache's own use.
const (
	indexKind   = "kind"   // value = a kind's plural: all objects of the kind
	indexBroken = "broken" // value = "": all objects with unreadable files
	indexReady  = "ready"  // value = readyValue(plan, rank): ready tasks of that plan and priority
)

// readyValue returns the index value for the ready tasks of a plan with a
// priority rank.
func readyValue(plan string, rank int) string { return plan + "\x00" + strconv.Itoa(rank) }

// allTerms appends all index terms of e.
func allTerms(to []graph.Term, e *entry) []graph.Term {
	if !e.exists() {
		return to
	}
	to = append(to, graph.Term{Index: indexKind, Value: e.key.Kind})
	if e.problem != nil {
		to = append(to, graph.Term{Index: indexBroken})
	}
	if e.object == nil {
		return to
	}
	return observedTerms(graph.Terms(to, e.object), e)
}

// observedTerms appends the index terms that depend on the status.
func observedTerms(to []graph.Term, e *entry) []graph.Term {
	t, ok := e.object.(*resources.Task)
	if !ok {
		return to
	}
	if e.ready {
		to = append(to, graph.Term{Index: indexReady, Value: readyValue(t.Spec.WorkPlan, resources.PriorityRank(t.Spec.Priority))})
	}
	return to
}

// intern shares equal strings between objects, which saves a tenth of the
// memory of an average task. name is the object's name from its key. The caller
// must not have shared the object yet.
func intern(o resources.Object, name string) {
	o.Head().Metadata.Name = name
	for key, value := range o.Head().Metadata.Labels {
		o.Head().Metadata.Labels[key] = unique.Make(value).Value()
	}
	switch o := o.(type) {
	case *resources.Task:
		s := &o.Spec
		internWords(&s.WorkPlan, &s.Phase, &s.Parent, &s.State, &s.Priority, &s.DelegatedBy, &s.AssignedTo, &s.StaleAfter)
		internLists(s.AllowedTools, s.FileLocks, s.Paths)
	case *resources.Mem:
		s := &o.Spec
		internWords(&s.Type, &s.Shelf, &s.OriginTask, &s.StaleAfter, &s.Source)
		internLists(s.Tags)
	case *resources.Anchor:
		internWords(&o.Spec.Type, &o.Spec.Priority)
	}
}

// internWords replaces each text by a shared copy of an equal one.
func internWords(words ...*string) {
	for _, w := range words {
		if *w != "" {
			*w = unique.Make(*w).Value()
		}
	}
}

// internLists replaces each text of the lists by a shared copy of an equal one.
func internLists(lists ...[]string) {
	for _, l := range lists {
		for i := range l {
			internWords(&l[i])
		}
	}
}
