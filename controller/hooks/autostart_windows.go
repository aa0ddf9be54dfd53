package hooks

import "syscall"

const programSuffix = ".exe"

// detached starts a process without our console, whose end leaves it alone.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8 // DETACHED_PROCESS of the Windows API
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

// keepToOurselves: here only handles that are named are inherited.
func keepToOurselves() {}

// execute does nothing: a process cannot become another one here.
func execute(string) {}
