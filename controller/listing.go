package controller

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

const (
	listWorkers = 2   // who decode; reading is a third of the work
	listBatch   = 128 // records that change hands, and enter the cache, at a time
)

// listed is a record of a listing, or the error that stands for it.
type listed struct {
	record store.Record
	err    error
}

// relist reads everything there is: at the start, and whenever history was lost.
// What does not show up is not thereby gone; it is looked at by name.
func (i *informer) relist(ctx context.Context) error {
	if i.leaseLost() {
		return nil
	}
	if err := i.refreshArchived(ctx); err != nil {
		return i.orLeave(err)
	}
	if !i.listed {
		i.store.FindLost(ctx, time.Now())
	}
	seen := map[resources.Key]bool{}
	var changes [][]Change // by batch: they are many
	err := i.listAll(ctx, func(batch []seenRecord) (err error) {
		changed := make([]Change, 0, len(batch))
		for _, s := range batch {
			seen[s.record.Key] = true
			if changed, err = i.takeListed(ctx, s, changed); err != nil {
				return err
			}
		}
		changes = append(changes, changed)
		return nil
	})
	if err != nil {
		return i.orLeave(err)
	}
	changes = append(changes, i.rereadStatuses(ctx, seen))
	i.comeBack()
	i.lookForMissing(seen)
	if err := i.releaseRepaired(); err != nil {
		return i.orLeave(err)
	}
	owed, err := i.leftBehind(ctx)
	if err != nil {
		return i.orLeave(err)
	}
	i.finishListing(append(changes, owed))
	return nil
}

// leaseLost reports whether the lease's file is gone, as after git clean -x or in the
// middle of rm -r .idumb. Nothing is written until a later listing takes it again.
func (i *informer) leaseLost() bool {
	if !i.listed || i.gone.Load() || i.options.Held == nil || i.options.Held() {
		return false
	}
	i.leave(errReplaced)
	i.queue.AddAfter(listKey, leftFor)
	return true
}

// rereadStatuses looks what is left of the statuses of objects that did not show up
// in a listing: because they never were a file, as the read-head where nobody wrote
// trajectory.json, or because somebody removed the files. Who did may have removed their
// statuses as well, and when the files come back as they were, nothing else says so.
func (i *informer) rereadStatuses(ctx context.Context, seen map[resources.Key]bool) []Change {
	var changes []Change
	for _, key := range i.cache.withStatus() {
		if seen[key] || i.owed(key) {
			continue
		}
		status, err := i.store.ReadStatus(ctx, key)
		if err != nil {
			continue // it cannot be had now, or the store is gone again
		}
		before, after := i.cache.update(key, func(e *entry) { e.observed = readStatus(status) })
		if string(before.status) != string(after.status) {
			changes = append(changes, change(before, after))
		}
	}
	return changes
}

// finishListing tells the reconcilers about a listing once all of it is in the
// cache, circles included.
func (i *informer) finishListing(changes [][]Change) {
	i.lastList.Store(time.Now().Unix())
	if !i.listed {
		i.refreshCircles()
	}
	for _, batch := range changes {
		for n := range batch {
			batch[n].Resync, batch[n].First = true, !i.listed
		}
		i.deliver(batch)
	}
	i.deliver([]Change{{Resync: true}})
	if !i.listed {
		i.listed = true
		i.onListed()
	}
}

// orLeave turns a store that is gone from an error into waiting for it.
func (i *informer) orLeave(err error) error {
	if errors.Is(err, store.ErrGone) {
		i.leave(err)
		return nil
	}
	return err
}

// takeListed is take for a record of a listing: its status comes with it, and its change is
// added to those that are to be delivered.
func (i *informer) takeListed(ctx context.Context, s seenRecord, to []Change) ([]Change, error) {
	key := s.record.Key
	if key.Kind == resources.CheckpointsKind {
		if s.problem != nil {
			i.reportLog(key, s.problem)
		}
		if i.cache.putLog(key.Name, checkpointLog{rev: s.record.Rev, evidence: s.evidence}) {
			to = append(to, Change{Key: key})
		}
		return to, nil
	}
	delete(i.missing, key)
	fresh := !i.owed(key) // else the status that the store has is out of date
	if s.problem == nil && s.object != nil {
		return append(to, i.accept(s, fresh)), i.mended(key)
	}
	before := i.cache.get(key)
	after := before
	if fresh {
		before, after = i.cache.update(key, func(e *entry) { e.observed = s.observed })
	}
	switch {
	case s.problem != nil:
		again, err := i.breakage(ctx, s)
		if again.After > 0 {
			i.queue.AddAfter(key, again.After)
		}
		if err != nil || string(before.status) == string(after.status) {
			return to, err
		}
		now := i.cache.get(key)
		return append(to, change(now, now)), nil
	case string(before.status) != string(after.status):
		return append(to, change(before, after)), nil
	}
	return to, nil
}

