package controller

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Delays before the informer accepts a broken or missing file. A file that does not parse
// is usually being written. A missing file is usually being replaced.
const (
	// QuarantineAfter is the time after which a broken file is quarantined. The
	// mark holds the last good version, which stays in use, also by the gate.
	QuarantineAfter = 100 * time.Millisecond
	// InvalidAfter is the time after which a broken file is reported with
	// Valid=False and one event.
	InvalidAfter = time.Second
	// DefaultQuietPeriod is the time after which a missing file counts as
	// deleted.
	DefaultQuietPeriod = 200 * time.Millisecond
)

// Special keys of the informer's queue, in addition to the keys of objects,
// checkpoint logs and files. No kind has one of these names.
var (
	listKey    = resources.Key{}                           // lists everything
	cyclesKey  = resources.Key{Kind: "dependency circles"} // a dependency changed
	daysKey    = resources.Key{Kind: "days of work"}       // an object that proves a day of work was added or removed
	headKey    = resources.Key{Kind: "head of git"}        // HEAD may have moved
	archiveKey = resources.Key{Kind: "archive"}            // archived names were added or removed
	clockKey   = resources.Key{Kind: "wall clock"}         // the wall clock jumped
	syncKey    = resources.Key{Kind: "level"}              // a caller waits for all keys queued before it
	listedKey  = resources.Key{Kind: "end of a listing"}   // queued after the keys that a listing did not contain
)

// informer is the first reconciler. It brings the cache into agreement with the
// store, key by key, using a queue like any other reconciler. One goroutine
// runs it.
type informer struct {
	store          store.Store
	marks          store.Marks
	cache          *cache
	sources        *sources
	recorder       *recorder
	queue          *Queue[resources.Key]
	log            *slog.Logger
	options        Options
	deliver        func([]Change)
	statusBehind   func(resources.Key) bool // the cache is ahead of the stored status
	scheduleStatus func(resources.Key)      // schedules writing a status
	onListed       func()                   // called after the first listing, before its changes are delivered
	onFatal        func(error)              // called when the controller must end

	unavailable       atomic.Bool  // the store is unavailable: deletions are ignored and no file is written
	lastList          atomic.Int64 // time of the last full listing, in Unix seconds
	listed            bool         // the first listing is in the cache
	invalidFiles      map[resources.Key]*invalidFile
	missingSince      map[resources.Key]time.Time // time when each cached object was first missing
	removedStatuses   map[resources.Key]bool      // keys of statuses that another process removed
	lastStatusRemoval time.Time                   // when the last of them was removed
	hasUndecided      atomic.Bool                 // result of hasUndecidedFiles when syncKey was last processed
	archiveListedAt   time.Time                   // when the archive was last listed
	dayVersion        uint64                      // the cache's day version when mems were last checked
	workDays          *workDays
	headMoves         uint64 // workDays.moves when mems were last checked after a move of HEAD
	syncWaiters       syncWaiters
}

func newInformer(m *Manager) *informer {
	i := &informer{
		store: m.store, marks: store.MarksIn(m.store.Scratch()), cache: m.world.cache, sources: m.world.sources, recorder: m.world.recorder, workDays: m.world.days,
		queue: newQueue[resources.Key](m.countersOf(0)...), log: m.options.Log.With("controller", "informer"),
		options: m.options, deliver: m.deliver, statusBehind: m.world.writer.isScheduled, scheduleStatus: func(key resources.Key) { m.world.writer.schedule(key, Low) }, onListed: func() { close(m.listed) },
		onFatal:      m.fail,
		invalidFiles: map[resources.Key]*invalidFile{}, removedStatuses: map[resources.Key]bool{}, missingSince: map[resources.Key]time.Time{},
	}
	i.sources.scheduleRefresh = func(name string, after time.Duration) {
		i.queue.AddAfter(resources.Key{Kind: store.FilesKind, Name: name}, after)
	}
	return i
}

// Reconcile brings one key of the store into the cache.
func (i *informer) Reconcile(ctx context.Context, key resources.Key) (Result, error) {
	switch key.Kind {
	case listKey.Kind:
		return Result{}, i.relist(ctx)
	case cyclesKey.Kind:
		i.refreshCycles()
		return Result{}, nil
	case daysKey.Kind:
		// The confidence of mems is counted in days of work.
		if days := i.cache.daysVersion(); days != i.dayVersion {
			i.dayVersion = days
			i.touch(i.cache.lookup(indexKind, resources.Mems), false)
		}
		return Result{}, nil
	case headKey.Kind:
		i.refreshHead()
		return Result{}, nil
	case clockKey.Kind:
		i.touchAll()
		return Result{}, nil
	case syncKey.Kind:
		i.processSyncKey(ctx)
		return Result{}, nil
	case listedKey.Kind:
		return Result{}, nil
	}
	if i.unavailable.Load() {
		return Result{}, nil // the listing after the store's return handles all keys
	}
	switch key.Kind {
	case archiveKey.Kind:
		return Result{}, i.suspendIfGone(i.refreshArchived(ctx))
	case store.FilesKind:
		i.refreshSource(key.Name)
		return Result{}, nil
	case store.StatusKind:
		return i.scheduleStatusRestore(ctx, key)
	case resources.CheckpointsKind:
		return Result{}, i.readLog(ctx, key)
	}
	return i.readObject(ctx, key)
}

// readObject reads one object from the store into the cache, or handles that it
// is missing.
func (i *informer) readObject(ctx context.Context, key resources.Key) (Result, error) {
	record, err := i.store.Get(ctx, key)
	switch {
	case err == nil:
		delete(i.missingSince, key)
		return i.acceptRecord(ctx, i.decode(record, nil))
	case errors.Is(err, store.ErrGone):
		i.suspend(err)
		return Result{}, nil
	case errors.Is(err, store.ErrNotFound):
		return i.handleMissing(ctx, key)
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	}
	delete(i.missingSince, key)
	return i.acceptRecord(ctx, i.decode(store.Record{Key: key}, err)) // a directory or special file is not an object
}

