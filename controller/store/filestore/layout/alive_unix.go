//go:build unix

package layout

import (
	"os"
	"syscall"
)

// ControllerAlive reports whether a controller runs in this repository: whether
// somebody holds its lock. It asks for a shared lock without waiting and gives
// it back at once; a controller that starts in that very moment retries.
func (r Root) ControllerAlive() bool {
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	f, err := os.OpenFile(r.Abs(ControllerLock), flags, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK
}
