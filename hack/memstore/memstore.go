// Package memstore is a store in memory. It is the reference for the file store, and the store of
// tests.
package memstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Store is a store.Store in memory, without a repository. It stores objects and their statuses as
// texts by room and key. Watch hints every change immediately and never loses history. It is safe
// for concurrent use. New creates a store.
type Store struct {
	scratch Scratch
	writing sync.Mutex // locked by Update

	mu      sync.Mutex
	rooms   [rooms]map[resources.Key]*text
	removed map[resources.Key]time.Time // removal times of objects that a caller removed
	hints   []resources.Key             // keys of all changes; each Watch keeps its position
	hinted  *sync.Cond
}

// text is an immutable text in a room with its modification time.
type text struct {
	data    []byte
	modTime time.Time
}

func newText(data ...[]byte) *text { return &text{slices.Concat(data...), time.Now()} }

// Rooms.
const (
	specs = iota
	statuses
	archive
	rooms
)

var _ store.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	s := &Store{removed: map[resources.Key]time.Time{}}
	s.hinted = sync.NewCond(&s.mu)
	for room := range s.rooms {
		s.rooms[room] = map[resources.Key]*text{}
	}
	return s
}

// change runs f with the lock held, and then hints the keys.
func (s *Store) change(ctx context.Context, f func() error, hints ...resources.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	s.hints = append(s.hints, hints...)
	s.hinted.Broadcast()
	return nil
}

// putIn stores a text in a room.
func (s *Store) putIn(ctx context.Context, room int, key resources.Key, data []byte) error {
	return s.change(ctx, func() error {
		s.rooms[room][key] = newText(data)
		return nil
	})
}

// drop removes a text. A missing text is not an error.
func (s *Store) drop(ctx context.Context, room int, key resources.Key) error {
	return s.change(ctx, func() error {
		delete(s.rooms[room], key)
		return nil
	})
}

// readIn returns a text in a room. It returns store.ErrNotFound if there is no such text.
func (s *Store) readIn(ctx context.Context, room int, key resources.Key) (text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.rooms[room][key]
	if found == nil {
		return text{}, errors.Join(ctx.Err(), fmt.Errorf("%s: %w", key, store.ErrNotFound))
	}
	return text{bytes.Clone(found.data), found.modTime}, ctx.Err()
}

// keys returns the keys of a kind in a room, sorted. An empty kind means all kinds.
func (s *Store) keys(ctx context.Context, room int, kind string) ([]resources.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(s.rooms[room]), resources.Key.Compare)
	return slices.DeleteFunc(keys, func(key resources.Key) bool { return kind != "" && key.Kind != kind }), ctx.Err()
}

// Get reads one object. See store.Store.
func (s *Store) Get(ctx context.Context, key resources.Key) (store.Record, error) {
	spec, err := s.readIn(ctx, specs, key)
	if err != nil {
		return store.Record{Key: key}, err
	}
	return store.Record{Key: key, Spec: spec.data, Rev: resources.Revision(spec.data), ModTime: spec.modTime}, nil
}

// List reads every object of a kind. See store.Store.
func (s *Store) List(ctx context.Context, kind string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		keys, _ := s.keys(ctx, specs, kind)
		for _, key := range keys {
			record, err := s.Get(ctx, key)
			if err != nil && ctx.Err() == nil {
				continue // removed in the meantime
			}
			if err == nil {
				record.Status, err = s.ReadStatus(ctx, key)
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// ReadLog returns a log whole.
func (s *Store) ReadLog(ctx context.Context, task, _ string) (store.Record, bool, error) {
	record, err := s.Get(ctx, resources.Key{Kind: resources.CheckpointsKind, Name: task})
	return record, false, err
}

// checkKey returns an error if an object with the key must not be written.
func checkKey(key resources.Key) error {
	if _, ok := resources.KindOf(key.Kind); !ok {
		return fmt.Errorf("%s: the store doesn't have a resource type %q", key, key.Kind)
	}
	if err := resources.CheckName(key.Name); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// ReadArchived returns the spec of an archived object.
func (s *Store) ReadArchived(ctx context.Context, key resources.Key) ([]byte, error) {
	aside, err := s.readIn(ctx, archive, key)
	return aside.data, err
}

// ListArchived returns the keys of archived objects, sorted.
func (s *Store) ListArchived(ctx context.Context) ([]resources.Key, error) {
	return s.keys(ctx, archive, "")
}

// PutStatus replaces the status of an object.
func (s *Store) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return s.putIn(ctx, statuses, key, status)
}

// DeleteStatus removes the status of an object.
func (s *Store) DeleteStatus(ctx context.Context, key resources.Key) error {
	return s.drop(ctx, statuses, key)
}

// ReadStatus returns the status of an object, also if the object does not exist.
func (s *Store) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	status, _ := s.readIn(ctx, statuses, key)
	return status.data, ctx.Err()
}

// ListStatus returns the keys of a kind that have a status, sorted.
func (s *Store) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	return s.keys(ctx, statuses, kind)
}

// MarkOf returns the mark of a missing object that still counts.
func (s *Store) MarkOf(key resources.Key) *store.Mark {
	mark, err := store.MarksIn(&s.scratch).Get(key)
	if _, aside := s.readIn(context.Background(), archive, key); err != nil || aside == nil || !mark.InEffect() {
		return nil
	}
	return &mark
}

// AppendCheckpoint adds a line to a task's log.
func (s *Store) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	key := resources.Key{Kind: resources.CheckpointsKind, Name: task}
	return s.change(ctx, func() error {
		var before []byte
		if log := s.rooms[specs][key]; log != nil {
			before = log.data
		}
		s.rooms[specs][key] = newText(before, line, []byte("\n"))
		return nil
	}, key)
}

// Scratch returns the storage for data that is not an object.
func (s *Store) Scratch() store.Scratch { return &s.scratch }

// Watch hints every change of a spec or a log until ctx is cancelled. See store.Store.
func (s *Store) Watch(ctx context.Context, hint func(resources.Key)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hinted.Broadcast()
	})()
	for news, seen := []resources.Key{{}}, len(s.hints); ctx.Err() == nil; news, seen = s.hints[seen:], len(s.hints) {
		s.mu.Unlock()
		for _, key := range news {
			hint(key)
		}
		s.mu.Lock()
		for seen == len(s.hints) && ctx.Err() == nil {
			s.hinted.Wait()
		}
	}
	return nil
}