// acceptRecord brings a decoded record into the cache.
func (i *informer) acceptRecord(ctx context.Context, s decodedRecord) (Result, error) {
	switch {
	case s.problem != nil:
		return i.handleInvalid(ctx, s)
	case s.object == nil: // unchanged bytes
		i.checkArchive(s.record.Key)
		return Result{}, nil
	}
	change := i.accept(s, false)
	err := i.clearTrouble(s.record.Key)
	i.checkArchive(s.record.Key) // the object was probably restored from the archive
	i.deliver([]Change{change})
	return Result{}, err
}

// accept makes an object the last good version, and records the warnings about
// its file as events. If withStatus is true, it also takes the status of the
// record.
func (i *informer) accept(s decodedRecord, withStatus bool) Change {
	before, after := i.cache.update(s.record.Key, func(e *entry) {
		e.object, e.rev, e.problem, e.rejected = s.object, s.record.Rev, nil, false
		if withStatus {
			e.observed = s.observed
		}
	})
	for _, warning := range s.warnings {
		i.recorder.record(s.record.Key, resources.Warning, "FileWarning", "informer", warning)
	}
	return change(before, after)
}

// change returns the Change between two states of an entry.
func change(before, after entry) Change {
	return Change{Key: after.key, Old: before.object, New: after.object, OldPhase: before.phase, NewPhase: after.phase}
}

// refreshCycles recomputes the cycles once for all edges that changed. It
// requeues the objects that joined or left a cycle.
func (i *informer) refreshCycles() {
	edged := i.cache.takeChangedDependencies()
	if len(edged) == 0 || len(edged) <= maxSingleChecks && !i.cache.mayChangeCycles(edged) {
		return
	}
	i.touch(i.cache.refreshCycles(), false)
}

// touch requeues objects that did not change themselves.
func (i *informer) touch(keys []resources.Key, resync bool) {
	changes := make([]Change, 0, len(keys))
	for _, key := range keys {
		e := i.cache.get(key)
		c := change(e, e)
		c.Resync = resync
		changes = append(changes, c)
	}
	i.deliver(changes)
}

// touchAll requeues all objects of all kinds.
func (i *informer) touchAll() { i.touch(i.cache.keys(), true) }

// refreshSource reads a repository file again, if objects refer to it. If it
// changed, it requeues the objects that cite it. If the file belongs to HEAD, it
// also checks whether HEAD moved.
func (i *informer) refreshSource(path string) {
	if i.workDays.isHeadFile(path) {
		i.refreshHead()
	}
	if !i.sources.refresh(path) {
		return
	}
	i.deliver([]Change{{Key: resources.Key{Kind: store.FilesKind, Name: path}}})
	for _, cited := range i.sources.citationNames(path) {
		i.touch(i.cache.lookup(graph.IndexSource, cited), false)
	}
}

// refreshHead checks whether HEAD moved, usually by a commit. A move is
// delivered as a change of store.HeadFile, and all mems are requeued.
func (i *informer) refreshHead() {
	moves := i.workDays.refresh()
	if moves == i.headMoves {
		return
	}
	i.headMoves = moves
	i.sources.forgetMoves()
	i.deliver([]Change{{Key: resources.Key{Kind: store.FilesKind, Name: store.HeadFile}}})
	i.touch(i.cache.lookup(indexKind, resources.Mems), false)
}

// readLog reads a task's checkpoint log, or what was appended to it, from the
// store into the cache.
func (i *informer) readLog(ctx context.Context, key resources.Key) error {
	record, continued, err := i.store.ReadLog(ctx, key.Name, i.cache.logRevision(key.Name))
	switch {
	case errors.Is(err, store.ErrGone):
		i.suspend(err)
		return nil
	case errors.Is(err, store.ErrNotFound):
		record = store.Record{Key: key}
	case errors.Is(err, store.ErrUnreadable):
		i.reportLog(key, i.problemOf(key, err))
		record = store.Record{Key: key}
	case err != nil:
		return err
	}
	if i.cache.setLog(record, continued) {
		i.deliver([]Change{{Key: key}})
	}
	return nil
}

// reportLog records that a checkpoint log is unreadable. An unreadable log
// proves nothing, for the controller and for readers of the files. The
// controller does not wait for a repair.
func (i *informer) reportLog(key resources.Key, problem *resources.Problem) {
	task := resources.Key{Kind: resources.Tasks, Name: key.Name}
	i.recorder.record(task, resources.Warning, "CheckpointsUnreadable", "informer", problem.Error())
}

// suspend notes that the store is unavailable. The cache is kept and writes stop.
// It calls OnLeave each time, because the store may have been removed for good
// since the last call.
func (i *informer) suspend(err error) {
	if !i.unavailable.Swap(true) {
		i.log.Warn("the store is unavailable; cached objects are kept and writes are suspended until it is back", "err", err)
	}
	if i.options.OnLeave != nil {
		i.options.OnLeave()
	}
}

// resume resumes work after the store was unavailable. It requeues everything,
// because statuses were not written in the meantime.
func (i *informer) resume() {
	if !i.unavailable.Load() {
		return
	}
	if i.options.OnReturn != nil {
		if err := i.options.OnReturn(); err != nil {
			i.onFatal(err)
			return
		}
	}
	clear(i.missingSince) // absence during that time proves nothing
	i.unavailable.Store(false)
	i.log.Info("the store is back")
	i.touchAll()
}
