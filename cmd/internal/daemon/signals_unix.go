//go:build unix

package daemon

import (
	"os"
	"syscall"
)

// stopSignals end a controller cleanly.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// detached starts a process in a session of its own, which the end of ours leaves alone.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// noFollow keeps the log from being a link to something else.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
