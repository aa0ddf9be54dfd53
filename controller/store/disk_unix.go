//go:build unix

package store

import "syscall"

// ErrQuota means that the user's disk quota is exceeded.
const ErrQuota = syscall.EDQUOT
