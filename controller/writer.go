package controller

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// writer brings statuses and events to the store, behind the cache: reconcilers go on at
// once, and of a status that changes often the newest alone is written. It is told a key, as
// any reconciler is, and makes the store agree with the cache.
type writer struct {
	store    store.Store
	cache    *cache
	recorder *recorder
	queue    *Queue[resources.Key]
	gone     func() bool // the store is not there: nothing may be written
	others   *load       // the reconcilers, who go first
	ending   bool        // they have ended
}

func newWriter(m *Manager) *writer {
	w := &writer{
		store: m.store, cache: m.world.cache, recorder: m.world.recorder, queue: newQueue[resources.Key](&m.busy),
		others: m.world.deriving,
	}
	w.recorder.later = func() { w.queue.Add(eventsKey, High) }
	return w
}

// eventsKey stands for the events that wait. No kind of object is called so.
var eventsKey = resources.Key{Kind: "waiting events"}

// courtesy is how long a write waits at most for reconcilers that have something to do:
// what they find out is needed sooner than what they found out is on disk.
const courtesy = 10 * time.Millisecond

// detailsEvery is how often a status is written of which nothing changed that anybody waits
// for: a task's checkpoints grow with every call of an agent, a plan's counts with every task.
// Who asks the controller has them at once, and who reads the files derives them.
const detailsEvery = time.Second

// owe has a status written, or removed, that is in the cache.
func (w *writer) owe(key resources.Key, p Priority) { w.queue.Add(key, p) }

// owes reports whether the cache may be ahead of the store.
func (w *writer) owes(key resources.Key) bool { return w.queue.Has(key) }

// Reconcile makes the store's status of a key the one in the cache. While the store is gone
// nothing is owed: the listing that follows its return brings every key back.
func (w *writer) Reconcile(ctx context.Context, key resources.Key) (Result, error) {
	w.letOthersGo(ctx)
	if key == eventsKey {
		w.recorder.flush()
		return Result{}, nil
	}
	if w.gone() {
		return Result{}, nil
	}
	return Result{}, w.write(ctx, key)
}

func (w *writer) letOthersGo(ctx context.Context) {
	if !w.ending && !w.others.none() {
		ctx, cancel := context.WithTimeout(ctx, courtesy)
		defer cancel()
		_ = w.others.wait(ctx) // either way
	}
}

func (w *writer) write(ctx context.Context, key resources.Key) error {
	status := w.cache.get(key).status
	if status == nil {
		if err := w.store.DeleteStatus(ctx, key); err != nil {
			return fmt.Errorf("delete the status of %s: %w", key, err)
		}
		return nil
	}
	if err := w.store.PutStatus(ctx, key, status); err != nil {
		return fmt.Errorf("write the status of %s: %w", key, err)
	}
	return nil
}

// end writes what is still owed, once everybody else has ended; own is the worker that
// runs w. What cannot be written is derived again at the next start.
func (w *writer) end(ctx context.Context, own *worker) {
	w.ending = true
	own.drain(ctx)
	w.recorder.end()
	for _, key := range slices.SortedFunc(slices.Values(w.queue.Keys()), resources.Key.Compare) {
		if _, err := w.Reconcile(ctx, key); err != nil {
			own.log.Error("a status was not written; the next start derives it again", "object", key.String(), "err", err)
		}
	}
}
