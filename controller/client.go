package controller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
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
	graph.Wide // over the cache
	store      store.Store
	cache      *cache
	sources    *sources
	days       *workDays
	recorder   *recorder
	deliver    func([]Change)
	gone       func() bool // the store is not there: nothing may be written
	recheck    func(resources.Key)
	writer     *writer
	phasing    *load // all that phases have yet to follow from
	deriving   *load // all that statuses have yet to follow from

	observing sync.Mutex              // one status is read, merged and replaced at a time
	encoder   resources.StatusEncoder // held by observing
}

func newWorld(s store.Store, o Options, deliver func([]Change)) *world {
	cache := newCache()
	kept := func() time.Duration { return resources.Duration(cache.config().EventsKept, 0) }
	w := &world{
		store: s, cache: cache, deliver: deliver, sources: newSources(s), days: newWorkDays(s, cache),
		recorder: &recorder{kept: s.Scratch(), observe: o.OnEvent, log: o.Log, old: oldEvents{log: s.Scratch(), kept: kept}},
	}
	w.Wide = graph.Wide{Graph: graph.New(w.Reader(), nil, time.Time{})}
	return w
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
	e := w.cache.get(key)
	switch {
	case e.object == nil:
		return nil // gone already
	case e.torn:
		return fmt.Errorf("archive %s: its file cannot be read right now; repair it first", key)
	}
	err := w.store.Archive(ctx, key, e.rev)
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
