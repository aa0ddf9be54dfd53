package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// levelPatience is how long Level takes at most: whoever asks reads the files himself
// in not much longer.
const levelPatience = 20 * time.Millisecond

// Level returns nil when the cache holds what was written to the store before the
// call: every object, checkpoint log and source file as it is, of a file that cannot
// be read its last good version, of one that is missing the last version until its
// quiet period is over, and the circles and the archive that follow from them. What
// reconcilers write into statuses is not waited for, nor is anything that is looked at
// for no change of its own. Any error says that nothing is known, most of them by
// wrapping store.ErrNotLevel: whoever has to know reads the store himself.
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

// Certain returns nil when the cache holds what whoever reads the store now would find, and
// every status is of that: Level, with no doubt about a file that is missing or cannot be
// read, and nothing left to do for the reconcilers but for the idle ones. Any error says to
// read the store.
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

// doubts reports whether there are files that are not taken as they are, yet.
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

// leveling are those who wait until the informer has taken what was hinted.
type leveling struct {
	mu      sync.Mutex
	arrived []chan error // since levelKey was last processed
	passed  []chan error // has been processed once since they arrived
}

// reachLevel returns when every key has been processed that was hinted before. It
// waits for levelKey to be processed twice. The first time, no other key is: what was
// hinted while it was processed stands in line again. The second time, all that stood
// in line then is done. Keys that wait at Low do not stand in that line.
func (i *informer) reachLevel(ctx context.Context) error {
	if i.queue.Idle() {
		return nil
	}
	return i.pass(ctx)
}

// pass lets levelKey be processed twice.
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

// passLevel is what processing levelKey does.
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

// derive brings into the cache what follows from changes and waits at Low, so that a
// burst of them leads to it once.
func (i *informer) derive(ctx context.Context) error {
	i.refreshCircles()
	if i.queue.Has(archiveKey) && !i.gone.Load() {
		return i.orLeave(i.refreshArchived(ctx))
	}
	return nil
}

// unproven says why the cache may lag behind although all hints were taken; nil if
// it does not.
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
