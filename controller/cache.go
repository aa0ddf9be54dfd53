package controller

import (
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// cache is what the controller knows: the last good version of every object,
// what is wrong with its file, its status as last observed, what its checkpoint log
// amounts to, and indexes over all of them that are kept as entries change. What
// it returns is shared and read-only. All methods may be called at once.
type cache struct {
	mu        sync.RWMutex
	entries   map[resources.Key]*entry
	indexes   map[string]map[string]sortedSet
	phases    map[string]map[string]int // plan -> phase -> tasks
	logs      map[string]checkpointLog  // by task
	nothing   *status.Evidence          // of a task without a log
	archived  map[resources.Key]bool
	settings  *resources.ConfigSpec
	edged     map[resources.Key]bool            // whose dependencies changed since circles were looked at
	circles   map[resources.Key][]resources.Key // as of the last refreshCircles
	waiting   uint64                            // another one whenever other tasks wait, or for others
	days      map[int]int                       // on which objects show that there was work, with how many do
	daysSeen  uint64                            // how often a day came or went
	revisions revisions
	turns     uint64
	before    []graph.Term // room for update, used again
	after     []graph.Term
}

// entry is what is known of one object.
type entry struct {
	key     resources.Key
	object  resources.Object // the last good version; nil: there is none
	rev     string           // of the bytes in the store, good or not; "" when they could not be read
	problem *resources.Problem
	observed
	decoded any    // status, see Client.KeepDecoded; nil: nobody did
	torn    bool   // the file is there and could not be taken; problem may come yet
	version uint64 // resource version; 0: unchanged since somebody asked for it first
	turn    uint64 // another one whenever the object is, or its phase was looked at: see errOutdated

	unblocks int    // of a task, see status.CountUnblocked
	waiting  uint64 // cache.waiting when that was counted; 0: never
}

// known reports whether the object exists, readable or not. An entry that is not
// known holds a status that was left behind.
func (e entry) known() bool { return e.object != nil || e.problem != nil || e.torn }

func newCache() *cache {
	return &cache{
		entries:  map[resources.Key]*entry{},
		indexes:  map[string]map[string]sortedSet{},
		phases:   map[string]map[string]int{},
		logs:     map[string]checkpointLog{},
		nothing:  &status.Evidence{},
		archived: map[resources.Key]bool{},
		edged:    map[resources.Key]bool{},
		waiting:  1,
		settings: resources.EffectiveConfig(nil),
	}
}

// get returns a copy of what is known of key; the zero entry if nothing is.
func (c *cache) get(key resources.Key) entry {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if e := c.entries[key]; e != nil {
		return *e
	}
	return entry{key: key}
}

// problem returns what is wrong with an object's file, nil if nothing is.
func (c *cache) problem(key resources.Key) *resources.Problem {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if e := c.entries[key]; e != nil {
		return e.problem
	}
	return nil
}

// update lets change alter what is known of key, keeps the indexes right, and
// returns the entry before and after. An entry that says nothing any more is dropped.
func (c *cache) update(key resources.Key, change func(*entry)) (before, after entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.updateLocked(key, change)
}

func (c *cache) updateLocked(key resources.Key, change func(*entry)) (before, after entry) {
	e := c.entries[key]
	if e == nil {
		e = &entry{key: key}
		c.entries[key] = e
	}
	before = *e
	change(e)
	e.key = before.key // the key's strings are kept once
	if e.object != before.object || e.problem != before.problem {
		c.turn(e)
	}
	if !sameBytes(before.status, e.status) {
		e.decoded = nil
	}
	c.reindex(e, &before)
	c.revisions.note(&before, e)
	after = *e
	if !e.known() && e.status == nil {
		delete(c.entries, key)
	}
	if len(c.revisions.changed) >= keptSteps { // nobody asks any more
		c.publishRevisions()
	}
	return before, after
}

// turn makes statuses outdated that were computed from what was known of e until now.
func (c *cache) turn(e *entry) {
	c.turns++
	e.turn = c.turns
}

// reindex moves e from the terms of before to its own.
func (c *cache) reindex(e, before *entry) {
	if e.object == before.object && e.known() == before.known() && (e.problem == nil) == (before.problem == nil) &&
		e.phase == before.phase && e.ready == before.ready {
		return
	}
	terms := allTerms
	if e.object == before.object && e.known() == before.known() && (e.problem == nil) == (before.problem == nil) {
		terms = observedTerms // the others are as they were
	}
	c.before, c.after = terms(c.before[:0], before), terms(c.after[:0], e)
	for _, t := range c.before {
		if !slices.Contains(c.after, t) {
			c.drop(t, e)
		}
	}
	for _, t := range c.after {
		if !slices.Contains(c.before, t) {
			c.file(t, e)
		}
	}
	c.recount(before, e)
	c.countDays(before.object, e.object)
	edged := !sameEdges(before.object, e.object)
	if !samePrecedence(before.object, e.object) {
		c.edged[e.key] = true
	}
	if edged || waits(before.object) != waits(e.object) && len(graph.ComesFirst(e.object)) > 0 {
		c.waiting++
	}
	if e.key.Kind == resources.Configs && e.key.Name == resources.ConfigName {
		config, _ := e.object.(*resources.Config)
		c.settings = resources.EffectiveConfig(config)
	}
}

// file puts e into one set of one index.
func (c *cache) file(t graph.Term, e *entry) {
	values := c.indexes[t.Index]
	if values == nil {
		values = map[string]sortedSet{}
		c.indexes[t.Index] = values
	}
	values[t.Value] = values[t.Value].add(e)
}

// drop takes e out of one set; an empty set goes, or the index would grow with
// every value that ever was.
func (c *cache) drop(t graph.Term, e *entry) {
	values := c.indexes[t.Index]
	if set := values[t.Value].remove(e); len(set) > 0 {
		values[t.Value] = set
	} else {
		delete(values, t.Value)
	}
}

// by returns the keys of one set, sorted.
func (c *cache) by(index, value string) []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.indexes[index][value].keys()
}

// names is by for a set of one kind.
func (c *cache) names(index, value string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.indexes[index][value].names()
}

func (c *cache) size(index, value string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.indexes[index][value])
}

// config returns the settings, defaults filled in.
func (c *cache) config() *resources.ConfigSpec {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.settings
}

// withStatus returns the keys of all that a status was written of, objects or not.
func (c *cache) withStatus() []resources.Key {
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
