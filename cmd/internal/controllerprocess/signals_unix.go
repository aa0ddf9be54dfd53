//go:build unix

package controllerprocess

import (
	"os"
	"syscall"
)

// stopSignals end a controller cleanly.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// detached starts a process in a new session, so that it survives the current one.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// noFollow rejects a log that is a link.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
