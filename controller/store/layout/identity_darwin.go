package layout

import (
	"io/fs"
	"syscall"
)

// identity returns the inode number and the change time of a file, or zeros if
// the system does not report them.
func identity(info fs.FileInfo) (inode uint64, changed int64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino, st.Ctimespec.Nano()
	}
	return 0, 0
}
