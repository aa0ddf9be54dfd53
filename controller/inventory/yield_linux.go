package inventory

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// lowest is the lowest priority of a thread.
const lowest = 19

// yield binds the calling goroutine to a thread and gives it the lowest
// priority, so that hooks are answered first. Both end together.
func yield() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, lowest) // priority of this thread; a failure is harmless
}
