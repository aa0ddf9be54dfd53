//go:build unix

package layout

import "syscall"

const openNonblock = syscall.O_NONBLOCK
