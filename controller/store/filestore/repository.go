package filestore

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Locate returns the path of an object's file, relative to the repository's
// root.
func (s *Store) Locate(key resources.Key) string { return s.root.Locate(key) }

// Scratch calls layout.Root.Scratch.
func (s *Store) Scratch() store.Scratch { return s.root.Scratch() }

// Tracked calls githistory.Tracked.
func (s *Store) Tracked(ctx context.Context) ([]string, error) {
	return githistory.Tracked(ctx, s.root)
}

// Indexing calls layout.Root.Indexing.
func (s *Store) Indexing() bool { return s.root.Indexing() }

// GitAtWork calls layout.Root.GitAtWork.
func (s *Store) GitAtWork() bool { return s.root.GitAtWork() }

// AcceptRemoval records a removal as if a command had made it.
func (s *Store) AcceptRemoval(key resources.Key) {
	s.root.RecordWrites([]layout.WriteEntry{{Time: time.Now(), Key: key}})
}

// Content calls githistory.Content.
func (s *Store) Content(ctx context.Context, patterns []string) ([]string, error) {
	return githistory.Content(ctx, s.root, patterns)
}

// ChangedSince calls githistory.Brought.
func (s *Store) ChangedSince(ctx context.Context, since string, files []string) ([]string, error) {
	return githistory.Brought(ctx, s.root, since, files)
}

// SourceText calls layout.Root.SourceText.
func (s *Store) SourceText(name string) ([]byte, bool) { return s.root.SourceText(name) }

// ReadSource returns the state of a repository file. See store.Repository.
func (s *Store) ReadSource(name string, before store.SourceFile) store.SourceFile {
	return s.root.ReadSource(name, before)
}

// Head calls githistory.Head.
func (s *Store) Head() string { return githistory.Head(s.root) }

// HeadFiles calls githistory.Files.
func (s *Store) HeadFiles() []string { return githistory.Files(s.root) }

// CommitDays calls githistory.Days.
func (s *Store) CommitDays(ctx context.Context) []int { return githistory.Days(ctx, s.root) }
