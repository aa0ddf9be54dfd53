package memstore

import (
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Archive moves an object aside if its revision is still rev. See store.Archiver.
func (s *Store) Archive(ctx context.Context, key resources.Key, rev string) error {
	return s.change(ctx, func() error {
		object, there := s.specs[key]
		if !there {
			return fmt.Errorf("%s: %w", key, store.ErrNotFound)
		}
		if err := s.at(key, rev); err != nil {
			return err
		}
		if older, taken := s.archived[key]; taken {
			s.archived[s.freeName(key)] = older
		}
		s.archived[key] = object
		delete(s.specs, key)
		return nil
	}, key)
}

// freeName returns the first of <name>.1, <name>.2, ... that is not archived.
func (s *Store) freeName(key resources.Key) resources.Key {
	for n := 1; ; n++ {
		free := resources.Key{Kind: key.Kind, Name: fmt.Sprintf("%s.%d", key.Name, n)}
		if _, taken := s.archived[free]; !taken {
			return free
		}
	}
}

// Restore moves an archived object back. See store.Archiver.
func (s *Store) Restore(ctx context.Context, key resources.Key) error {
	return s.change(ctx, func() error {
		object, there := s.archived[key]
		if !there {
			return fmt.Errorf("archived %s: %w", key, store.ErrNotFound)
		}
		if _, taken := s.specs[key]; taken {
			return fmt.Errorf("%s: %w", key, store.ErrExists)
		}
		s.specs[key] = object
		delete(s.archived, key)
		return nil
	}, key)
}

// ListArchived returns the keys of what was set aside, sorted.
func (s *Store) ListArchived(ctx context.Context) ([]resources.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return keysOf(s.archived, ""), ctx.Err()
}
