//go:build unix

package layout

import "syscall"

// ControllerAlive reports whether a controller runs in this repository: whether
// somebody holds its lock. It asks for a shared lock without waiting and gives
// it back at once; a controller that starts in that very moment retries.
func (r Root) ControllerAlive() bool {
	fd, err := syscall.Open(r.Abs(ControllerLock), syscall.O_RDONLY|NoFollow, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	err = syscall.Flock(fd, syscall.LOCK_SH|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK
}

// Forbidden reports whether the owner and mode of a file forbid this user to write it, whatever else does.
func (r Root) Forbidden(path string) bool {
	const write = 2 // W_OK of access(2)
	return syscall.Access(r.Abs(path), write) == syscall.EACCES
}

// sameHome reports whether two folders are of one owner, on one device. A folder that is
// not there, or cannot be asked about, has both of any other.
func sameHome(a, b string) bool {
	var first, second syscall.Stat_t
	if syscall.Stat(a, &first) != nil || syscall.Stat(b, &second) != nil {
		return true
	}
	return first.Uid == second.Uid && first.Dev == second.Dev
}

// NoFollow are the flags with which a file is opened that must be no link, and for which
// nobody waits, should it be a FIFO.
const NoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
