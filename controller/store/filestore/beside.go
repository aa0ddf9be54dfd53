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

// PutStatus replaces the stored status, unless the bytes are equal.
func (s *Store) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return err
	}
	return s.root.Replace(layout.StatusPath(key), status)
}

// DeleteStatus removes the stored status.
func (s *Store) DeleteStatus(ctx context.Context, key resources.Key) error {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return err
	}
	return s.root.Remove(layout.StatusPath(key))
}

// ReadStatus returns the status of an object, even if the object does not
// exist.
func (s *Store) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return nil, err
	}
	return observed(s.root.Read(layout.StatusPath(key), layout.MaxSpec))
}

// ListStatus returns the keys of a kind with a status, sorted.
func (s *Store) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.root.KeysBelow(layout.StatusDir, kind)
}

// MarkOf returns the mark of an object whose file is missing and whose last
// good version is in effect, or nil.
func (s *Store) MarkOf(key resources.Key) *store.Mark { return s.root.MarkOf(key) }

// ReadArchived returns the spec of an archived object.
func (s *Store) ReadArchived(ctx context.Context, key resources.Key) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return nil, err
	}
	data, _, err := s.root.Read(layout.ArchivePath(key), layout.MaxSpec)
	return data, err
}

// ListArchived returns the keys of all archived objects, sorted.
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

// AppendCheckpoint appends a line to a task's log. It truncates long fields.
func (s *Store) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.root.AppendCheckpoint(task, c)
}

// IsExplained reports whether a removal since a time is known to be intended.
// See githistory.IsExplained.
func (s *Store) IsExplained(ctx context.Context, key resources.Key, since time.Time) bool {
	return githistory.IsExplained(ctx, s.root, key, since)
}

// LastGood returns the last readable version of an object whose file is broken.
// See githistory.LastGood.
func (s *Store) LastGood(ctx context.Context, key resources.Key) (spec []byte, rev string) {
	return githistory.LastGood(ctx, s.root, key)
}

// FindLost marks open objects whose files are missing without an explanation.
// See githistory.FindLost.
func (s *Store) FindLost(ctx context.Context, now time.Time) { githistory.FindLost(ctx, s.root, now) }
