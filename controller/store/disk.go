package store

import (
	"errors"
	"syscall"
)

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
