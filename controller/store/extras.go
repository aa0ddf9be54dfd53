package store

import (
	"context"
	"errors"
	"syscall"

	"github.com/idumb-dev/idumb/resources"
)

// ErrGone means that the place of all objects does not exist: .idumb was
// deleted or moved away. It has no meaning for a single object and differs from
// ErrNotFound. The caller must not create anything in response, because the
// place may come back. All methods may return it.
var ErrGone = errors.New("the store does not exist")

// FilesKind is the kind in hints of Watch for a file of the repository that is
// not an object. Name is its path relative to the root, with '/'.
const FilesKind = "files"

// StatusKind is the kind in hints of Watch for a status that another process
// may have removed. Name is the object's Key in the format of String.
const StatusKind = "status of"

// StatusReader reads the statuses of objects that are deleted or never had a
// file.
type StatusReader interface {
	// ListStatus returns the keys of a kind that have a status, sorted,
	// including those of deleted objects. The controller uses it at start to
	// find orphaned statuses.
	ListStatus(ctx context.Context, kind string) ([]resources.Key, error)
	// ReadStatus returns the stored status, or nil.
	ReadStatus(ctx context.Context, key resources.Key) ([]byte, error)
}

// ErrNotSynced means that it cannot be proved that all changes are known. It has
// no meaning for a single object. The caller must read the store.
var ErrNotSynced = errors.New("the cache may lack changes")

// Syncer is a Store whose Watch can prove that it is up to date.
type Syncer interface {
	// WaitSynced waits until Watch has hinted every change made before the call
	// and hint has returned. The zero Key represents all changes. It takes about 20
	// ms at most. An error means that the state is unknown; most errors wrap
	// ErrNotSynced. It must not be called from hint.
	WaitSynced(ctx context.Context) error
}

// IsDiskFailure reports whether a write failed because the disk is full, read-only or
// broken, so that other writes will fail too.
func IsDiskFailure(err error) bool {
	for _, cause := range [...]error{syscall.ENOSPC, ErrQuota, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
