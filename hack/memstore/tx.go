package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// series implements store.Tx.
type series struct {
	s    *Store
	ctx  context.Context
	done []step
}

// step is one write with the previous and the new text; nil means no text.
type step struct {
	room        int
	key         resources.Key
	before, now *text
}

// Update blocks other writers while change runs. See store.Transactor.
func (s *Store) Update(ctx context.Context, change func(tx store.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx := &series{s: s, ctx: ctx}
	err := change(tx)
	if err != nil {
		tx.takeBack()
	}
	return err
}

// takeBack reverts the writes, last first, unless a text changed again since.
func (tx *series) takeBack() {
	for _, done := range slices.Backward(tx.done) {
		_ = tx.s.change(context.WithoutCancel(tx.ctx), func() error {
			if tx.s.rooms[done.room][done.key] == done.now {
				tx.s.set(done.room, done.key, done.before)
			}
			return nil
		}, done.key)
	}
}

// set stores a text in a room. nil removes it.
func (s *Store) set(room int, key resources.Key, t *text) {
	if t == nil {
		delete(s.rooms[room], key)
		return
	}
	s.rooms[room][key] = t
}

// write is set as a step of the series. The lock is held.
func (tx *series) write(room int, key resources.Key, t *text) {
	tx.done = append(tx.done, step{room, key, tx.s.rooms[room][key], t})
	tx.s.set(room, key, t)
	switch {
	case room == specs && t == nil:
		tx.s.removed[key] = time.Now()
	case room == specs:
		delete(tx.s.removed, key)
	}
}

// Get reads the current version of an object.
func (tx *series) Get(key resources.Key) (store.Record, error) { return tx.s.Get(tx.ctx, key) }

// Put writes an object if its revision is still rev. See store.Store.
func (tx *series) Put(key resources.Key, data []byte, rev string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	err := tx.s.change(tx.ctx, func() error {
		if err := tx.s.checkRev(key, rev); err != nil {
			return err
		}
		tx.write(specs, key, newText(data))
		return nil
	}, key)
	if err != nil {
		return "", err
	}
	return resources.Revision(data), nil
}

// PutAll is Put for many objects.
func (tx *series) PutAll(writes []store.Write, meanwhile func() error) []error {
	errs := make([]error, len(writes))
	var refused error
	if meanwhile != nil {
		refused = meanwhile()
	}
	for i, w := range writes {
		if errs[i] = refused; refused == nil {
			_, errs[i] = tx.Put(w.Key, w.Spec, w.Rev)
		}
	}
	return errs
}

// checkRev checks the revision of an object. An empty revision means that it must not exist.
func (s *Store) checkRev(key resources.Key, rev string) error {
	switch object := s.rooms[specs][key]; {
	case rev == "" && object != nil:
		return fmt.Errorf("%s: %w", key, store.ErrExists)
	case rev != "" && (object == nil || resources.Revision(object.data) != rev):
		return fmt.Errorf("%s: %w", key, store.ErrConflict)
	}
	return nil
}

// takeAway removes an object if its revision is still rev, and passes it to keep.
func (tx *series) takeAway(key resources.Key, rev string, keep func(*text)) error {
	return tx.s.change(tx.ctx, func() error {
		object := tx.s.rooms[specs][key]
		if object == nil {
			return fmt.Errorf("%s: %w", key, store.ErrNotFound)
		}
		if err := tx.s.checkRev(key, rev); err != nil {
			return err
		}
		tx.write(specs, key, nil)
		keep(object)
		return nil
	}, key)
}

// Delete removes an object if its revision is still rev. See store.Store.
func (tx *series) Delete(key resources.Key, rev string) error {
	return tx.takeAway(key, rev, func(*text) {})
}

// Archive archives an object if its revision is still rev. See store.Archiver.
func (tx *series) Archive(key resources.Key, rev string) error {
	return tx.takeAway(key, rev, func(object *text) {
		if older := tx.s.rooms[archive][key]; older != nil {
			free := key
			for n := 1; n == 1 || tx.s.rooms[archive][free] != nil; n++ {
				free.Name = fmt.Sprintf("%s.%d", key.Name, n)
			}
			tx.write(archive, free, older)
		}
		tx.write(archive, key, object)
	})
}

// Restore moves an archived object back. See store.Archiver.
func (tx *series) Restore(key resources.Key) error {
	return tx.s.change(tx.ctx, func() error {
		object := tx.s.rooms[archive][key]
		if object == nil {
			return fmt.Errorf("archived %s: %w", key, store.ErrNotFound)
		}
		if err := tx.s.checkRev(key, ""); err != nil {
			return err
		}
		tx.write(specs, key, object)
		tx.write(archive, key, nil)
		return nil
	}, key)
}

// Put is Tx.Put in a separate transaction. See store.Store.
func (s *Store) Put(ctx context.Context, key resources.Key, data []byte, rev string) (written string, err error) {
	err = s.Update(ctx, func(tx store.Tx) (err error) {
		written, err = tx.Put(key, data, rev)
		return err
	})
	return written, err
}

// Delete is Tx.Delete in a separate transaction. See store.Store.
func (s *Store) Delete(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Delete(key, rev) })
}

// Archive is Tx.Archive in a separate transaction. See store.Archiver.
func (s *Store) Archive(ctx context.Context, key resources.Key, rev string) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Archive(key, rev) })
}

// Restore is Tx.Restore in a separate transaction. See store.Archiver.
func (s *Store) Restore(ctx context.Context, key resources.Key) error {
	return s.Update(ctx, func(tx store.Tx) error { return tx.Restore(key) })
}

// Save writes an object like an editor, without a check of its revision.
func (s *Store) Save(key resources.Key, data []byte) {
	_ = s.change(context.Background(), func() error {
		s.set(specs, key, newText(data))
		return nil
	}, key)
}

// Lose removes an object like rm, without a record of the removal.
func (s *Store) Lose(key resources.Key) {
	_ = s.change(context.Background(), func() error {
		s.set(specs, key, nil)
		return nil
	}, key)
}
