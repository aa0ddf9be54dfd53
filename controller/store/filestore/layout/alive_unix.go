//go:build unix

package layout

import "syscall"

// ControllerAlive reports whether a controller runs in this repository: whether
// somebody holds its lock. It asks for a shared lock without waiting and gives
// it back at once; a controller that starts in that very moment retries.
func (r Root) ControllerAlive() bool {
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	fd, err := syscall.Open(r.Abs(ControllerLock), flags, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	err = syscall.Flock(fd, syscall.LOCK_SH|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK
}
