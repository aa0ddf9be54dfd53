package layout

import (
	"io/fs"
	"syscall"
)

// InfoOf takes what identifies a version of a file from what Lstat returned.
func InfoOf(info fs.FileInfo) Info {
	i := Info{Size: info.Size(), ModTime: info.ModTime(), Mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		i.Inode, i.Changed = st.Ino, st.Ctimespec.Nano()
	}
	return i
}
