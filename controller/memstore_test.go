package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// MemStore is a store.Store in memory. It keeps objects, and what stands beside them, as texts by room and key. Watch
// hints every change at once, and history is never lost. All methods may be called at once. NewMemStore makes one.
type MemStore struct {
	mu     sync.Mutex
	rooms  [rooms]map[resources.Key]text
	events []resources.Event
	hints  []resources.Key // of all changes; a Watch remembers how far it is
	hinted *sync.Cond
}

// text is what stands in a room, and when it was written.
type text struct {
	data    []byte
	modTime time.Time
}

// The rooms. Those of contexts have their name as the name of the key.
const (
	specs = iota
	statuses
	archive
	marks
	contexts
	heartbeat
	rooms
)

var _ store.Store = (*MemStore)(nil)

// NewMemStore returns an empty store.
func NewMemStore() *MemStore {
	s := &MemStore{}
	s.hinted = sync.NewCond(&s.mu)
	for room := range s.rooms {
		s.rooms[room] = map[resources.Key]text{}
	}
	return s
}

// change runs f under the lock, and then hints the keys.
func (s *MemStore) change(ctx context.Context, f func() error, hints ...resources.Key) error {
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

// put makes a text stand in a room.
func (s *MemStore) put(ctx context.Context, room int, key resources.Key, data []byte) error {
	return s.change(ctx, func() error {
		s.rooms[room][key] = text{bytes.Clone(data), time.Now()}
		return nil
	})
}

// drop removes a text; no error if there is none.
func (s *MemStore) drop(ctx context.Context, room int, key resources.Key) error {
	return s.change(ctx, func() error {
		delete(s.rooms[room], key)
		return nil
	})
}

// read returns what stands in a room. store.ErrNotFound.
func (s *MemStore) read(ctx context.Context, room int, key resources.Key) (text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, there := s.rooms[room][key]
	if !there {
		return text{}, errors.Join(ctx.Err(), fmt.Errorf("%s: %w", key, store.ErrNotFound))
	}
	return text{bytes.Clone(found.data), found.modTime}, ctx.Err()
}

// keys returns the keys of that kind in a room, sorted; of all kinds if it is "".
func (s *MemStore) keys(ctx context.Context, room int, kind string) ([]resources.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []resources.Key
	for key := range s.rooms[room] {
		if kind == "" || key.Kind == kind {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys, ctx.Err()
}

// Get reads one object. See store.Store.
func (s *MemStore) Get(ctx context.Context, key resources.Key) (store.Record, error) {
	spec, err := s.read(ctx, specs, key)
	if err != nil {
		return store.Record{Key: key}, err
	}
	return store.Record{Key: key, Spec: spec.data, Rev: resources.Revision(spec.data), ModTime: spec.modTime}, nil
}

// List reads every object of a kind. See store.Store.
func (s *MemStore) List(ctx context.Context, kind string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		keys, _ := s.keys(ctx, specs, kind)
		for _, key := range keys {
			record, err := s.Get(ctx, key)
			if err != nil && ctx.Err() == nil {
				continue // removed since
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

// at checks that the object of that key has that revision; "": that there is none.
func (s *MemStore) at(key resources.Key, rev string) error {
	object, there := s.rooms[specs][key]
	switch {
	case rev == "" && there:
		return fmt.Errorf("%s: %w", key, store.ErrExists)
	case rev != "" && (!there || resources.Revision(object.data) != rev):
		return fmt.Errorf("%s: %w", key, store.ErrConflict)
	}
	return nil
}

// Put writes an object if its revision is still rev. See store.Store.
func (s *MemStore) Put(ctx context.Context, key resources.Key, data []byte, rev string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	err := s.change(ctx, func() error {
		if err := s.at(key, rev); err != nil {
			return err
		}
		s.rooms[specs][key] = text{bytes.Clone(data), time.Now()}
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

// takeAway removes an object if its revision is still rev, and hands it to keep.
func (s *MemStore) takeAway(ctx context.Context, key resources.Key, rev string, keep func(text)) error {
	return s.change(ctx, func() error {
		object, there := s.rooms[specs][key]
		if !there {
			return fmt.Errorf("%s: %w", key, store.ErrNotFound)
		}
		if err := s.at(key, rev); err != nil {
			return err
		}
		delete(s.rooms[specs], key)
		keep(object)
		return nil
	}, key)
}

// Delete removes an object if its revision is still rev. See store.Store.
func (s *MemStore) Delete(ctx context.Context, key resources.Key, rev string) error {
	return s.takeAway(ctx, key, rev, func(text) {})
}

// Archive moves an object aside if its revision is still rev. See store.Archiver.
func (s *MemStore) Archive(ctx context.Context, key resources.Key, rev string) error {
	return s.takeAway(ctx, key, rev, func(object text) {
		if older, taken := s.rooms[archive][key]; taken {
			free := key
			for n := 1; taken; n++ {
				free.Name = fmt.Sprintf("%s.%d", key.Name, n)
				_, taken = s.rooms[archive][free]
			}
			s.rooms[archive][free] = older
		}
		s.rooms[archive][key] = object
	})
}

// Restore moves an archived object back. See store.Archiver.
func (s *MemStore) Restore(ctx context.Context, key resources.Key) error {
	return s.change(ctx, func() error {
		object, there := s.rooms[archive][key]
		if !there {
			return fmt.Errorf("archived %s: %w", key, store.ErrNotFound)
		}
		if err := s.at(key, ""); err != nil {
			return err
		}
		s.rooms[specs][key] = object
		delete(s.rooms[archive], key)
		return nil
	}, key)
}

// ListArchived returns the keys of what was set aside, sorted.
func (s *MemStore) ListArchived(ctx context.Context) ([]resources.Key, error) {
	return s.keys(ctx, archive, "")
}

// PutStatus replaces what was observed.
func (s *MemStore) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return s.put(ctx, statuses, key, status)
}

// DeleteStatus removes what was observed.
func (s *MemStore) DeleteStatus(ctx context.Context, key resources.Key) error {
	return s.drop(ctx, statuses, key)
}

// ReadStatus returns what was observed, whether there is such an object or not.
func (s *MemStore) ReadStatus(ctx context.Context, key resources.Key) ([]byte, error) {
	status, _ := s.read(ctx, statuses, key)
	return status.data, ctx.Err()
}

// ListStatus returns the keys of a kind that have a status, sorted.
func (s *MemStore) ListStatus(ctx context.Context, kind string) ([]resources.Key, error) {
	return s.keys(ctx, statuses, kind)
}

// Quarantine records why an object is broken. See store.Quarantiner.
func (s *MemStore) Quarantine(ctx context.Context, key resources.Key, mark store.Mark) error {
	data, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	return s.put(ctx, marks, key, data)
}

// Quarantined returns the mark of a broken object.
func (s *MemStore) Quarantined(ctx context.Context, key resources.Key) (mark store.Mark, err error) {
	kept, err := s.read(ctx, marks, key)
	if err == nil {
		err = json.Unmarshal(kept.data, &mark)
	}
	mark.Problem.Key = key
	return mark, err
}

// Release removes the mark; no error if there is none.
func (s *MemStore) Release(ctx context.Context, key resources.Key) error {
	return s.drop(ctx, marks, key)
}

// ListQuarantined returns the keys that have a mark, sorted.
func (s *MemStore) ListQuarantined(ctx context.Context) ([]resources.Key, error) {
	return s.keys(ctx, marks, "")
}

// AppendCheckpoint adds a line to a task's log.
func (s *MemStore) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	key := resources.Key{Kind: resources.CheckpointsKind, Name: task}
	return s.change(ctx, func() error {
		s.rooms[specs][key] = text{slices.Concat(s.rooms[specs][key].data, line, []byte("\n")), time.Now()}
		return nil
	}, key)
}

// AppendEvent adds to those that Events returns.
func (s *MemStore) AppendEvent(ctx context.Context, events ...resources.Event) error {
	return s.change(ctx, func() error {
		s.events = append(s.events, events...)
		return nil
	})
}

// Events returns what was appended, oldest first.
func (s *MemStore) Events() []resources.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// TrimEvents forgets the events of all days before the one that oldest lies in.
func (s *MemStore) TrimEvents(ctx context.Context, oldest time.Time) error {
	first := oldest.UTC().Truncate(24 * time.Hour)
	return s.change(ctx, func() error {
		s.events = slices.DeleteFunc(s.events, func(e resources.Event) bool { return e.Time.Before(first) })
		return nil
	})
}

// WriteContext keeps a file of the packed context. See store.ContextKeeper.
func (s *MemStore) WriteContext(ctx context.Context, name string, data []byte) error {
	if err := store.CheckContextName(name); err != nil {
		return err
	}
	return s.put(ctx, contexts, resources.Key{Name: name}, data)
}

// DeleteContext forgets a file of the packed context; no error if there is none.
func (s *MemStore) DeleteContext(ctx context.Context, name string) error {
	return errors.Join(store.CheckContextName(name), s.drop(ctx, contexts, resources.Key{Name: name}))
}

// ListContext returns the names of the files in a folder, sorted.
func (s *MemStore) ListContext(ctx context.Context, dir string) (names []string, err error) {
	keys, err := s.keys(ctx, contexts, "")
	for _, key := range keys {
		if path.Dir(key.Name) == dir {
			names = append(names, key.Name)
		}
	}
	return names, errors.Join(err, store.CheckContextName(dir))
}

// LastPack returns what was packed for a session, or ("") for everybody.
func (s *MemStore) LastPack(session string) []byte {
	pack, _ := s.read(context.Background(), contexts, resources.Key{Name: store.PackName(session)})
	return pack.data
}

// Heartbeat returns what the controller last said. See store.HeartbeatKeeper.
func (s *MemStore) Heartbeat(ctx context.Context) ([]byte, error) {
	said, err := s.read(ctx, heartbeat, resources.Key{})
	return said.data, err
}

// PutHeartbeat replaces it.
func (s *MemStore) PutHeartbeat(ctx context.Context, data []byte) error {
	return s.put(ctx, heartbeat, resources.Key{}, data)
}

// Locate is the object's key. The store stands in no repository: see store.Repository for the rest.
func (s *MemStore) Locate(key resources.Key) string { return key.String() }

// Explained is true: what is missing is gone.
func (s *MemStore) Explained(context.Context, resources.Key, time.Time) bool { return true }

// WatchFile does nothing: there are no files.
func (s *MemStore) WatchFile(string) {}

// ReadSource finds no file.
func (s *MemStore) ReadSource(string, store.SourceFile) store.SourceFile { return store.SourceFile{} }

// SourceSection finds no part of a file.
func (s *MemStore) SourceSection(string, string) resources.Part { return resources.Part{} }

// SourceDocument finds no document.
func (s *MemStore) SourceStack() resources.Stack { return resources.Stack{} }

func (s *MemStore) SourceDocument(string) resources.Document { return resources.Document{} }

// SourceMoved follows no file.
func (s *MemStore) SourceMoved(string, string, string) string { return "" }

// Head is nowhere.
func (s *MemStore) Head() string { return "" }

// HeadFiles are none.
func (s *MemStore) HeadFiles() []string { return nil }

// CommitDays are none.
func (s *MemStore) CommitDays(context.Context) []int { return nil }

// Watch hints every change of a spec or a log until ctx ends. See store.Store.
func (s *MemStore) Watch(ctx context.Context, hint func(resources.Key)) error {
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
