package filestore

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// exchange swaps two files of a folder in one step; errors.ErrUnsupported where
// the kernel or the file system cannot.
func exchange(d *layout.OpenDir, a, b string) error {
	return system(unix.Renameat2(d.Fd(), a, d.Fd(), b, unix.RENAME_EXCHANGE))
}

// link gives a file a second name; fs.ErrExist if that is taken.
func link(d *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	return system(unix.Linkat(d.Fd(), name, to.Fd(), newName, 0))
}

// syncsAll says that syncAll is to be had.
const syncsAll = true

// syncAll returns when all that was written to the file system of a folder is on disk. A disk that fails meanwhile is
// heard of from Linux 5.8 on; a full one was heard of by whoever wrote.
func syncAll(d *layout.OpenDir) error { return unix.Syncfs(d.Fd()) }

// system marks the errors that say that a call is not to be had here.
func system(err error) error {
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP:
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
