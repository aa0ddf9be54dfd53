package filestore

import (
	"context"

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
	return s.root.KeysBelow(layout.StatusDir, kind)
}
