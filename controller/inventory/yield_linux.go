package inventory

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// lowest is the priority of who runs only while nobody else wants to.
const lowest = 19

// yield gives the goroutine that calls it a thread of its own, of the lowest priority, until both end.
// Hooks that are answered meanwhile do not wait for it.
func yield() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, lowest) // of this thread; without it all is slower, not wrong
}
