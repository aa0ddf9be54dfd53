package doctor

import (
	"errors"
	"syscall"
)

// watchLimits returns the reason why files cannot be watched, empty if they can.
func watchLimits() string {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC)
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "the limit of inotify instances is reached: changes of files cannot be watched"
	}
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	if _, err := syscall.InotifyAddWatch(fd, "/", syscall.IN_DELETE_SELF); errors.Is(err, syscall.ENOSPC) {
		return "the limit of inotify watches is reached: changes of files cannot be watched"
	}
	return ""
}

// mayWrite returns the reason why the user may not write a file, or create files in a directory.
func mayWrite(file string) error {
	const write = 0x2 // W_OK of access(2)
	return syscall.Access(file, write)
}

// diskLimits returns the reason why files in a directory cannot be written, empty if they can or if
// it is unknown.
func diskLimits(dir string) string {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return ""
	}
	return spaceLeft(s.Bavail*uint64(s.Bsize), s.Files, s.Ffree)
}
