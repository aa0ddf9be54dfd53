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

// How long the informer doubts what it sees. A file that does not parse is being
// written, most often; one that is missing is being replaced.
const (
	// QuarantineAfter: a broken file gets its mark, with the last good version
	// that everything, the gate included, goes on using.
	QuarantineAfter = 100 * time.Millisecond
	// InvalidAfter: a broken file is reported: Valid=False and one event.
	InvalidAfter = time.Second
	// DefaultQuietPeriod: a file that is still missing after it is deleted.
	DefaultQuietPeriod = 200 * time.Millisecond
)

// Keys that the informer's queue holds beside those of objects, checkpoint logs
// and files. No kind of object is called so.
var (
	listKey    = resources.Key{}                           // list everything
	circlesKey = resources.Key{Kind: "dependency circles"} // an edge changed
	daysKey    = resources.Key{Kind: "days of work"}       // an object came or went that shows one
	headKey    = resources.Key{Kind: "head of git"}        // it may have moved
	archiveKey = resources.Key{Kind: "archive"}            // names came or went in the archive
	clockKey   = resources.Key{Kind: "wall clock"}         // the time of day jumped
	levelKey   = resources.Key{Kind: "level"}              // somebody waits for all that is before it
	listedKey  = resources.Key{Kind: "end of a listing"}   // what a listing did not show is before it
)

// informer is the first reconciler: it makes the cache agree with the store, key
// by key, on a queue like any other's. One goroutine runs it.
type informer struct {
	store    store.Store
	marks    store.Marks
	cache    *cache
	sources  *sources
	recorder *recorder
	queue    *Queue[resources.Key]
	log      *slog.Logger
	options  Options
	deliver  func([]Change)
	owed     func(resources.Key) bool // the cache is ahead of the store's status
	owe      func(resources.Key)      // has it written
	onListed func()                   // after the first listing, before its changes are delivered
	onFatal  func(error)              // it makes no sense to go on

	gone      atomic.Bool  // the store is not there: nothing is believed and nothing written
	lastList  atomic.Int64 // when everything was last listed, in Unix seconds
	listed    bool         // the first listing is in the cache
	troubles  map[resources.Key]*trouble
	missing   map[resources.Key]time.Time // since when; only of objects in the cache
	unwritten map[resources.Key]bool      // keys of statuses that somebody removed
	removed   time.Time                   // when the last of them was
	doubting  atomic.Bool                 // when levelKey was last processed: see doubts
	archive   time.Time                   // when its names were last read
	days      uint64                      // of the cache when mems were last looked at for a new day
	workDays  *workDays
	moves     uint64 // of workDays when mems were last looked at because HEAD had moved
	level     leveling
}

func newInformer(m *Manager) *informer {
	i := &informer{
		store: m.store, marks: store.MarksIn(m.store.Scratch()), cache: m.world.cache, sources: m.world.sources, recorder: m.world.recorder, workDays: m.world.days,
		queue: newQueue[resources.Key](m.loadsOf(0)...), log: m.options.Log.With("controller", "informer"),
		options: m.options, deliver: m.deliver, owed: m.world.writer.owes, owe: func(key resources.Key) { m.world.writer.owe(key, Low) }, onListed: func() { close(m.listed) },
		onFatal:  m.fail,
		troubles: map[resources.Key]*trouble{}, unwritten: map[resources.Key]bool{}, missing: map[resources.Key]time.Time{},
	}
	i.sources.again = func(name string, after time.Duration) {
		i.queue.AddAfter(resources.Key{Kind: store.FilesKind, Name: name}, after)
	}
	return i
}

// Reconcile brings one key of the store into the cache.
func (i *informer) Reconcile(ctx context.Context, key resources.Key) (Result, error) {
	switch key.Kind {
	case listKey.Kind:
		return Result{}, i.relist(ctx)
	case circlesKey.Kind:
		i.refreshCircles()
		return Result{}, nil
	case daysKey.Kind:
		i.refreshDays()
		return Result{}, nil
	case headKey.Kind:
		i.refreshHead()
		return Result{}, nil
	case clockKey.Kind:
		i.touchAll()
		return Result{}, nil
	case levelKey.Kind:
		i.passLevel(ctx)
		return Result{}, nil
	case listedKey.Kind:
		return Result{}, nil
	}
	if i.gone.Load() {
		return Result{}, nil // the listing that follows its return sees to everything
	}
	switch key.Kind {
	case archiveKey.Kind:
		return Result{}, i.orLeave(i.refreshArchived(ctx))
	case store.FilesKind:
		i.refreshSource(key.Name)
		return Result{}, nil
	case store.StatusKind:
		return i.missStatus(ctx, key)
	case resources.CheckpointsKind:
		return Result{}, i.readLog(ctx, key)
	}
	return i.readObject(ctx, key)
}

func (i *informer) readObject(ctx context.Context, key resources.Key) (Result, error) {
	record, err := i.store.Get(ctx, key)
	switch {
	case err == nil:
		delete(i.missing, key)
		return i.take(ctx, i.judge(record, nil))
	case errors.Is(err, store.ErrGone):
		i.leave(err)
		return Result{}, nil
	case errors.Is(err, store.ErrNotFound):
		return i.miss(ctx, key)
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	}
	delete(i.missing, key)
	return i.take(ctx, i.judge(store.Record{Key: key}, err)) // whatever it is, it is not an object
}

