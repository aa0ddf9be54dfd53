//go:build unix

package lease

import "syscall"

// lockFlags keep the lock file from being a link to something else.
const lockFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
