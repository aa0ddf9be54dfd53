//go:build !unix

package store

import "syscall"

// ErrQuota is the error of a full disk, because Windows has no separate quota
// error.
const ErrQuota = syscall.ENOSPC
