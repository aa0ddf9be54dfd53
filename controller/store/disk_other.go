//go:build !unix

package store

import "syscall"

// ErrQuota is a full disk: Windows has no quota error of its own here.
const ErrQuota = syscall.ENOSPC
