package filestore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// series is a series of writes (store.Tx) under the store's write lock. Each
// write is effective immediately. Update returns after all writes are durable.
// It must be used by one goroutine, and only within the function passed to
// Update.
type series struct {
	s       *Store
	ctx     context.Context
	folders map[string]*layout.OpenDir
	touched map[string]bool // directories with changed names that are not flushed yet
	done    []step
	log     []layout.WriteEntry
}

// step is a write that was made.
type step struct {
	undo  func() error
	clean func() // removes the files that undo needs
}

// Update holds the write lock while change runs, so that objects read by change
// are not changed by other writers of this package. If change returns an error,
// its writes are reverted, except for files that an editor has saved since.
// When Update returns nil, all writes are durable.
func (s *Store) Update(ctx context.Context, change func(tx store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.unlock()
	tx := &series{s: s, ctx: ctx, folders: map[string]*layout.OpenDir{}, touched: map[string]bool{}}
	defer tx.close()
	// If the previous lock holder crashed, its temporary files may be anywhere. Files that cannot
	// be removed are left to the next writer.
	if lock.dirty {
		s.sweepBelow(layout.Dir)
	}
	for _, folder := range s.temps.take() {
		if d, err := s.root.Open(folder); err == nil {
			sweepFolder(folder, d)
			d.Close()
		}
	}
	if err := change(tx); err != nil {
		return errors.Join(append([]error{err}, tx.revert()...)...)
	}
	// Without the quarantine marks of removed objects, their last good versions are not in effect.
	for _, w := range tx.log {
		if w.Rev == "" && store.IsPlanned(w.Key.Kind) {
			_ = tx.s.root.Remove(layout.QuarantinePath(w.Key)) // usually missing; doctor reports remaining ones
		}
	}
	tx.s.root.RecordWrites(tx.log)
	// After a failure the state on disk is unknown, and a retry would not reveal it.
	folders := make([]string, 0, len(tx.touched))
	for path := range tx.touched {
		folders = append(folders, path)
	}
	slices.Sort(folders) // archive/ first, so that a moved file always has a name
	for _, path := range folders {
		if err := tx.folders[path].Sync(); err != nil {
			return fmt.Errorf("%w; a power failure may lose the change: check the files and the disk", err)
		}
	}
	tx.clean()
	return nil
}

// note records the new revision of an object, "" for a removed one.
func (tx *series) note(key resources.Key, rev string) {
	tx.log = append(tx.log, layout.WriteEntry{Time: time.Now(), Key: key, Rev: rev})
}

// Get reads an object, including writes of this series.
func (tx *series) Get(key resources.Key) (store.Record, error) { return tx.s.Get(tx.ctx, key) }

// folder opens a directory for writing. It stays open until the end of the
// series.
func (tx *series) folder(path string) (*layout.OpenDir, error) {
	if d, ok := tx.folders[path]; ok {
		return d, nil
	}
	d, err := tx.s.root.Make(path)
	if err == nil {
		tx.folders[path] = d
	}
	return d, err
}

// close closes the directories that the series opened.
func (tx *series) close() {
	for _, d := range tx.folders {
		d.Close()
	}
}

// recordStep records a write in these directories.
func (tx *series) recordStep(s step, folders ...string) {
	tx.done = append(tx.done, s)
	for _, f := range folders {
		tx.touched[f] = true
	}
}

// revert reverts the writes, last first.
func (tx *series) revert() []error {
	var failed []error
	for _, s := range slices.Backward(tx.done) {
		if err := s.undo(); err != nil {
			failed = append(failed, fmt.Errorf("take back: %w", err))
		}
	}
	tx.clean()
	return failed
}

// clean removes what revert would have needed. The writes can no longer be
// reverted.
func (tx *series) clean() {
	for _, s := range tx.done {
		if s.clean != nil {
			s.clean()
		}
	}
	tx.done = nil
}

// Put is Tx.Put in a separate series. See store.Store.
func (s *Store) Put(ctx context.Context, key resources.Key, spec []byte, rev string) (string, error) {
	var written string
	err := s.Update(ctx, func(tx store.Tx) (err error) {
		written, err = tx.Put(key, spec, rev)
		return err
	})
	if err != nil {
		return "", err
	}
	return written, nil
}

// Delete is Tx.Delete in a separate series. See store.Store.
func (s *Store) Delete(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Delete(key, rev) })
}

// Archive is Tx.Archive in a separate series. See store.Archiver.
func (s *Store) Archive(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Archive(key, rev) })
}

// Restore is Tx.Restore in a separate series. See store.Archiver.
func (s *Store) Restore(ctx context.Context, key resources.Key) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Restore(key) })
}
