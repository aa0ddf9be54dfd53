package filestore

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// PutStatus replaces what was observed, unless the bytes are the same.
func (s *Store) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
		return err
	}
	return s.root.Replace(layout.StatusPath(key), status)
}

// DeleteStatus removes what was observed.
func (s *Store) DeleteStatus(ctx context.Context, key resources.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
		return err
	}
	return s.root.Remove(layout.StatusPath(key))
}

// ReadStatus returns the status of an object, whether there is such an object or not.
func (s *Store) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return s.status(key)
}

// ListStatus returns the keys of a kind that have a status, sorted.
func (s *Store) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.keysBelow(layout.StatusDir, kind)
}

// keysBelow returns the keys of a kind that have a file below a folder that has
// one folder for each kind, sorted. A link or a file in such a folder's place counts
// as an empty one: doctor names it, and specs and their statuses do without it.
func (s *Store) keysBelow(folder, kind string) ([]resources.Key, error) {
	names, err := s.names(folder + "/" + kind)
	if errors.Is(err, store.ErrUnreadable) && s.readable() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []resources.Key
	for _, file := range names {
		if name, ok := layout.ObjectName(file); ok {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys, nil
}

// readable reports whether .idumb itself is a folder that may be read.
func (s *Store) readable() bool {
	d, err := s.root.Open(layout.Dir)
	if err == nil {
		d.Close()
	}
	return err == nil
}
