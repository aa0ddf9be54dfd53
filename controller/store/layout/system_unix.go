//go:build unix

package layout

import "syscall"

// ControllerAlive reports whether a controller runs in this repository, that
// is, whether its lock is held. It tries to acquire a shared lock without
// blocking and releases it immediately. A controller that starts at that moment
// retries.
func (r Root) ControllerAlive() bool {
	fd, err := syscall.Open(r.Abs(ControllerLock), syscall.O_RDONLY|NoFollow, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	err = syscall.Flock(fd, syscall.LOCK_SH|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK
}

// Forbidden reports whether the owner and mode of a file prevent the current
// user from writing it.
func (r Root) Forbidden(path string) bool {
	const write = 2 // W_OK of access(2)
	return syscall.Access(r.Abs(path), write) == syscall.EACCES
}

// sameHome reports whether two directories have the same owner and device. It
// returns true if one does not exist or is inaccessible.
func sameHome(a, b string) bool {
	var first, second syscall.Stat_t
	if syscall.Stat(a, &first) != nil || syscall.Stat(b, &second) != nil {
		return true
	}
	return first.Uid == second.Uid && first.Dev == second.Dev
}

// NoFollow contains the open flags that reject a link and do not block on a
// FIFO.
const NoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
