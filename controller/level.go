package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// syncTimeout is the timeout of WaitSynced. Reading the files directly takes about
// as long.
const syncTimeout = 20 * time.Millisecond

// WaitSynced waits until the cache reflects every write to the store that finished
// before the call. That includes objects, checkpoint logs, source files,
// dependency cycles and the archive. For an unreadable file the cache keeps the
// last good version. For a missing file it keeps the last version until the
// quiet period is over.
//
// WaitSynced does not wait for statuses that reconcilers write, nor for keys that
// were requeued without a change of their own. If it returns an error, the
// state of the cache is unknown and the caller must read the store. Most errors
// wrap store.ErrNotSynced.
func (m *Manager) WaitSynced(ctx context.Context) error {
	leveler, ok := m.store.(store.Syncer)
	if !ok {
		return notSynced("the store cannot tell what changed")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, syncTimeout, errSyncTimeout)
	defer cancel()
	if err := leveler.WaitSynced(ctx); err != nil {
		return err
	}
	if err := m.informer.waitProcessed(ctx); err != nil {
		return err
	}
	switch {
	case m.informer.unavailable.Load():
		return notSynced("the store is unavailable")
	case m.informer.lastList.Load() == 0 || m.informer.queue.Has(listKey) || m.informer.queue.Has(listedKey):
		return notSynced("the objects are being listed")
	case m.informer.queue.Failing() > 0:
		return notSynced("an object could not be read; the read is retried")
	}
	return nil
}

// WaitCurrent waits until the cache equals the current content of the store and
// every status reflects it. In addition to WaitSynced, no file may be missing or
// unreadable without a decision, and all reconcilers except idle ones must have
// finished. If it returns an error, the caller must read the store.
func (m *Manager) WaitCurrent(ctx context.Context) error {
	if err := m.WaitSynced(ctx); err != nil {
		return err
	}
	if err := m.informer.waitForSyncKey(ctx); err != nil {
		return err
	}
	if m.informer.hasUndecided.Load() {
		return notSynced("a file is missing or unreadable, and may be restored shortly")
	}
	return m.loads[len(m.loads)-1].wait(ctx)
}

// hasUndecidedFiles reports whether any file is missing or broken and not decided yet.
func (i *informer) hasUndecidedFiles() bool {
	for key := range i.invalidFiles {
		if i.cache.problem(key) == nil {
			return true
		}
	}
	return len(i.missingSince) > 0
}

var errSyncTimeout = notSynced("it takes longer than " + syncTimeout.String())

// notSynced returns an error that wraps store.ErrNotSynced and gives the
// reason.
func notSynced(why string) error { return fmt.Errorf("%w: %s", store.ErrNotSynced, why) }

// syncWaiters holds the callers that wait until the informer has processed all
// earlier hints.
type syncWaiters struct {
	mu            sync.Mutex
	waitingFirst  []chan error // since syncKey was last processed
	waitingSecond []chan error // waiting since before syncKey was last processed
}

// waitProcessed returns when every key that was hinted before the call has been
// processed. It waits until syncKey was processed twice. While syncKey is
// processed, no other key is, so a key that was being processed and hinted
// again is queued by then. Such a key is processed before the second time. Keys
// at priority Low are not waited for.
func (i *informer) waitProcessed(ctx context.Context) error {
	if i.queue.Idle() {
		return nil
	}
	return i.waitForSyncKey(ctx)
}

// waitForSyncKey waits until syncKey was processed twice.
func (i *informer) waitForSyncKey(ctx context.Context) error {
	done := make(chan error, 1)
	i.syncWaiters.mu.Lock()
	i.syncWaiters.waitingFirst = append(i.syncWaiters.waitingFirst, done)
	i.syncWaiters.mu.Unlock()
	i.queue.Add(syncKey, High)
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// processSyncKey notifies the callers of waitForSyncKey that have now seen
// syncKey processed twice. If other callers wait, it queues syncKey again.
func (i *informer) processSyncKey(ctx context.Context) {
	i.syncWaiters.mu.Lock()
	done := i.syncWaiters.waitingSecond
	i.syncWaiters.waitingSecond, i.syncWaiters.waitingFirst = i.syncWaiters.waitingFirst, nil
	if len(i.syncWaiters.waitingSecond) > 0 {
		i.queue.Add(syncKey, High)
	}
	i.syncWaiters.mu.Unlock()
	if len(done) == 0 {
		return
	}
	err := i.updateDerived(ctx)
	i.hasUndecided.Store(i.hasUndecidedFiles())
	for _, waiting := range done {
		waiting <- err
	}
}

// updateDerived updates the cycles and the archive in the cache. Both are usually
// queued at Low, so that a burst of changes updates them once.
func (i *informer) updateDerived(ctx context.Context) error {
	i.refreshCycles()
	if i.queue.Has(archiveKey) && !i.unavailable.Load() {
		return i.suspendIfGone(i.refreshArchived(ctx))
	}
	return nil
}