// releaseRepaired removes the marks of files that were repaired while no
// controller ran.
func (i *informer) releaseRepaired() error {
	keys, err := i.marks.Keys()
	if err != nil {
		return fmt.Errorf("list the quarantine: %w", err)
	}
	for _, key := range keys {
		if e := i.cache.get(key); e.torn || i.troubles[key] != nil {
			continue
		}
		if i.recallLost(key) {
			continue
		}
		if err := i.release(key); err != nil {
			return err
		}
	}
	return nil
}

// lookForMissing has every object looked at by name that is in the cache and did
// not show up in a listing.
func (i *informer) lookForMissing(seen map[resources.Key]bool) {
	for _, key := range i.cache.keys() {
		if !seen[key] {
			i.queue.Add(key, Low)
		}
	}
	i.sources.each(func(path string) { i.queue.Add(resources.Key{Kind: store.FilesKind, Name: path}, Low) })
	i.queue.Add(headKey, Low)
	i.queue.Add(listedKey, Low)
}

// leftBehind finds the statuses of objects that are gone: clean-up that is owed.
func (i *informer) leftBehind(ctx context.Context) ([]Change, error) {
	var owed []Change
	for _, kind := range resources.Kinds() {
		keys, err := i.store.ListStatus(ctx, kind.Plural)
		if err != nil {
			return nil, fmt.Errorf("list the statuses of %s: %w", kind.Plural, err)
		}
		for _, key := range keys {
			if i.cache.get(key).known() || i.owed(key) {
				continue
			}
			status := i.statusOf(ctx, key)
			before, after := i.cache.update(key, func(e *entry) { e.observed = status })
			owed = append(owed, change(before, after))
		}
	}
	return owed, nil
}

// statusOf reads a status that no object came with. It is there, and if what it
// says cannot be had, that does not matter.
func (i *informer) statusOf(ctx context.Context, key resources.Key) observed {
	if status, err := i.store.ReadStatus(ctx, key); err == nil && len(status) > 0 {
		return readStatus(status)
	}
	return readStatus([]byte("{}\n"))
}

// judging is a batch on its way from who reads to who applies.
type judging struct {
	batch []listed
	done  chan []seenRecord // has room for the one thing that is sent
}

// listAll reads and judges every object and every checkpoint log, and hands them
// to apply in batches, in the order in which they were read, on the goroutine that called.
func (i *informer) listAll(ctx context.Context, apply func([]seenRecord) error) error {
	g, ctx := errgroup.WithContext(ctx)
	order, work := make(chan judging, 2*listWorkers), make(chan judging, listWorkers)
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return i.readAll(ctx, func(batch []listed) error {
			j := judging{batch, make(chan []seenRecord, 1)}
			return errors.Join(send(ctx, order, j), send(ctx, work, j))
		})
	})
	for range listWorkers {
		g.Go(func() error {
			for j := range work {
				j.done <- i.judgeAll(j.batch)
			}
			return nil
		})
	}
	var failed error
	for j := range order {
		select {
		case batch := <-j.done:
			if failed == nil {
				failed = apply(batch)
			}
		case <-ctx.Done():
		}
	}
	return errors.Join(g.Wait(), failed)
}

func send[T any](ctx context.Context, to chan<- T, what T) error {
	select {
	case to <- what:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readAll lists every kind, in the order of the table of kinds, and the checkpoint logs.
func (i *informer) readAll(ctx context.Context, hand func([]listed) error) error {
	var batch []listed
	flush := func() error {
		full := batch
		if batch = nil; len(full) == 0 {
			return nil
		}
		return hand(full)
	}
	for _, kind := range listedKinds() {
		for record, err := range i.store.List(ctx, kind) {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue // somebody removes the folder right now; its hints are on the way
			case err != nil && record.Key.Kind == "":
				return fmt.Errorf("list %s: %w", kind, err)
			case err != nil && record.Key.Name == "":
				i.log.Warn("a kind cannot be listed; its objects are looked at by name only", "object", kind, "err", err)
				continue
			}
			if batch = append(batch, listed{record, err}); len(batch) < listBatch {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func listedKinds() []string {
	var kinds []string
	for _, k := range resources.Kinds() {
		kinds = append(kinds, k.Plural)
	}
	return append(kinds, resources.CheckpointsKind)
}

func (i *informer) judgeAll(batch []listed) []seenRecord {
	judged := make([]seenRecord, 0, len(batch))
	for _, l := range batch {
		judged = append(judged, i.judge(l.record, l.err))
	}
	return judged
}
