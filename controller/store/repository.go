package store

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Repository is a Store as it stands in a repository, of which it tells more than the objects.
// Names of files are from the repository's root, with '/'.
type Repository interface {
	// Locate returns where an object stands, as people would name it to one another:
	// for files, the path from the repository's root.
	Locate(key resources.Key) string
	// Explained reports whether somebody is known to have meant that an object's file is gone:
	// a command since then, or git.
	Explained(ctx context.Context, key resources.Key, since time.Time) bool

	// WatchFile asks Watch to hint Key{FilesKind, path} from now on when that
	// file, or its absence, may have changed. For a file of git's own that stands elsewhere,
	// as in a linked worktree, path is absolute. It never fails: a file that cannot be watched
	// is looked at when history is lost (the zero Key). Asking again costs nothing.
	WatchFile(path string)
	// ReadSource looks at a file. before is what it returned last, the zero SourceFile at
	// first: the contents of a file that was not touched since are not read again. A name that
	// leads out of the repository, by ".." or by a symlink, is no file.
	ReadSource(name string, before SourceFile) SourceFile
	// SourceSection reports on a part of a file (see package source).
	SourceSection(name, section string) resources.Part
	// SourceDocument reads a Markdown file (see package source).
	SourceDocument(name string) resources.Document
	// SourceStack reads StackFile; it has no Seen where there is none that can be read.
	SourceStack() resources.Stack
	// SourceMoved is status.WideView.SourceMoved. It may take its time.
	SourceMoved(name, section, sha256 string) string

	// Head is the commit that HEAD stands at, "" if there is none. It is quick.
	Head() string
	// HeadFiles are the files, as WatchFile takes them, of which one changes whenever HEAD
	// moves. Some may not exist.
	HeadFiles() []string
	// CommitDays are the days on which the commits were made that HEAD leads to, as
	// status.DayOf numbers them: sorted, each once. It may take its time.
	CommitDays(ctx context.Context) []int
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
