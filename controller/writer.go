package controller

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// writer writes statuses and events to the store, after the cache. Reconcilers
// do not wait for it, and only the newest version of a frequently changing
// status is written. Like any reconciler it gets a key and makes the store
// agree with the cache.
type writer struct {
	store         store.Store
	cache         *cache
	recorder      *recorder
	queue         *Queue[resources.Key]
	isUnavailable func() bool  // the store is unavailable: writes are refused
	statusLoad    *workCounter // the reconcilers' work, which has precedence
	isEnding      bool         // the reconcilers have ended
}

func newWriter(m *Manager) *writer {
	w := &writer{
		store: m.store, cache: m.world.cache, recorder: m.world.recorder, queue: newQueue[resources.Key](&m.openWork),
		statusLoad: m.world.statusWork,
	}
	w.recorder.scheduleFlush = func() { w.queue.Add(eventsKey, High) }
	return w
}

// eventsKey represents the waiting events. No kind has this name.
var eventsKey = resources.Key{Kind: "waiting events"}

// yieldTimeout is the maximum time that a write waits for active reconcilers,
// because their results are needed sooner than files on disk.
const yieldTimeout = 10 * time.Millisecond

// detailInterval is the delay for writing a status that changed only in details
// that nothing waits for. A task's checkpoints grow with every call of an
// agent, and a plan's counts change with every task. Clients of the controller
// get the details immediately, and readers of the files derive them.
const detailInterval = time.Second

// schedule schedules writing or removing the status of a key.
func (w *writer) schedule(key resources.Key, p Priority) { w.queue.Add(key, p) }

// isScheduled reports whether the cache may be ahead of the store.
func (w *writer) isScheduled(key resources.Key) bool { return w.queue.Has(key) }

// Reconcile makes the stored status of a key equal to the cached one. While the
// store is unavailable it does nothing: the listing after its return requeues every
// key.
func (w *writer) Reconcile(ctx context.Context, key resources.Key) (Result, error) {
	w.yieldToReconcilers(ctx)
	if key == eventsKey {
		w.recorder.flush()
		return Result{}, nil
	}
	if w.isUnavailable() {
		return Result{}, nil
	}
	return Result{}, w.write(ctx, key)
}

// yieldToReconcilers waits until the reconcilers have derived all statuses, at
// most yieldTimeout, so that changing statuses are written once.
func (w *writer) yieldToReconcilers(ctx context.Context) {
	if !w.isEnding && !w.statusLoad.isEmpty() {
		ctx, cancel := context.WithTimeout(ctx, yieldTimeout)
		defer cancel()
		_ = w.statusLoad.wait(ctx) // continue after a timeout too
	}
}

// write writes or removes the status of a key in the store.
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

// end writes the remaining statuses after all reconcilers ended. own is the
// worker that runs w. A status that cannot be written is derived again at the
// next start.
func (w *writer) end(ctx context.Context, own *worker) {
	w.isEnding = true
	own.drain(ctx)
	w.recorder.end()
	for _, key := range slices.SortedFunc(slices.Values(w.queue.Keys()), resources.Key.Compare) {
		if _, err := w.Reconcile(ctx, key); err != nil {
			own.log.Error("a status was not written; the next start derives it again", "object", key.String(), "err", err)
		}
	}
}
