package store

import (
	"errors"
	"syscall"
)

// Failing reports whether an error of a write is the disk's: it is full, read only or broken,
// so that other writes will fail as well.
func Failing(err error) bool {
	for _, cause := range [...]error{syscall.ENOSPC, ErrQuota, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
