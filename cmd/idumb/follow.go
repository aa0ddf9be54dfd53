package main

import (
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// quiet is how long a command that follows lets changes gather: a save, or a
	// checkout, is many events.
	quiet = 30 * time.Millisecond
	// clockStep is how often it looks without any event: phases also change by
	// themselves, when a mem fades or a session goes idle.
	clockStep = 10 * time.Second
	// watchAgain is the pause before files are watched again after that failed.
	watchAgain = time.Second
)

// follow calls step with what there is now, and again after each change, until
// step says that it is done, or ctx ends. It watches the files, so it neither
// needs a controller nor notices that one is restarted, and a store that is moved
// away and back is picked up again.
func (a *app) follow(ctx context.Context, files *filestore.Store, step func(*world) (done bool, err error)) error {
	changed := make(chan struct{}, 1)
	go watchFiles(ctx, files, changed)
	clock := time.NewTicker(clockStep)
	defer clock.Stop()
	for {
		w, err := a.reload(ctx, files)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, store.ErrGone): // it may come back
		case err != nil:
			return err
		default:
			if done, err := step(w); done || err != nil {
				return err
			}
		}
		if err := nextChange(ctx, changed, clock.C); err != nil {
			return err
		}
	}
}

// nextChange waits for a change and for the quiet after it, or for the clock.
func nextChange(ctx context.Context, changed <-chan struct{}, clock <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-clock:
		return nil
	case <-changed:
	}
	select {
	case <-ctx.Done():
	case <-time.After(quiet):
	}
	return ctx.Err()
}

// watchFiles reports changes of objects until ctx ends.
func watchFiles(ctx context.Context, files *filestore.Store, changed chan<- struct{}) {
	for ctx.Err() == nil {
		files.Watch(ctx, func(resources.Key) { // its error is not final: it is tried again, and the clock looks meanwhile
			select {
			case changed <- struct{}{}:
			default: // one is waiting already
			}
		})
		select {
		case <-ctx.Done():
		case <-time.After(watchAgain):
		}
	}
}

// warnWithoutController says that no controller runs: what is followed is
// computed here, but nothing is archived, packed or recorded.
func (a *app) warnWithoutController(root layout.Root) {
	if !root.ControllerAlive() {
		a.errf("Warning: no controller is running in %s: only changes of the files are seen; start one with \"idumb controller start\"\n", root)
	}
}
