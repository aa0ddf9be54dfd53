package replace

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// exchange swaps two files of a directory atomically. It returns
// errors.ErrUnsupported if the kernel or the file system does not support it.
func exchange(d *layout.OpenDir, a, b string) error {
	return system(unix.Renameat2(d.Fd(), a, d.Fd(), b, unix.RENAME_EXCHANGE))
}

// isOpenForWriting reports whether a process has a file open for writing. The
// kernel grants no read lease on such a file: see F_SETLEASE in fcntl(2). It
// returns false if the file system has no leases, or the file belongs to another
// user.
func isOpenForWriting(d *layout.OpenDir, name string) bool {
	fd, err := unix.Openat(d.Fd(), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd) // returns the lease
	_, err = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	return err == unix.EAGAIN
}

// Link gives a file a second name. It returns fs.ErrExist if the name is taken.
func Link(d *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	return system(unix.Linkat(d.Fd(), name, to.Fd(), newName, 0))
}

// system maps errors of unsupported system calls to errors.ErrUnsupported.
func system(err error) error {
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP:
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
