package controller

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// worker runs one reconciler over its queue, one key at a time.
type worker struct {
	name       string
	reconciler Reconciler
	queue      *Queue[resources.Key]
	log        *slog.Logger
	onGone     func(error)
	onDone     func()
	background bool          // see Registration.Background
	pause      time.Duration // delay before taking a key

	reconciles, errors atomic.Int64
}

// run processes keys until the queue is closed. An active reconcile is
// finished, or canceled if it runs in the background. If others is not nil, run
// waits for others before each key, so that a burst of changes causes one
// reconcile.
func (w *worker) run(ctx context.Context, others *workCounter) {
	working := ctx
	if !w.background {
		working = context.WithoutCancel(ctx)
	}
	for w.queue.waitForKey() {
		if w.waitPause(ctx) != nil || others != nil && others.wait(ctx) != nil {
			return
		}
		if key, ok := w.queue.TryGet(); ok {
			w.process(working, key)
		}
	}
}

// waitPause waits for the pause. It returns ctx's error if ctx ends first.
func (w *worker) waitPause(ctx context.Context) error {
	if w.pause == 0 {
		return nil
	}
	select {
	case <-time.After(w.pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// drain processes all waiting keys, also of a closed queue.
func (w *worker) drain(ctx context.Context) {
	for {
		key, ok := w.queue.TryGet()
		if !ok {
			return
		}
		w.process(ctx, key)
	}
}

// process reconciles one key and requeues it after an error, a conflict or the
// requested delay.
func (w *worker) process(ctx context.Context, key resources.Key) {
	result, err := w.reconcile(ctx, key)
	w.reconciles.Add(1)
	switch {
	case err == nil:
		w.queue.Done(key, false, result.RequeueAfter)
	case ctx.Err() != nil: // canceled: the next start reconciles it again
		w.queue.Done(key, false, 0)
	case errors.Is(err, store.ErrGone):
		w.onGone(err)
		w.queue.Done(key, false, 0) // the listing after the store's return requeues it
	case errors.Is(err, errOutdated):
		w.queue.Add(key, High)
		w.queue.Done(key, false, 0)
	case errors.Is(err, store.ErrConflict):
		w.queue.Done(key, true, 0) // another writer was faster; the informer is about to see its change
	default:
		w.errors.Add(1)
		w.log.Error("reconcile failed", "object", keyText(key), "err", err)
		w.queue.Done(key, !IsTerminal(err), 0)
	}
	w.onDone()
}

// reconcile calls the reconciler. It turns a panic into an error with the
// stack, so that other reconcilers continue.
func (w *worker) reconcile(ctx context.Context, key resources.Key) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.reconciler.Reconcile(ctx, key)
}

// keyText returns the name of a key for the log. The informer's special keys have
// no name or no kind.
func keyText(key resources.Key) string {
	switch {
	case key == listKey:
		return "everything"
	case key.Name == "":
		return key.Kind
	}
	return key.String()
}
