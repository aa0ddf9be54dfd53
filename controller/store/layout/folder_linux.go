package layout

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// handle is the descriptor of an open folder.
type handle int

const folderFlags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_CLOEXEC

func openFolder(abs string) (handle, error) {
	fd, err := retry(func() (int, error) { return syscall.Open(abs, folderFlags, 0) })
	return handle(fd), err
}

func (h handle) openFolder(name string) (handle, error) {
	fd, err := h.openat(name, folderFlags, 0)
	return handle(fd), err
}

func (h handle) openat(name string, flags int, perm fs.FileMode) (int, error) {
	return retry(func() (int, error) { return syscall.Openat(int(h), name, flags, uint32(perm)) })
}

func (h handle) mkdir(name string, perm fs.FileMode) error {
	return syscall.Mkdirat(int(h), name, uint32(perm))
}

// Close gives the folder back.
func (h handle) Close() error { return syscall.Close(int(h)) }

// Fd is the folder's descriptor, for calls that this package does not make.
func (h handle) Fd() int { return int(h) }

// self says what the folder itself is now.
func (h handle) self() (Info, error) { return file(h).info() }

// pathOnly is O_PATH of linux/fcntl.h: a descriptor of whatever stands there, which opens nothing.
const pathOnly = 0x200000

func (h handle) lstat(name string) (Info, error) {
	fd, err := h.openat(name, pathOnly|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return Info{}, err
	}
	defer syscall.Close(fd)
	return file(fd).info()
}

// pass lists the folder once, in no particular order.
func (h handle) pass() ([]string, error) {
	if _, err := syscall.Seek(int(h), 0, 0); err != nil {
		return nil, err
	}
	var names []string
	for buf := make([]byte, 64<<10); ; {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(int(h), buf) })
		if n == 0 || err != nil {
			return names, err
		}
		_, _, names = syscall.ParseDirent(buf[:n], -1, names)
	}
}

// open opens a file for writing, through no link and without waiting; path names it in errors.
func (h handle) open(name, path string, flags int, perm fs.FileMode) (*os.File, error) {
	fd, err := h.openat(name, flags|NoFollow, perm)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

func (h handle) rename(name string, to handle, newName string) error {
	return syscall.Renameat(int(h), name, int(to), newName)
}

func (h handle) unlink(name string) error { return syscall.Unlinkat(int(h), name) }

func (h handle) sync() error {
	_, err := retry(func() (int, error) { return 0, syscall.Fsync(int(h)) })
	return err
}

// file is the descriptor of a file that is read.
type file int

// openRegular opens what stands there without waiting and says what it is, which may be no regular file.
func (h handle) openRegular(name string) (file, Info, error) {
	fd, err := h.openat(name, syscall.O_RDONLY|syscall.O_NOCTTY|NoFollow, 0)
	if err != nil {
		return -1, Info{}, err
	}
	info, err := file(fd).info()
	if err != nil {
		syscall.Close(fd)
	}
	return file(fd), info, err
}

func (f file) pread(p []byte, offset int64) (int, error) {
	return retry(func() (int, error) { return syscall.Pread(int(f), p, offset) })
}

// populateWrite is MADV_POPULATE_WRITE of linux/mman.h, which kernels before 5.14 do not know.
const populateWrite = 23

// populate has the system provide the memory of a large buffer at once: to be asked for each page
// where it is first touched can cost more than what is done with it.
func populate(b []byte) { _ = syscall.Madvise(b, populateWrite) }

// Close gives the file back.
func (f file) Close() error { return syscall.Close(int(f)) }

func (f file) info() (Info, error) {
	var st syscall.Stat_t
	err := syscall.Fstat(int(f), &st)
	return infoOf(&st), err
}

// lstat says what stands at an absolute path.
func lstat(abs string) (Info, error) {
	var st syscall.Stat_t
	err := syscall.Lstat(abs, &st)
	return infoOf(&st), err
}

func infoOf(st *syscall.Stat_t) Info {
	return Info{
		Size:    st.Size,
		ModTime: time.Unix(st.Mtim.Unix()),
		Changed: st.Ctim.Nano(),
		Inode:   st.Ino,
		Mode:    fs.FileMode(st.Mode&0o777) | fileTypes[st.Mode>>12&15],
	}
}

// fileTypes are the types of st_mode as package os has them.
var fileTypes = [16]fs.FileMode{
	syscall.S_IFDIR >> 12:  fs.ModeDir,
	syscall.S_IFLNK >> 12:  fs.ModeSymlink,
	syscall.S_IFIFO >> 12:  fs.ModeNamedPipe,
	syscall.S_IFSOCK >> 12: fs.ModeSocket,
	syscall.S_IFBLK >> 12:  fs.ModeDevice,
	syscall.S_IFCHR >> 12:  fs.ModeDevice | fs.ModeCharDevice,
}

// retry repeats a call that a signal cut short.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
