package memstore

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Locate is the object's key. The store stands in no repository: see store.Repository for the rest.
func (s *Store) Locate(key resources.Key) string { return key.String() }

// Explained reports whether somebody who asked the store took an object away since then.
func (s *Store) Explained(_ context.Context, key resources.Key, since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, taken := s.gone[key]
	return taken && !at.Before(since)
}

// WatchFile does nothing: there are no files.
func (s *Store) WatchFile(string) {}

// ReadSource finds no file.
func (s *Store) ReadSource(string, store.SourceFile) store.SourceFile { return store.SourceFile{} }

// SourceSection finds no part of a file.
func (s *Store) SourceSection(string, string) resources.Part { return resources.Part{} }

// SourceStack finds none.
func (s *Store) SourceStack() resources.Stack { return resources.Stack{} }

// SourceDocument finds no document.
func (s *Store) SourceDocument(string) resources.Document { return resources.Document{} }

// SourceMoved follows no file.
func (s *Store) SourceMoved(string, string, string) string { return "" }

// Head is nowhere.
func (s *Store) Head() string { return "" }

// HeadFiles are none.
func (s *Store) HeadFiles() []string { return nil }

// CommitDays are none.
func (s *Store) CommitDays(context.Context) []int { return nil }

// Tracked are none.
func (s *Store) Tracked(context.Context) ([]string, error) { return nil, nil }

// FindLost does nothing: there is no git.
func (s *Store) FindLost(context.Context, time.Time) {}

// AcceptRemoval does nothing: a removed object is not found again.
func (s *Store) AcceptRemoval(resources.Key) {}

// GitAtWork is false: there is no git.
func (s *Store) GitAtWork() bool { return false }

// Indexing is false: there is no git.
func (s *Store) Indexing() bool { return false }

// Content is none.
func (s *Store) Content(context.Context, []string) ([]string, error) { return nil, nil }

// Brought are none.
func (s *Store) Brought(context.Context, string, []string) ([]string, error) { return nil, nil }

// SourceText finds no file.
func (s *Store) SourceText(string) ([]byte, bool) { return nil, false }
