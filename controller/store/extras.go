package store

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/resources"
)

// ErrGone: the place that holds the objects is not there at all (.idumb was
// deleted or moved away). It says nothing about any object, it is not
// ErrNotFound, and nothing may be created in answer to it: the place may come
// back. All methods may return it.
var ErrGone = errors.New("the store is gone")

// FilesKind stands in the Keys that Watch hints for a file of the repository
// that is no object; Name is then its path from the repository's root, with '/'.
const FilesKind = "files"

// StatusKind stands in the Keys that Watch hints for a status that may have been removed by
// somebody else; Name is then the object's Key, as String writes it.
const StatusKind = "status of"

// StatusReader is a Store as it reads the status of an object that is gone, or
// that never was a file.
type StatusReader interface {
	// ListStatus returns the keys of that kind that have a status, sorted, also those of objects
	// that are gone: how the controller finds, when it starts, the clean-up that is owed.
	ListStatus(ctx context.Context, kind string) ([]resources.Key, error)
	// ReadStatus returns what was observed, nil if there is nothing.
	ReadStatus(ctx context.Context, key resources.Key) ([]byte, error)
}

// ErrNotLevel: it cannot be shown now that all changes are known. It says nothing about
// any object; whoever has to know reads the store himself.
var ErrNotLevel = errors.New("it cannot be shown that all changes are known")

// Leveler is a Store whose Watch can be asked whether it lags behind.
type Leveler interface {
	// Level returns nil when Watch has hinted every change that was made before the
	// call, and hint has returned; the zero Key stands for all changes. It takes
	// some 20 ms at most. Most of its errors wrap ErrNotLevel; all say that nothing
	// is known. Not to be called from hint.
	Level(ctx context.Context) error
}
