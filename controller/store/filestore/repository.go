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

// Scratch returns the scratch files of the repository.
func (s *Store) Scratch() store.Scratch { return s.root.Scratch() }

// Tracked returns the files that git tracks.
func (s *Store) Tracked(ctx context.Context) ([]string, error) {
	return githistory.Tracked(ctx, s.root)
}

// Indexing reports whether git is changing its index.
func (s *Store) Indexing() bool { return s.root.Indexing() }

// GitAtWork reports whether git is changing its index, or did so recently
// enough that HEAD may still move.
func (s *Store) GitAtWork() bool { return s.root.GitAtWork() }

// AcceptRemoval records a removal as if a command had made it.
func (s *Store) AcceptRemoval(key resources.Key) {
	s.root.RecordWrites([]layout.WriteEntry{{Time: time.Now(), Key: key}})
}

// Content returns the repository's files that may match one of the patterns.
// See githistory.Content.
func (s *Store) Content(ctx context.Context, patterns []string) ([]string, error) {
	return githistory.Content(ctx, s.root, patterns)
}

// ChangedSince returns the files among files whose current version another
// author committed after a commit. See githistory.ChangedByOthers.
func (s *Store) ChangedSince(ctx context.Context, since string, files []string) ([]string, error) {
	return githistory.ChangedByOthers(ctx, s.root, since, files)
}

// SourceText returns the content of a repository file and whether it exists.
func (s *Store) SourceText(name string) ([]byte, bool) { return s.root.SourceText(name) }

// ReadSource returns the state of a repository file. See store.Sources.
func (s *Store) ReadSource(name string, before store.SourceFile) store.SourceFile {
	return s.root.ReadSource(name, before)
}

// Head returns the commit ID of HEAD, or "".
func (s *Store) Head() string { return githistory.Head(s.root) }

// HeadFiles returns the files of git that change when HEAD moves; see
// githistory.Files.
func (s *Store) HeadFiles() []string { return githistory.Files(s.root) }

// CommitDays returns the days of the commits reachable from HEAD, as numbered
// by status.DayOf.
func (s *Store) CommitDays(ctx context.Context) []int { return githistory.Days(ctx, s.root) }
