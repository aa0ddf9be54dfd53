package store

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Repository is a Store as it stands in a repository, and what git knows there. Without git nothing is
// known, and nothing tracked. Names of files are from the repository's root, with '/'.
type Repository interface {
	// Locate returns where an object stands, as people would name it to one another:
	// for files, the path from the repository's root.
	Locate(key resources.Key) string
	// Explained reports whether somebody is known to have meant that an object's file is gone:
	// a command since then, or git.
	Explained(ctx context.Context, key resources.Key, since time.Time) bool

	// FindLost marks the open tasks, plans and decisions that git has and whose files are missing
	// without an explanation, and drops the marks of removals that are explained by now.
	FindLost(ctx context.Context, now time.Time)
	// AcceptRemoval records that a removal counts, so that FindLost does not mark it again.
	AcceptRemoval(key resources.Key)

	// Head is the commit that HEAD stands at, "" if there is none. It is quick.
	Head() string
	// HeadFiles are the files, as WatchFile takes them, of which one changes whenever HEAD
	// moves. Some may not exist.
	HeadFiles() []string
	// CommitDays are the days on which the commits were made that HEAD leads to, as
	// status.DayOf numbers them: sorted, each once. It may take its time.
	CommitDays(ctx context.Context) []int
	// Tracked are the files that git tracks, as its index has them, in git's order.
	Tracked(ctx context.Context) ([]string, error)
	// Indexing reports whether git is changing its index and the files it tracks at this moment:
	// what is missing then may be there again the next one.
	Indexing() bool
	// GitAtWork reports whether git changes the working tree, or ended so recently that HEAD may
	// still move: what is missing then may be meant to be.
	GitAtWork() bool
	// Content lists the files of the repository that one of these patterns may match, and perhaps
	// others, sorted: what git tracks, and what it does not and would; without git, all.
	Content(ctx context.Context, patterns []string) ([]string, error)
	// Brought returns those of some files that are as a commit left them which somebody else made,
	// which HEAD leads to and which the commit since does not lead to.
	Brought(ctx context.Context, since string, files []string) ([]string, error)
}

// Sources is a Store as it reads the files of its repository that are no objects. Names of files are
// from the repository's root, with '/'. A name that leads out of the repository, by ".." or by a
// symlink, is no file.
type Sources interface {
	// ReadSource looks at a file. before is what it returned last, the zero SourceFile at
	// first: the contents of a file that was not touched since are not read again.
	ReadSource(name string, before SourceFile) SourceFile
	// SourceText returns what stands in a file, and whether there is one; nil if it is too large,
	// or nobody may look.
	SourceText(name string) (text []byte, exists bool)
	// SourceSection reports on a part of a file (see package source).
	SourceSection(name, section string) resources.Part
	// SourceDocument reads a Markdown file (see package source).
	SourceDocument(name string) resources.Document
	// SourceStack reads StackFile; it has no Seen where there is none that can be read.
	SourceStack() resources.Stack
	// SourceMoved is status.WideView.SourceMoved. It may take its time.
	SourceMoved(name, section, sha256 string) string
}

// SourceFile is what was seen of a file of the repository that is no object.
type SourceFile struct {
	ModTime time.Time // of its last change
	SHA256  string    // in hex; "" if it is too large or cannot be read
	Exists  bool      // as a regular file of the repository
	Stamp   any       // by which the store that filled it in knows the file again
}

// StackFile is the Name, of FilesKind, of what the map last saw in the repository's manifests.
const StackFile = ".idumb/run/stack.json"

// HeadFile is the Name, of FilesKind, under which it is told that HEAD has moved.
const HeadFile = ".git/HEAD"
