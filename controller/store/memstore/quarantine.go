package memstore

import (
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Quarantine records why an object is broken. See store.Quarantiner.
func (s *Store) Quarantine(ctx context.Context, key resources.Key, mark store.Mark) error {
	return s.change(ctx, func() error {
		mark.Problem.Key = key
		s.marks[key] = mark
		return nil
	})
}

// Quarantined returns the mark of a broken object.
func (s *Store) Quarantined(ctx context.Context, key resources.Key) (store.Mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mark, ok := s.marks[key]
	if !ok {
		return store.Mark{}, fmt.Errorf("mark of %s: %w", key, store.ErrNotFound)
	}
	return mark, ctx.Err()
}

// Release removes the mark; no error if there is none.
func (s *Store) Release(ctx context.Context, key resources.Key) error {
	return s.change(ctx, func() error {
		delete(s.marks, key)
		return nil
	})
}

// ListQuarantined returns the keys that have a mark, sorted.
func (s *Store) ListQuarantined(ctx context.Context) ([]resources.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return keysOf(s.marks, ""), ctx.Err()
}
