//go:build unix

package controller

import "syscall"

// lockFlags keep the lock file from being a link to something else.
const lockFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
