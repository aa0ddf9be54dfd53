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

// series is a series of writes, store.Tx, under the store's write lock. Each of them happens at
// once, for every reader to see; Update returns when all are on disk. It is for
// one goroutine and ends with the function that it was given to.
type series struct {
	s       *Store
	ctx     context.Context
	folders map[string]*layout.OpenDir
	touched map[string]bool // folders whose names have changed and are not on disk yet
	done    []step
	wrote   []layout.Written
}

// step is a write that was made.
type step struct {
	undo  func() error
	clean func() // removes what undo needed
}

// Update holds the write lock while change runs: what change reads stays as it
// is, as far as writers that use this package go. If change returns an error,
// what it had written is taken back, except where an editor has saved over it
// since. When Update returns nil, everything is on disk for good.
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
	s.sweep(lock.dirty)
	if err := change(tx); err != nil {
		return errors.Join(append([]error{err}, tx.takeBack()...)...)
	}
	tx.tell()
	return tx.flush()
}

// tell leaves word of what was written; and of what was taken away no good version counts any more.
func (tx *series) tell() {
	for _, w := range tx.wrote {
		if w.Rev == "" && store.Planned(w.Key.Kind) {
			_ = tx.s.root.Remove(layout.QuarantinePath(w.Key)) // nearly never there; doctor names what remains
		}
	}
	tx.s.root.NoteWritten(tx.wrote)
}

// note says that an object has that revision now; "" for one that was taken away.
func (tx *series) note(key resources.Key, rev string) {
	tx.wrote = append(tx.wrote, layout.Written{Time: time.Now(), Key: key, Rev: rev})
}

// Get reads an object as it is now, this series' own writes included.
func (tx *series) Get(key resources.Key) (store.Record, error) { return tx.s.Get(tx.ctx, key) }

// folder opens a folder for writing; it stays open until the end.
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

func (tx *series) close() {
	for _, d := range tx.folders {
		d.Close()
	}
}

// did records a write in these folders.
func (tx *series) did(s step, folders ...string) {
	tx.done = append(tx.done, s)
	for _, f := range folders {
		tx.touched[f] = true
	}
}

// flush waits until the folders are on disk. A failure is final: after it nobody
// can say what is there, and asking again would not tell.
func (tx *series) flush() error {
	folders := make([]string, 0, len(tx.touched))
	for path := range tx.touched {
		folders = append(folders, path)
	}
	slices.Sort(folders) // archive/ first: what moves is never without a name
	for _, path := range folders {
		if err := tx.folders[path].Sync(); err != nil {
			return fmt.Errorf("%w; whether the change survives a power cut is not known: look at it, and at the disk", err)
		}
	}
	tx.clean()
	return nil
}

// takeBack undoes what was done, last first.
func (tx *series) takeBack() []error {
	var failed []error
	for _, s := range slices.Backward(tx.done) {
		if err := s.undo(); err != nil {
			failed = append(failed, fmt.Errorf("take back: %w", err))
		}
	}
	tx.clean()
	return failed
}

func (tx *series) clean() {
	for _, s := range tx.done {
		if s.clean != nil {
			s.clean()
		}
	}
	tx.done = nil
}

// Put is Tx.Put in a series of its own. See store.Store.
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

// Delete is Tx.Delete in a series of its own. See store.Store.
func (s *Store) Delete(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Delete(key, rev) })
}

// Archive is Tx.Archive in a series of its own. See store.Archiver.
func (s *Store) Archive(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Archive(key, rev) })
}

// Restore is Tx.Restore in a series of its own. See store.Archiver.
func (s *Store) Restore(ctx context.Context, key resources.Key) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Restore(key) })
}
