package memstore

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Locate returns the object's key. The store has no repository; see store.Repository for the other
// methods.
func (s *Store) Locate(key resources.Key) string { return key.String() }

// IsExplained reports whether a caller removed an object since a time.
func (s *Store) IsExplained(_ context.Context, key resources.Key, since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, taken := s.removed[key]
	return taken && !at.Before(since)
}

// WatchFile does nothing, because there are no files.
func (s *Store) WatchFile(string) {}

// ReadSource returns no file.
func (s *Store) ReadSource(string, store.SourceFile) store.SourceFile { return store.SourceFile{} }

// SourceSection returns no section.
func (s *Store) SourceSection(string, string) resources.Part { return resources.Part{} }

// SourceStack returns an empty stack.
func (s *Store) SourceStack() resources.Stack { return resources.Stack{} }

// SourceDocument returns no document.
func (s *Store) SourceDocument(string) resources.Document { return resources.Document{} }

// SourceMoved returns no path.
func (s *Store) SourceMoved(string, string, string) string { return "" }

// Head returns no commit.
func (s *Store) Head() string { return "" }

// HeadFiles returns no files.
func (s *Store) HeadFiles() []string { return nil }

// CommitDays returns no days.
func (s *Store) CommitDays(context.Context) []int { return nil }

// Tracked returns no files.
func (s *Store) Tracked(context.Context) ([]string, error) { return nil, nil }

// FindLost does nothing, because there is no git.
func (s *Store) FindLost(context.Context, time.Time) {}

// LastGood returns the version in the object's mark.
func (s *Store) LastGood(_ context.Context, key resources.Key) (spec []byte, rev string) {
	mark, _ := store.MarksIn(&s.scratch).Get(key)
	return mark.LastGood, mark.Revision
}

// AcceptRemoval does nothing, because a removed object is not found again.
func (s *Store) AcceptRemoval(resources.Key) {}

// GitAtWork returns false, because there is no git.
func (s *Store) GitAtWork() bool { return false }

// Indexing returns false, because there is no git.
func (s *Store) Indexing() bool { return false }

// Content returns no content.
func (s *Store) Content(context.Context, []string) ([]string, error) { return nil, nil }

// ChangedSince returns no files.
func (s *Store) ChangedSince(context.Context, string, []string) ([]string, error) { return nil, nil }

// SourceText returns no text.
func (s *Store) SourceText(string) ([]byte, bool) { return nil, false }
