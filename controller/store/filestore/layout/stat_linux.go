package layout

import (
	"io/fs"
	"syscall"
	"time"
)

const errQuota = syscall.EDQUOT

func infoOf(st *syscall.Stat_t) Info {
	return Info{
		Size:    st.Size,
		ModTime: time.Unix(st.Mtim.Unix()),
		Changed: st.Ctim.Nano(),
		Inode:   st.Ino,
		Mode:    modeOf(uint32(st.Mode)),
	}
}

// modeOf turns st_mode into a FileMode, as package os does.
func modeOf(bits uint32) fs.FileMode {
	mode := fs.FileMode(bits & 0o777)
	switch bits & syscall.S_IFMT {
	case syscall.S_IFDIR:
		mode |= fs.ModeDir
	case syscall.S_IFLNK:
		mode |= fs.ModeSymlink
	case syscall.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case syscall.S_IFSOCK:
		mode |= fs.ModeSocket
	case syscall.S_IFBLK:
		mode |= fs.ModeDevice
	case syscall.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	return mode
}
