package controllerprocess

import (
	"os"
	"syscall"
)

// stopSignals end a controller cleanly.
var stopSignals = []os.Signal{os.Interrupt}

// detached starts a process without this console, so that it survives it.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8 // DETACHED_PROCESS of the Windows API
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

const noFollow = 0
