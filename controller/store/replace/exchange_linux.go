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
