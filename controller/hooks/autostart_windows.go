package hooks

import "syscall"

// detached returns attributes that start a process without this console, so
// that it survives the end of the console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8 // DETACHED_PROCESS of the Windows API
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

// closeOnExec does nothing: on Windows only listed handles are inherited.
func closeOnExec() {}

// execute does nothing: a Windows process cannot replace itself.
func execute(string) {}
