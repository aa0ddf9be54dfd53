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

// client is the Client of one reconciler. All clients share the world; each
// client has its own name in events.
type client struct {
	*world
	source string // "task-reconciler"
}

var _ Client = (*client)(nil)

// world is the state that all clients share.
type world struct {
	graph.Wide    // over the cache
	store         store.Store
	cache         *cache
	sources       *sources
	days          *workDays
	recorder      *recorder
	deliver       func([]Change)
	isUnavailable func() bool // the store is unavailable: writes are refused
	recheck       func(resources.Key)
	writer        *writer
	phaseWork     *workCounter // work that must finish before phases are up to date
	statusWork    *workCounter // work that must finish before statuses are up to date

	statusMu sync.Mutex              // serializes reading, merging and replacing a status
	encoder  resources.StatusEncoder // guarded by statusMu
}

// newWorld returns the shared state of all clients of a store, with an empty
// cache. deliver passes changes of the cache to the reconcilers.
func newWorld(s store.Store, o Options, deliver func([]Change)) *world {
	cache := newCache()
	kept := func() time.Duration { return resources.Duration(cache.config().EventsKept, 0) }
	w := &world{
		store: s, cache: cache, deliver: deliver, sources: newSources(s), days: &workDays{store: s, cache: cache},
		recorder: &recorder{store: s.Scratch(), observe: o.OnEvent, log: o.Log, old: oldEvents{log: s.Scratch(), retention: kept}},
	}
	w.Wide = graph.Wide{Graph: graph.New(w.Reader(), nil, time.Time{})}
	return w
}

// errGone is the error of every write while the store is unavailable. The error is not
// logged per key and the write is not retried: the listing after the store's
// return requeues every key.
var errGone = fmt.Errorf("%w; writes are stopped until it is available", store.ErrGone)

// DeleteStatus removes the status of a deleted object from the cache. The writer
// then removes it from the store. It returns errGone while the store is
// unavailable.
func (w *world) DeleteStatus(_ context.Context, key resources.Key) error {
	if w.isUnavailable() {
		return errGone
	}
	w.statusMu.Lock()
	defer w.statusMu.Unlock()
	w.cache.update(key, func(e *entry) { e.observed = observed{} })
	w.writer.schedule(key, Low)
	return nil
}

// Recheck queues an object for the informer at priority High, because the caller
// knows that its file was written. It does not wait.
func (w *world) Recheck(key resources.Key) { w.recheck(key) }

// Archive moves an object to the archive if it is still at the cached revision,
// and removes it from the cache. An object that does not exist is no error. An
// unreadable file is not archived.
func (w *world) Archive(ctx context.Context, key resources.Key) error {
	if w.isUnavailable() {
		return errGone
	}
	e := w.cache.get(key)
	switch {
	case e.object == nil:
		return nil // already deleted
	case e.rejected:
		return fmt.Errorf("archive %s: its file cannot be read right now; repair it first", key)
	}
	err := w.store.Archive(ctx, key, e.rev)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("archive %s: %w", key, err)
	}
	if err == nil {
		w.cache.setArchived(key)
	}
	before, after := w.cache.update(key, func(e *entry) { e.object, e.problem, e.rejected, e.rev = nil, nil, false, "" })
	w.deliver([]Change{change(before, after)})
	w.recheck(key) // the file may have been written and read again in the meantime
	return nil
}

// WaitDerived waits until all statuses reflect the cache. It returns ctx's
// error if ctx ends first.
func (w *world) WaitDerived(ctx context.Context) error { return w.statusWork.wait(ctx) }

// WaitPhases waits until all phases reflect the cache. It returns ctx's error
// if ctx ends first.
func (w *world) WaitPhases(ctx context.Context) error { return w.phaseWork.wait(ctx) }

// Event records an event with the name of this client's reconciler as its
// source.
func (c *client) Event(key resources.Key, eventType, reason, format string, args ...any) {
	c.recorder.record(key, eventType, reason, c.source, fmt.Sprintf(format, args...))
}
