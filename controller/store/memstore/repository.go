package memstore

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// WriteContext keeps a file of the packed context. See store.ContextKeeper.
func (s *Store) WriteContext(ctx context.Context, name string, data []byte) error {
	return s.change(ctx, func() error {
		if err := store.CheckContextName(name); err != nil {
			return err
		}
		s.contexts[name] = bytes.Clone(data)
		return nil
	})
}

// DeleteContext forgets a file of the packed context; no error if there is none.
func (s *Store) DeleteContext(ctx context.Context, name string) error {
	return s.change(ctx, func() error {
		delete(s.contexts, name)
		return store.CheckContextName(name)
	})
}

// ListContext returns the names of the files in a folder, sorted.
func (s *Store) ListContext(ctx context.Context, dir string) ([]string, error) {
	if err := errors.Join(ctx.Err(), store.CheckContextName(dir)); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.contexts {
		if path.Dir(name) == dir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// LastPack returns what was packed for a session, or ("") for everybody.
func (s *Store) LastPack(session string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.contexts[store.PackName(session)])
}

// TrimEvents forgets the events of all days before the one that oldest lies in.
func (s *Store) TrimEvents(ctx context.Context, oldest time.Time) error {
	first := oldest.UTC().Truncate(24 * time.Hour)
	return s.change(ctx, func() error {
		s.events = slices.DeleteFunc(s.events, func(e resources.Event) bool { return e.Time.Before(first) })
		return nil
	})
}
