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
	listWorkers = 2   // decoding goroutines; reading is a third of the work
	listBatch   = 128 // records per batch between goroutines and into the cache
)

// listResult is one result of a listing: a record or an error.
type listResult struct {
	record store.Record
	err    error
}

// relist lists the whole store, at the start and whenever changes may have been
// missed. An object that is missing from the listing is not deleted yet; it is
// queued by name.
func (i *informer) relist(ctx context.Context) error {
	if i.leaseLost() {
		return nil
	}
	if err := i.refreshArchived(ctx); err != nil {
		return i.suspendIfGone(err)
	}
	if !i.listed {
		i.store.FindLost(ctx, time.Now())
	}
	seen := map[resources.Key]bool{}
	var changes [][]Change // by batch, because there are many
	err := i.listAll(ctx, func(batch []decodedRecord) (err error) {
		changed := make([]Change, 0, len(batch))
		for _, s := range batch {
			seen[s.record.Key] = true
			if changed, err = i.acceptListed(ctx, s, changed); err != nil {
				return err
			}
		}
		changes = append(changes, changed)
		return nil
	})
	if err != nil {
		return i.suspendIfGone(err)
	}
	changes = append(changes, i.rereadStatuses(ctx, seen))
	i.resume()
	for _, key := range i.cache.keys() {
		if !seen[key] {
			i.queue.Add(key, Low)
		}
	}
	i.sources.each(func(path string) { i.queue.Add(resources.Key{Kind: store.FilesKind, Name: path}, Low) })
	i.queue.Add(headKey, Low)
	i.queue.Add(listedKey, Low)
	if err := i.releaseRepaired(ctx); err != nil {
		return i.suspendIfGone(err)
	}
	owed, err := i.orphanedStatuses(ctx)
	if err != nil {
		return i.suspendIfGone(err)
	}
	i.finishListing(append(changes, owed))
	return nil
}

// leaseLost reports whether the lease's file is missing, for example after git
// clean -x or during rm -r .idumb. Nothing is written until a later listing
// reacquires the lease.
func (i *informer) leaseLost() bool {
	if !i.listed || i.unavailable.Load() || i.options.HoldsLease == nil || i.options.HoldsLease() {
		return false
	}
	i.suspend(errReplaced)
	i.queue.AddAfter(listKey, storeCheckInterval)
	return true
}

// rereadStatuses rereads the statuses of objects that are missing from a
// listing. Such an object may never have had a file, like the read head without
// trajectory.json, or its file was removed. The statuses may have been removed
// with it. If the file returns unchanged, no other event reports the missing
// status.
func (i *informer) rereadStatuses(ctx context.Context, seen map[resources.Key]bool) []Change {
	var changes []Change
	for _, key := range i.cache.keysWithStatus() {
		if seen[key] || i.statusBehind(key) {
			continue
		}
		status, err := i.store.ReadStatus(ctx, key)
		if err != nil {
			continue // currently unreadable, or the store is unavailable again
		}
		before, after := i.cache.update(key, func(e *entry) { e.observed = readStatus(status) })
		if string(before.status) != string(after.status) {
			changes = append(changes, change(before, after))
		}
	}
	return changes
}

// finishListing delivers a listing to the reconcilers after all of it,
// including the cycles, is in the cache.
func (i *informer) finishListing(changes [][]Change) {
	i.lastList.Store(time.Now().Unix())
	if !i.listed {
		i.refreshCycles()
	}
	for _, batch := range changes {
		for n := range batch {
			batch[n].Resync, batch[n].Initial = true, !i.listed
		}
		i.deliver(batch)
	}
	i.deliver([]Change{{Resync: true}})
	if !i.listed {
		i.listed = true
		i.onListed()
	}
}

// suspendIfGone returns err, except for store.ErrGone: it then suspends writes until the
// store is back, and returns nil at once.
func (i *informer) suspendIfGone(err error) error {
	if errors.Is(err, store.ErrGone) {
		i.suspend(err)
		return nil
	}
	return err
}

