// Package store defines the interface of object stores. Package filestore
// implements it with files. The tests of package controller check the rules
// that every store must follow. Package memstore is an implementation for
// tests.
package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Record is a stored object.
type Record struct {
	Key     resources.Key
	Spec    []byte    // unmodified bytes that users and agents edit
	Rev     string    // changes with Spec and not with Status
	ModTime time.Time // time of the last change of Spec
	Status  []byte    // only from List; nil if the controller has not written one
}

// Errors for callers to test. Stores wrap them with details.
var (
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the object changed since the caller read it.
	// Nothing was written; the caller must read again and retry.
	ErrConflict = errors.New("the object has been modified")
	// ErrExists means that Put with an empty revision found an object of that
	// name.
	ErrExists = errors.New("already exists")
	// ErrUnreadable means that the name is taken by something that cannot be an
	// object: a symbolic link, a FIFO, a directory, more than 1 MiB, or a file
	// without permission. Errors that wrap it are or wrap a resources.Problem.
	ErrUnreadable = errors.New("unreadable")
	// ErrFolder means that the directory of a kind, or .idumb itself, is a
	// link, a file or unreadable, so its names are unknown. Errors that wrap it
	// also wrap ErrUnreadable.
	ErrFolder = errors.New("unreadable folder")
)

// IsOccupied reports whether an error means that a name is taken by something
// that is not an object.
func IsOccupied(err error) bool { return errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrFolder) }

// Store stores objects. It is safe for concurrent use by several goroutines and
// processes.
//
// Get and List also support resources.CheckpointsKind: Spec is then the task's
// checkpoint log, in JSON lines. Logs are written only with AppendCheckpoint,
// never with Put.
type Store interface {
	// Get reads one object by name, without its status. It returns ErrNotFound
	// or ErrUnreadable.
	Get(ctx context.Context, key resources.Key) (Record, error)
	// List reads every object of a kind with its status, in no particular
	// order. It yields an unreadable object as its key with an error and
	// continues. An object missing from List is not necessarily deleted: Get is
	// authoritative.
	List(ctx context.Context, kind string) iter.Seq2[Record, error]
	// Put writes an object if its revision is still rev and returns the new
	// revision. An empty rev means that the object must not exist. It returns
	// ErrExists or ErrConflict. When Put returns nil, the object is durable.
	Put(ctx context.Context, key resources.Key, spec []byte, rev string) (string, error)
	// PutStatus replaces the stored status. Only the controller calls it. It
	// writes nothing if the bytes are equal.
	PutStatus(ctx context.Context, key resources.Key, status []byte) error
	// Delete removes an object if its revision is still rev. The status stays
	// as a mark for cleanup. It returns ErrNotFound or ErrConflict.
	Delete(ctx context.Context, key resources.Key, rev string) error
	// DeleteStatus removes the stored status. It ignores a missing one.
	DeleteStatus(ctx context.Context, key resources.Key) error
	// Watch calls hint, from one goroutine, with each key that may have
	// changed, until ctx ends, which is not an error. The zero Key means that
	// changes may have been missed: the caller must list again. Watch calls
	// hint with the zero Key once after it started, so that no change between
	// List and Watch is missed.
	Watch(ctx context.Context, hint func(resources.Key)) error
	// WatchFile makes Watch hint Key{FilesKind, path} when that file may have
	// changed, or was created or removed. For a file of git outside the root,
	// as in a linked worktree, path is absolute. It never fails: a file that
	// cannot be watched is checked when changes may have been missed (the zero
	// Key). Repeated calls are cheap.
	WatchFile(path string)

	StatusReader
	Archiver
	LogReader
	Appender
	Transactor
	Repository
	Sources
	// Scratch returns the storage for data other than objects.
	Scratch() Scratch
}

// Write is an object to write: a replacement of the version Rev, or a new
// object if Rev is "".
type Write struct {
	Key  resources.Key
	Spec []byte
	Rev  string
}

// Tx is a series of writes without writes of other processes in between. It
// must be used by one goroutine, and only within the function passed to
// Transactor.Update. Each write is visible immediately, under the rules of
// the Store method with the same name, and is reverted if the function returns
// an error.
type Tx interface {
	// Get reads an object, including writes of this series.
	Get(key resources.Key) (Record, error)
	Put(key resources.Key, spec []byte, rev string) (string, error)
	// PutAll is Put for many objects, each written completely or not at all. It
	// returns one error per object, nil if it was written. meanwhile, unless
	// nil, runs once while the contents are flushed to disk; it may only read
	// the store. No object is visible before meanwhile returns, and none is
	// written if it fails.
	PutAll(writes []Write, meanwhile func() error) []error
	Delete(key resources.Key, rev string) error
	Archive(key resources.Key, rev string) error
	Restore(key resources.Key) error
}

// Transactor is a Store that supports series of writes.
type Transactor interface {
	// Update excludes other writers while change runs, so that objects read by
	// change do not change. If change returns an error, its writes are
	// reverted, except for files that an editor has saved since. When Update
	// returns nil, all writes are durable.
	Update(ctx context.Context, change func(tx Tx) error) error
}

// Archiver moves objects out of the active set and back. Archived objects stay
// on disk. Archived objects of a kind have unique names.
type Archiver interface {
	// Archive archives an object if its revision is still rev. An older
	// archived object of the same name is renamed to <name>.<n>, so nothing is
	// lost. It returns ErrNotFound or ErrConflict.
	Archive(ctx context.Context, key resources.Key, rev string) error
	// Restore restores an archived object. It returns ErrNotFound or ErrExists.
	Restore(ctx context.Context, key resources.Key) error
	// ReadArchived returns the spec of an archived object. It returns
	// ErrNotFound or ErrUnreadable.
	ReadArchived(ctx context.Context, key resources.Key) ([]byte, error)
	// MarkOf returns the mark of a missing object whose last good version is in
	// effect. It returns nil if the object was archived or no good version is
	// known.
	MarkOf(key resources.Key) *Mark
	// ListArchived returns the keys of all archived objects, sorted.
	ListArchived(ctx context.Context) ([]resources.Key, error)
}

// IsPlanned reports whether objects of a kind are planned or decided by users.
// For these kinds the author of each change is recorded, and a missing file
// does not delete the object.
func IsPlanned(kind string) bool {
	return kind == resources.Tasks || kind == resources.WorkPlans || kind == resources.Decisions
}

// LogReader reads append-only logs as they grow.
type LogReader interface {
	// ReadLog is like Get for the log of a task of which the caller has read the
	// version with the revision rev. If the log only grew since then, continued
	// is true and Spec is what was appended.
	ReadLog(ctx context.Context, task, rev string) (log Record, continued bool, err error)
}

// Appender writes append-only logs.
type Appender interface {
	// AppendCheckpoint appends a line to .idumb/checkpoints/<task>.jsonl.
	AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error
}
