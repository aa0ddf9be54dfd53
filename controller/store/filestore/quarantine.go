package filestore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Quarantine records why an object is broken, and its last good version. The
// object's own file is not touched.
func (s *Store) Quarantine(ctx context.Context, key resources.Key, mark store.Mark) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
		return err
	}
	data, err := json.MarshalIndent(mark, "", "  ")
	if err != nil {
		return fmt.Errorf("mark of %s: %w", key, err)
	}
	return s.root.Replace(layout.QuarantinePath(key), append(data, '\n'))
}

// Quarantined returns the mark of a broken object. store.ErrNotFound.
func (s *Store) Quarantined(ctx context.Context, key resources.Key) (store.Mark, error) {
	if err := ctx.Err(); err != nil {
		return store.Mark{}, err
	}
	if err := checkKey(key); err != nil {
		return store.Mark{}, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	return s.root.ReadMark(key)
}

// Release removes the mark of an object that is whole again.
func (s *Store) Release(ctx context.Context, key resources.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
		return err
	}
	return s.root.Remove(layout.QuarantinePath(key))
}

// ListQuarantined returns the keys of all objects that have a mark, sorted.
func (s *Store) ListQuarantined(ctx context.Context) ([]resources.Key, error) {
	var all []resources.Key
	for _, kind := range resources.Kinds() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		keys, err := s.root.KeysBelow(layout.QuarantineDir, kind.Plural)
		if err != nil {
			return nil, err
		}
		all = append(all, keys...)
	}
	slices.SortFunc(all, resources.Key.Compare)
	return all, nil
}