// acceptListed brings a record of a listing, including its status, into the
// cache. It appends the change to the changes to deliver.
func (i *informer) acceptListed(ctx context.Context, s decodedRecord, to []Change) ([]Change, error) {
	key := s.record.Key
	if key.Kind == resources.CheckpointsKind {
		if s.problem != nil {
			i.reportLog(key, s.problem)
		}
		if i.cache.putLog(key.Name, checkpointLog{s.record.Rev, s.evidence}) {
			to = append(to, Change{Key: key})
		}
		return to, nil
	}
	delete(i.missingSince, key)
	fresh := !i.statusBehind(key) // otherwise the stored status is outdated
	if s.problem == nil && s.object != nil {
		return append(to, i.accept(s, fresh)), i.clearTrouble(key)
	}
	before := i.cache.get(key)
	after := before
	if fresh {
		before, after = i.cache.update(key, func(e *entry) { e.observed = s.observed })
	}
	switch {
	case s.problem != nil:
		again, err := i.handleInvalid(ctx, s)
		if again.RequeueAfter > 0 {
			i.queue.AddAfter(key, again.RequeueAfter)
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
// controller was running.
func (i *informer) releaseRepaired(ctx context.Context) error {
	keys, err := i.marks.Keys()
	if err != nil {
		return fmt.Errorf("list the quarantine: %w", err)
	}
	for _, key := range keys {
		if e := i.cache.get(key); e.rejected || i.invalidFiles[key] != nil {
			continue
		}
		if i.restoreLost(ctx, key) {
			continue
		}
		if err := i.release(key); err != nil {
			return err
		}
	}
	return nil
}

// orphanedStatuses returns changes for orphaned statuses: statuses of deleted
// objects, which their reconcilers must clean up.
func (i *informer) orphanedStatuses(ctx context.Context) ([]Change, error) {
	var owed []Change
	for _, kind := range resources.Kinds() {
		keys, err := i.store.ListStatus(ctx, kind.Plural)
		if err != nil {
			return nil, fmt.Errorf("list the statuses of %s: %w", kind.Plural, err)
		}
		for _, key := range keys {
			if i.cache.get(key).exists() || i.statusBehind(key) {
				continue
			}
			status := i.statusOf(ctx, key)
			before, after := i.cache.update(key, func(e *entry) { e.observed = status })
			owed = append(owed, change(before, after))
		}
	}
	return owed, nil
}

// statusOf reads an orphaned status. An unreadable status is treated as an
// empty one.
func (i *informer) statusOf(ctx context.Context, key resources.Key) observed {
	if status, err := i.store.ReadStatus(ctx, key); err == nil && len(status) > 0 {
		return readStatus(status)
	}
	return readStatus([]byte("{}\n"))
}

// decodeBatch is a batch between the reading and the applying goroutine.
type decodeBatch struct {
	batch []listResult
	done  chan []decodedRecord // has capacity for the one result
}

// listAll reads and decodes every object and every checkpoint log. It calls
// apply with batches in reading order, on the caller's goroutine.
func (i *informer) listAll(ctx context.Context, apply func([]decodedRecord) error) error {
	g, ctx := errgroup.WithContext(ctx)
	order, work := make(chan decodeBatch, 2*listWorkers), make(chan decodeBatch, listWorkers)
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return i.readAll(ctx, func(batch []listResult) error {
			j := decodeBatch{batch, make(chan []decodedRecord, 1)}
			return errors.Join(send(ctx, order, j), send(ctx, work, j))
		})
	})
	for range listWorkers {
		g.Go(func() error {
			for j := range work {
				j.done <- i.decodeAll(j.batch)
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

// send sends a value on a channel. It returns ctx's error if ctx ends first.
func send[T any](ctx context.Context, to chan<- T, what T) error {
	select {
	case to <- what:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readAll lists every kind in table order and the checkpoint logs, and passes the
// results to hand in batches. It logs and skips a kind that cannot be listed.
func (i *informer) readAll(ctx context.Context, hand func([]listResult) error) error {
	var batch []listResult
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
				continue // the directory is being removed; hints will follow
			case err != nil && record.Key.Kind == "":
				return fmt.Errorf("list %s: %w", kind, err)
			case err != nil && record.Key.Name == "":
				i.log.Warn("a kind cannot be listed; its objects are looked at by name only", "object", kind, "err", err)
				continue
			}
			if batch = append(batch, listResult{record, err}); len(batch) < listBatch {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// listedKinds returns the kinds that a listing reads: all kinds of objects and
// the checkpoint logs.
func listedKinds() []string {
	var kinds []string
	for _, k := range resources.Kinds() {
		kinds = append(kinds, k.Plural)
	}
	return append(kinds, resources.CheckpointsKind)
}

func (i *informer) decodeAll(batch []listResult) []decodedRecord {
	judged := make([]decodedRecord, 0, len(batch))
	for _, l := range batch {
		judged = append(judged, i.decode(l.record, l.err))
	}
	return judged
}
