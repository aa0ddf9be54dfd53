// Package store says what iDumb asks of a place that keeps objects. Files
// (filestore) are the one that ships. The tests of package controller hold the
// rules that every store must pass; memstore is a second one, for tests.
package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Record is what a store holds for one key.
type Record struct {
	Key     resources.Key
	Spec    []byte    // what people and agents edit, byte for byte
	Rev     string    // changes whenever Spec does, never when only Status does
	ModTime time.Time // when Spec last changed
	Status  []byte    // of a List: nil until the controller has written one
}

// Errors that callers branch on; stores wrap them with what they are about.
var (
	ErrNotFound = errors.New("not found")
	// ErrConflict: the object is not what the caller read. Nothing was changed;
	// read again and retry.
	ErrConflict = errors.New("the object has been modified")
	// ErrExists: Put with an empty revision found an object of that name.
	ErrExists = errors.New("already exists")
	// ErrUnreadable: there is something of that name that cannot be an object:
	// a symlink, a FIFO, a folder, more than 1 MiB, no permission. Errors that
	// wrap it are or wrap a resources.Problem.
	ErrUnreadable = errors.New("unreadable")
	// ErrFolder: the folder of a kind, or .idumb itself, is a link, a file or not readable: nothing is
	// known of the names in it. Errors that wrap it wrap ErrUnreadable as well.
	ErrFolder = errors.New("unreadable folder")
)

// Occupied reports whether an error says that a name is taken by something that is no object.
func Occupied(err error) bool { return errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrFolder) }

// Store keeps objects. All methods may be called at once, and by several
// processes on the same place.
//
// Besides the kinds of resources.Kinds, Get and List answer for
// resources.CheckpointsKind: Spec is then the task's checkpoint log, JSON
// lines. Logs are written with Append only, never with Put.
type Store interface {
	// Get reads one object by name, without its status. ErrNotFound, ErrUnreadable.
	Get(ctx context.Context, key resources.Key) (Record, error)
	// List reads every object of a kind with its status, in no particular order. An object that
	// cannot be read comes as its key with an error; the sequence goes on. An
	// object that a List does not show is not thereby deleted: Get decides.
	List(ctx context.Context, kind string) iter.Seq2[Record, error]
	// Put writes an object if its revision is still rev, and returns the new
	// revision. rev "" means that it must not exist (ErrExists). ErrConflict.
	// When Put returns nil the object is on disk for good.
	Put(ctx context.Context, key resources.Key, spec []byte, rev string) (string, error)
	// PutStatus replaces what was observed. Only the controller calls it. It
	// writes nothing if the bytes are the same.
	PutStatus(ctx context.Context, key resources.Key, status []byte) error
	// Delete removes an object if its revision is still rev; its status stays,
	// as the mark that cleaning up is owed. ErrNotFound, ErrConflict.
	Delete(ctx context.Context, key resources.Key, rev string) error
	// DeleteStatus removes what was observed; no error if there is nothing.
	DeleteStatus(ctx context.Context, key resources.Key) error
	// Watch calls hint, from one goroutine, with each key that may have changed,
	// until ctx ends, which is not an error. The zero Key means that history was
	// lost: list again. It calls hint with the zero Key once when it has begun to
	// watch, so that nothing between a List and a Watch is missed.
	Watch(ctx context.Context, hint func(resources.Key)) error
	// WatchFile asks Watch to hint Key{FilesKind, path} from now on when that
	// file, or its absence, may have changed. For a file of git's own that stands elsewhere,
	// as in a linked worktree, path is absolute. It never fails: a file that cannot be watched
	// is looked at when history is lost (the zero Key). Asking again costs nothing.
	WatchFile(path string)

	StatusReader
	Archiver
	Appender
	Transactor
	Repository
	Sources
	// Scratch is where the store keeps what is no object.
	Scratch() Scratch
}

// Write is an object that is to be written: over the version of that revision, or, with
// none, as a new one.
type Write struct {
	Key  resources.Key
	Spec []byte
	Rev  string
}

// Tx is a series of writes that no other writer comes between. It is for one goroutine and
// ends with the function that Transactor.Update gave it to. Each write happens at once, for
// every reader to see, under the rules of the Store's method of that name.
type Tx interface {
	// Get reads an object as it is now, this series' own writes included.
	Get(key resources.Key) (Record, error)
	Put(key resources.Key, spec []byte, rev string) (string, error)
	// PutAll is Put for many objects, each written whole or not at all. It returns the error
	// of each; nil: it was written. meanwhile, unless nil, runs once while their contents go to
	// the disk, where reading the store is all that it may do there; none of them has its name
	// before it has returned, and none is written if it fails.
	PutAll(writes []Write, meanwhile func() error) []error
	Delete(key resources.Key, rev string) error
	Archive(key resources.Key, rev string) error
	Restore(key resources.Key) error
}

// Transactor is a Store that takes a series of writes.
type Transactor interface {
	// Update keeps other writers out while change runs: what change reads stays as it is. If
	// change returns an error, what it had written is taken back, except where somebody who
	// asks no store has saved over it since. When Update returns nil, all is on disk for good.
	Update(ctx context.Context, change func(tx Tx) error) error
}

// Archiver is a Store as it sets objects aside: out of the hot set, kept on
// disk, and brought back. All archived objects of a kind have different names.
type Archiver interface {
	// Archive moves an object aside if its revision is still rev. It replaces an
	// older archived object of the same name only by renaming that one to
	// <name>.<n>: nothing is lost. ErrNotFound, ErrConflict.
	Archive(ctx context.Context, key resources.Key, rev string) error
	// Restore moves it back. ErrNotFound, ErrExists.
	Restore(ctx context.Context, key resources.Key) error
	// ReadArchived returns the spec of an object that was set aside. ErrNotFound, ErrUnreadable.
	ReadArchived(ctx context.Context, key resources.Key) ([]byte, error)
	// Lost is the mark of an object that is missing and whose last good version counts all the
	// same; nil if it does not: it was set aside, or nothing good is known of it.
	Lost(key resources.Key) *Mark
	// ListArchived returns the keys of what was set aside, sorted.
	ListArchived(ctx context.Context) ([]resources.Key, error)
}

// Planned reports whether objects of a kind are what people plan or decide: of those it is told how
// they changed, and none is gone because its file is.
func Planned(kind string) bool {
	return kind == resources.Tasks || kind == resources.WorkPlans || kind == resources.Decisions
}

// Appender is a Store as it keeps logs: records that only grow.
type Appender interface {
	// AppendCheckpoint adds a line to .idumb/checkpoints/<task>.jsonl.
	AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error
}
