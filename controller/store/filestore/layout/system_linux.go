package layout

import (
	"io/fs"
	"syscall"
	"time"
	"unsafe"
)

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

// openat2 opens a whole path in one call and refuses any link on it. Its number is
// the same on all architectures but mips, where there is no call of that number.
const openat2 = 437

// How openat2 follows a path (linux/openat2.h): below the folder, through no link.
const resolveBelow = 0x02 | 0x04 | 0x08

// openHow is struct open_how.
type openHow struct{ flags, mode, resolve uint64 }

// openBelow opens a file below the folder. Any error means: try the long way.
func (d *OpenDir) openBelow(path string, flags, mode uint64) (int, error) {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, err
	}
	how := openHow{flags: flags | syscall.O_NONBLOCK | syscall.O_CLOEXEC | syscall.O_NOCTTY, mode: mode, resolve: resolveBelow}
	fd, _, errno := syscall.Syscall6(openat2, uintptr(d.fd), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// readBelow reads a file, into buffer if there is room for it.
func (d *OpenDir) readBelow(path string, limit int64, buffer []byte) ([]byte, Info, error) {
	fd, err := d.openBelow(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, Info{}, err
	}
	defer syscall.Close(fd)
	return readOpen(fd, path, limit, false, buffer)
}

// appendBelow reports whether there was a file to write to at all.
func (d *OpenDir) appendBelow(path string, data []byte) (opened bool, err error) {
	fd, err := d.openBelow(path, syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CREAT, 0o600)
	if err != nil {
		return false, err
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return false, err
	}
	_, err = syscall.Write(fd, data)
	return true, err
}
