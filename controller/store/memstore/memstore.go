// Package memstore is a store.Store in memory, for tests of everything above it.
// It passes the same conformance suite as filestore. Watch hints every change at
// once and history is never lost.
package memstore

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Store keeps objects in memory. The zero Store is empty and ready for use. All
// methods may be called at once.
type Store struct {
	mu       sync.Mutex
	specs    map[resources.Key]spec
	statuses map[resources.Key][]byte
	archived map[resources.Key]spec
	marks    map[resources.Key]store.Mark
	events   []resources.Event
	contexts map[string][]byte // by name
	watchers map[*watcher]bool
}

// spec is an object's text and when it was written.
type spec struct {
	data    []byte
	modTime time.Time
}

var (
	_ store.Store            = (*Store)(nil)
	_ store.Archiver         = (*Store)(nil)
	_ store.Quarantiner      = (*Store)(nil)
	_ store.QuarantineLister = (*Store)(nil)
	_ store.StatusLister     = (*Store)(nil)
	_ store.StatusReader     = (*Store)(nil)
	_ store.Appender         = (*Store)(nil)
	_ store.EventTrimmer     = (*Store)(nil)
	_ store.ContextKeeper    = (*Store)(nil)
)

// New returns an empty store.
func New() *Store { return &Store{} }

// change runs f under the lock, with all maps made, and then hints the keys.
func (s *Store) change(ctx context.Context, f func() error, hints ...resources.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.specs == nil {
		s.specs, s.statuses = map[resources.Key]spec{}, map[resources.Key][]byte{}
		s.archived, s.marks = map[resources.Key]spec{}, map[resources.Key]store.Mark{}
		s.contexts = map[string][]byte{}
	}
	if err := f(); err != nil {
		return err
	}
	for w := range s.watchers {
		w.add(hints...)
	}
	return nil
}

// Get reads one object. See store.Store.
func (s *Store) Get(ctx context.Context, key resources.Key) (store.Record, error) {
	if err := ctx.Err(); err != nil {
		return store.Record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(key)
}

func (s *Store) get(key resources.Key) (store.Record, error) {
	object, ok := s.specs[key]
	if !ok {
		return store.Record{Key: key}, fmt.Errorf("%s: %w", key, store.ErrNotFound)
	}
	return store.Record{
		Key: key, Spec: bytes.Clone(object.data), Rev: resources.Revision(object.data),
		ModTime: object.modTime, Status: bytes.Clone(s.statuses[key]),
	}, nil
}

// List reads every object of a kind. See store.Store.
func (s *Store) List(ctx context.Context, kind string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, key := range s.keys(kind) {
			record, err := s.Get(ctx, key)
			if err != nil && ctx.Err() == nil {
				continue // removed since
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

func (s *Store) keys(kind string) []resources.Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	return keysOf(s.specs, kind)
}

// keysOf returns the keys of that kind in a map, sorted; of all kinds if it is "".
func keysOf[V any](m map[resources.Key]V, kind string) []resources.Key {
	var keys []resources.Key
	for key := range m {
		if kind == "" || key.Kind == kind {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys
}

// at checks that the object of that key has that revision.
func (s *Store) at(key resources.Key, rev string) error {
	object, ok := s.specs[key]
	if !ok || resources.Revision(object.data) != rev {
		return fmt.Errorf("%s: %w", key, store.ErrConflict)
	}
	return nil
}

// Put writes an object if its revision is still rev. See store.Store.
func (s *Store) Put(ctx context.Context, key resources.Key, data []byte, rev string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	err := s.change(ctx, func() error {
		_, there := s.specs[key]
		if rev == "" && there {
			return fmt.Errorf("%s: %w", key, store.ErrExists)
		}
		if rev != "" {
			if err := s.at(key, rev); err != nil {
				return err
			}
		}
		s.specs[key] = spec{bytes.Clone(data), time.Now()}
		return nil
	}, key)
	if err != nil {
		return "", err
	}
	return resources.Revision(data), nil
}

// checkKey reports whether an object of that key may be written.
func checkKey(key resources.Key) error {
	if _, ok := resources.KindOf(key.Kind); !ok {
		return fmt.Errorf("%s: the store doesn't have a resource type %q", key, key.Kind)
	}
	if err := resources.CheckName(key.Name); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// PutStatus replaces what was observed.
func (s *Store) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return s.change(ctx, func() error {
		s.statuses[key] = bytes.Clone(status)
		return nil
	})
}

// Delete removes an object if its revision is still rev. See store.Store.
func (s *Store) Delete(ctx context.Context, key resources.Key, rev string) error {
	return s.change(ctx, func() error {
		if _, there := s.specs[key]; !there {
			return fmt.Errorf("%s: %w", key, store.ErrNotFound)
		}
		if err := s.at(key, rev); err != nil {
			return err
		}
		delete(s.specs, key)
		return nil
	}, key)
}

// DeleteStatus removes what was observed.
func (s *Store) DeleteStatus(ctx context.Context, key resources.Key) error {
	return s.change(ctx, func() error {
		delete(s.statuses, key)
		return nil
	})
}

// ReadStatus returns what was observed, whether there is such an object or not.
func (s *Store) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.statuses[key]), ctx.Err()
}

// ListStatus returns the keys of a kind that have a status, sorted.
func (s *Store) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return keysOf(s.statuses, kind), ctx.Err()
}
