package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// levelPatience is the timeout of Level. Reading the files directly takes about
// as long.
const levelPatience = 20 * time.Millisecond

// Level waits until the cache reflects every write to the store that finished
// before the call. That includes objects, checkpoint logs, source files,
// dependency cycles and the archive. For an unreadable file the cache keeps the
// last good version. For a missing file it keeps the last version until the
// quiet period is over.
//
// Level does not wait for statuses that reconcilers write, nor for keys that
// were requeued without a change of their own. If it returns an error, the
// state of the cache is unknown and the caller must read the store. Most errors
// wrap store.ErrNotLevel.
func (m *Manager) Level(ctx context.Context) error {
	leveler, ok := m.store.(store.Leveler)
	if !ok {
		return notLevel("the store cannot tell what changed")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, levelPatience, errLate)
	defer cancel()
	if err := leveler.Level(ctx); err != nil {
		return err
	}
	if err := m.informer.reachLevel(ctx); err != nil {
		return err
	}
	return m.informer.unproven()
}

// Certain waits until the cache equals the current content of the store and
// every status reflects it. In addition to Level, no file may be missing or
// unreadable without a decision, and all reconcilers except idle ones must have
// finished. If it returns an error, the caller must read the store.
func (m *Manager) Certain(ctx context.Context) error {
	if err := m.Level(ctx); err != nil {
		return err
	}
	if err := m.informer.pass(ctx); err != nil {
		return err
	}
	if m.informer.doubting.Load() {
		return notLevel("a file is missing or cannot be read, and may be as it was in a moment")
	}
	return m.before[len(m.before)-1].wait(ctx)
}

// doubts reports whether any file is missing or broken and not decided yet.
func (i *informer) doubts() bool {
	for key := range i.troubles {
		if i.cache.problem(key) == nil {
			return true
		}
	}
	return len(i.missing) > 0
}

var errLate = notLevel("it takes longer than " + levelPatience.String())

func notLevel(why string) error { return fmt.Errorf("%w: %s", store.ErrNotLevel, why) }

// leveling holds the callers that wait until the informer has processed all
// earlier hints.
type leveling struct {
	mu      sync.Mutex
	arrived []chan error // since levelKey was last processed
	passed  []chan error // waiting since before levelKey was last processed
}

// reachLevel returns when every key that was hinted before the call has been
// processed. It waits until levelKey was processed twice. While levelKey is
// processed, no other key is, so a key that was being processed and hinted
// again is queued by then. Such a key is processed before the second time. Keys
// at priority Low are not waited for.
func (i *informer) reachLevel(ctx context.Context) error {
	if i.queue.Idle() {
		return nil
	}
	return i.pass(ctx)
}

// pass waits until levelKey was processed twice.
func (i *informer) pass(ctx context.Context) error {
	done := make(chan error, 1)
	i.level.mu.Lock()
	i.level.arrived = append(i.level.arrived, done)
	i.level.mu.Unlock()
	i.queue.Add(levelKey, High)
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// passLevel processes levelKey.
func (i *informer) passLevel(ctx context.Context) {
	i.level.mu.Lock()
	done := i.level.passed
	i.level.passed, i.level.arrived = i.level.arrived, nil
	if len(i.level.passed) > 0 {
		i.queue.Add(levelKey, High)
	}
	i.level.mu.Unlock()
	if len(done) == 0 {
		return
	}
	err := i.derive(ctx)
	i.doubting.Store(i.doubts())
	for _, waiting := range done {
		waiting <- err
	}
}

// derive updates the cycles and the archive in the cache. Both are usually
// queued at Low, so that a burst of changes updates them once.
func (i *informer) derive(ctx context.Context) error {
	i.refreshCircles()
	if i.queue.Has(archiveKey) && !i.gone.Load() {
		return i.orLeave(i.refreshArchived(ctx))
	}
	return nil
}

// unproven returns the reason why the cache may be outdated after all hints were
// processed, or nil.
func (i *informer) unproven() error {
	switch {
	case i.gone.Load():
		return notLevel("the store is gone")
	case i.lastList.Load() == 0 || i.queue.Has(listKey) || i.queue.Has(listedKey):
		return notLevel("everything is listed")
	case i.queue.Failing() > 0:
		return notLevel("something could not be read; it is tried again")
	}
	return nil
}
