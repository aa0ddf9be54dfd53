package filestore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// PutStatus replaces what was observed, unless the bytes are the same.
func (s *Store) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return err
	}
	return s.root.Replace(layout.StatusPath(key), status)
}

// DeleteStatus removes what was observed.
func (s *Store) DeleteStatus(ctx context.Context, key resources.Key) error {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return err
	}
	return s.root.Remove(layout.StatusPath(key))
}

// ReadStatus returns the status of an object, whether there is such an object or not.
func (s *Store) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return nil, err
	}
	return observed(s.root.Read(layout.StatusPath(key), layout.MaxSpec))
}

// ListStatus returns the keys of a kind that have a status, sorted.
func (s *Store) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.root.KeysBelow(layout.StatusDir, kind)
}

// Lost is layout.Root.Lost.
func (s *Store) Lost(key resources.Key) *store.Mark { return s.root.Lost(key) }

// ReadArchived returns the spec of an object that was set aside.
func (s *Store) ReadArchived(ctx context.Context, key resources.Key) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return nil, err
	}
	data, _, err := s.root.Read(layout.ArchivePath(key), layout.MaxSpec)
	return data, err
}

// ListArchived returns the keys of what was set aside, sorted.
func (s *Store) ListArchived(ctx context.Context) (all []resources.Key, err error) {
	for _, kind := range resources.Kinds() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		keys, err := s.root.KeysBelow(layout.ArchiveDir, kind.Plural)
		if err != nil {
			return nil, err
		}
		all = append(all, keys...)
	}
	slices.SortFunc(all, resources.Key.Compare)
	return all, nil
}

// AppendCheckpoint adds a line to a task's log. What is too long is cut.
func (s *Store) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.root.AppendCheckpoint(task, c)
}

// Explained is githistory.Explained.
func (s *Store) Explained(ctx context.Context, key resources.Key, since time.Time) bool {
	return githistory.Explained(ctx, s.root, key, since)
}

// FindLost is githistory.FindLost.
func (s *Store) FindLost(ctx context.Context, now time.Time) { githistory.FindLost(ctx, s.root, now) }
