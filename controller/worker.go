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
	pause      time.Duration // before a key is taken

	reconciles, errors atomic.Int64
}

// run works until the queue is closed; the reconcile that runs then is finished, and in the
// background broken off.
// With others given it takes a key only when those have nothing to do, so that a
// burst of changes makes one reconcile.
func (w *worker) run(ctx context.Context, others *load) {
	working := ctx
	if !w.background {
		working = context.WithoutCancel(ctx)
	}
	for w.queue.await() {
		if w.rest(ctx) != nil || others != nil && others.wait(ctx) != nil {
			return
		}
		if key, ok := w.queue.TryGet(); ok {
			w.process(working, key)
		}
	}
}

// rest returns when the pause is over, or with ctx's error.
func (w *worker) rest(ctx context.Context) error {
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

// drain works off what waits, also in a closed queue.
func (w *worker) drain(ctx context.Context) {
	for {
		key, ok := w.queue.TryGet()
		if !ok {
			return
		}
		w.process(ctx, key)
	}
}

func (w *worker) process(ctx context.Context, key resources.Key) {
	result, err := w.reconcile(ctx, key)
	w.reconciles.Add(1)
	switch {
	case err == nil:
		w.queue.Done(key, false, result.After)
	case ctx.Err() != nil: // broken off: the next start begins it anew
		w.queue.Done(key, false, 0)
	case errors.Is(err, store.ErrGone):
		w.onGone(err)
		w.queue.Done(key, false, 0) // it comes again with everything else
	case errors.Is(err, errOutdated):
		w.queue.Add(key, High)
		w.queue.Done(key, false, 0)
	case errors.Is(err, store.ErrConflict):
		w.queue.Done(key, true, 0) // someone was faster; the informer is about to see it
	default:
		w.errors.Add(1)
		w.log.Error("reconcile failed", "object", spell(key), "err", err)
		w.queue.Done(key, !IsTerminal(err), 0)
	}
	w.onDone()
}

// reconcile calls the reconciler. A panic in it is an error like any other, with
// the stack in it, and leaves everybody else alone.
func (w *worker) reconcile(ctx context.Context, key resources.Key) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.reconciler.Reconcile(ctx, key)
}

// spell names a key in the log. The informer's own have no name, or no kind.
func spell(key resources.Key) string {
	switch {
	case key == listKey:
		return "everything"
	case key.Name == "":
		return key.Kind
	}
	return key.String()
}
