package filestore

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
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

// lstat says what stands under a name, and whether it is a regular file. It is called
// for every file of a store each time, so it allocates nothing.
func lstat(d *layout.OpenDir, name string) (signature, bool, error) {
	const mask = unix.STATX_TYPE | unix.STATX_SIZE | unix.STATX_MTIME | unix.STATX_CTIME | unix.STATX_INO
	var path [unix.NAME_MAX + 1]byte
	var st unix.Statx_t
	if copy(path[:unix.NAME_MAX], name) < len(name) {
		return lstatLong(d, name)
	}
	_, _, errno := syscall.Syscall6(unix.SYS_STATX, uintptr(d.Fd()), uintptr(unsafe.Pointer(&path)), unix.AT_SYMLINK_NOFOLLOW, mask, uintptr(unsafe.Pointer(&st)), 0)
	switch {
	case errno == unix.ENOENT:
		return signature{}, false, errno
	case errno != 0 || st.Mask&mask != mask:
		return lstatLong(d, name) // an old kernel, or a sandbox that does not know the call
	}
	sig := signature{size: int64(st.Size), mtime: nanoseconds(st.Mtime), changed: nanoseconds(st.Ctime), inode: st.Ino}
	return sig, st.Mode&unix.S_IFMT == unix.S_IFREG, nil
}

func nanoseconds(t unix.StatxTimestamp) int64 { return t.Sec*1e9 + int64(t.Nsec) }

func lstatLong(d *layout.OpenDir, name string) (signature, bool, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.Fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return signature{}, false, err
	}
	sig := signature{size: st.Size, mtime: st.Mtim.Nano(), changed: st.Ctim.Nano(), inode: st.Ino}
	return sig, st.Mode&unix.S_IFMT == unix.S_IFREG, nil
}

// system marks the errors that say that a call is not to be had here.
func system(err error) error {
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP:
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}

// keepsNames reports whether the folder stands on a file system of which is known that a
// folder's time of change is another one after any change of its names.
func keepsNames(d *layout.OpenDir) bool {
	var st unix.Statfs_t
	if err := unix.Fstatfs(d.Fd(), &st); err != nil {
		return false
	}
	switch int64(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}
