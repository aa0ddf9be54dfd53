//go:build unix

package store

import "syscall"

// ErrQuota is a write that the user's quota has no room for.
const ErrQuota = syscall.EDQUOT