// take brings a record that was judged into the cache.
func (i *informer) take(ctx context.Context, s seenRecord) (Result, error) {
	switch {
	case s.problem != nil:
		return i.breakage(ctx, s)
	case s.object == nil: // same bytes as before
		i.checkArchive(s.record.Key)
		return Result{}, nil
	}
	change := i.accept(s, false)
	err := i.mended(s.record.Key)
	i.checkArchive(s.record.Key) // it was brought back, most likely
	i.deliver([]Change{change})
	return Result{}, err
}

// accept makes a good object the last good version, with the status that came with it if that is wanted.
func (i *informer) accept(s seenRecord, withStatus bool) Change {
	before, after := i.cache.update(s.record.Key, func(e *entry) {
		e.object, e.rev, e.problem, e.torn = s.object, s.record.Rev, nil, false
		if withStatus {
			e.observed = s.observed
		}
	})
	for _, warning := range s.warnings {
		i.recorder.record(s.record.Key, resources.Warning, "FileWarning", "informer", warning)
	}
	return change(before, after)
}

// change is the step between two states of an entry.
func change(before, after entry) Change {
	return Change{Key: after.key, Old: before.object, New: after.object, OldPhase: before.phase, NewPhase: after.phase}
}

// refreshCircles computes the circles again, once for all edges that changed
// since, and has the objects looked at that came into one or out of one.
func (i *informer) refreshCircles() {
	edged := i.cache.takeEdged()
	if len(edged) == 0 || len(edged) <= fewEdges && !i.cache.mayTurn(edged) {
		return
	}
	i.touch(i.cache.refreshCircles(), false)
}

// touch has objects looked at that did not change themselves.
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

// touchAll has everything looked at.
func (i *informer) touchAll() { i.touch(i.cache.keys(), true) }

func (i *informer) refreshSource(path string) {
	if i.workDays.watches(path) {
		i.refreshHead()
	}
	if !i.sources.refresh(path) {
		return
	}
	i.deliver([]Change{{Key: resources.Key{Kind: store.FilesKind, Name: path}}})
	for _, cited := range i.sources.citedAs(path) {
		i.touch(i.cache.by(graph.IndexSource, cited), false)
	}
}

// refreshHead looks where HEAD stands. Has it moved, by a commit most likely, that is told
// as a change of store.HeadFile, and all mems are looked at.
func (i *informer) refreshHead() {
	moves := i.workDays.refresh()
	if moves == i.moves {
		return
	}
	i.moves = moves
	i.sources.forgetMoves()
	i.deliver([]Change{{Key: resources.Key{Kind: store.FilesKind, Name: store.HeadFile}}})
	i.touch(i.cache.by(indexKind, resources.Mems), false)
}

// refreshDays has all mems looked at when a day of work came or went: their confidence
// is counted in such days.
func (i *informer) refreshDays() {
	if days := i.cache.daysVersion(); days != i.days {
		i.days = days
		i.touch(i.cache.by(indexKind, resources.Mems), false)
	}
}

func (i *informer) readLog(ctx context.Context, key resources.Key) error {
	record, err := i.store.Get(ctx, key)
	switch {
	case errors.Is(err, store.ErrGone):
		i.leave(err)
		return nil
	case errors.Is(err, store.ErrNotFound):
		record = store.Record{Key: key}
	case errors.Is(err, store.ErrUnreadable):
		i.reportLog(key, i.problemOf(key, err))
		record = store.Record{Key: key}
	case err != nil:
		return err
	}
	if i.cache.setLog(record) {
		i.deliver([]Change{{Key: key}})
	}
	return nil
}

// reportLog says that a checkpoint log cannot be read. It proves nothing then, as for everybody
// who reads the files, and nobody waits for it to be mended.
func (i *informer) reportLog(key resources.Key, problem *resources.Problem) {
	task := resources.Key{Kind: resources.Tasks, Name: key.Name}
	i.recorder.record(task, resources.Warning, "CheckpointsUnreadable", "informer", problem.Error())
}

// leave notes that the store is gone. What is known stays, nothing is written. Found to be
// gone again, it may have gone for good meanwhile: who asked is told each time.
func (i *informer) leave(err error) {
	if !i.gone.Swap(true) {
		i.log.Warn("waiting for the store to come back; nothing is forgotten and nothing written meanwhile", "err", err)
	}
	if i.options.OnLeave != nil {
		i.options.OnLeave()
	}
}

// comeBack goes on after the store was gone: what was not written then is owed.
func (i *informer) comeBack() {
	if !i.gone.Load() {
		return
	}
	if i.options.OnReturn != nil {
		if err := i.options.OnReturn(); err != nil {
			i.onFatal(err)
			return
		}
	}
	clear(i.missing) // what was missed while all of it was away says nothing
	i.gone.Store(false)
	i.log.Info("the store is back")
	i.touchAll()
}
