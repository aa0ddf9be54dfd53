package store

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Repository provides the file locations of a Store in a repository and git's
// knowledge about them. Without git, nothing is known or tracked. File names
// are relative to the repository's root, with '/'.
type Repository interface {
	// Locate returns the location of an object in the form that users know: for
	// files, the path relative to the repository's root.
	Locate(key resources.Key) string
	// IsExplained reports whether the removal of an object's file is known to be
	// intended: a command or git removed it since then.
	IsExplained(ctx context.Context, key resources.Key, since time.Time) bool

	// FindLost marks the open tasks, plans and decisions that git has and whose
	// files are missing without an explanation. It removes the marks of
	// removals that are explained now.
	FindLost(ctx context.Context, now time.Time)
	// LastGood returns the last readable version of an object whose file is broken,
	// with its revision: the one in its mark, or else in git. It returns nil if none
	// is known.
	LastGood(ctx context.Context, key resources.Key) (spec []byte, rev string)
	// AcceptRemoval records an intended removal, so that FindLost does not mark
	// it again.
	AcceptRemoval(key resources.Key)

	// Head returns the commit of HEAD, or "". It is fast.
	Head() string
	// HeadFiles returns the files, in the form for WatchFile, of which at least
	// one changes whenever HEAD moves. Some may not exist.
	HeadFiles() []string
	// CommitDays returns the days of the commits reachable from HEAD, as
	// numbered by status.DayOf, sorted and without duplicates. It may be slow.
	CommitDays(ctx context.Context) []int
	// Tracked returns the files in git's index, in git's order.
	Tracked(ctx context.Context) ([]string, error)
	// Indexing reports whether git is changing its index and the tracked files
	// right now. A missing file may reappear then.
	Indexing() bool
	// GitAtWork reports whether git is changing the working tree, or finished
	// so recently that HEAD may still move. A missing file may then be removed
	// intentionally.
	GitAtWork() bool
	// Content returns the files of the repository that may match one of these
	// patterns, and possibly others, sorted. They are the files that git tracks
	// or would track; without git, all files.
	Content(ctx context.Context, patterns []string) ([]string, error)
	// ChangedSince returns the files among files whose current version was committed
	// by another author, in a commit reachable from HEAD and not from the
	// commit since.
	ChangedSince(ctx context.Context, since string, files []string) ([]string, error)
}

// Sources reads the files of the repository that are not objects. File names
// are relative to the repository's root, with '/'. A name that leads out of the
// repository, through ".." or a symbolic link, counts as missing.
type Sources interface {
	// ReadSource returns the state of a file. before is its last result for the
	// file, or the zero value. It does not read an unchanged file again.
	ReadSource(name string, before SourceFile) SourceFile
	// SourceText returns the content of a file and whether it exists. The
	// content is nil if the file is too large or unreadable.
	SourceText(name string) (text []byte, exists bool)
	// SourceSection describes a section of a file: whether it exists, and its
	// checksum (see package source).
	SourceSection(name, section string) resources.Part
	// SourceDocument returns a Markdown file (see package source).
	SourceDocument(name string) resources.Document
	// SourceStack returns the content of StackFile. Seen is zero if the file is
	// missing or unreadable.
	SourceStack() resources.Stack
	// SourceMoved implements status.WideView.SourceMoved. It may be slow.
	SourceMoved(name, section, sha256 string) string
}

// SourceFile is the state of a repository file that is not an object.
type SourceFile struct {
	ModTime time.Time // time of the last change
	SHA256  string    // hexadecimal; empty if too large or unreadable
	Exists  bool      // it is a regular file of the repository
	Stamp   any       // identifies the version for the store
}

// StackFile is the name, with kind FilesKind, of the file with the technologies
// that the code map last found.
const StackFile = ".idumb/run/stack.json"

// HeadFile is the name, with kind FilesKind, in the hint for a move of HEAD.
const HeadFile = ".git/HEAD"
