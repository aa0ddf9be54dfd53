package layout

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// handle is the descriptor of an open directory.
type handle int

const folderFlags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_CLOEXEC

// openFolder opens a directory at an absolute path, without following a link in
// its last element.
func openFolder(abs string) (handle, error) {
	fd, err := retry(func() (int, error) { return syscall.Open(abs, folderFlags, 0) })
	return handle(fd), err
}

// openFolder opens a subdirectory, without following a link.
func (h handle) openFolder(name string) (handle, error) {
	fd, err := h.openat(name, folderFlags, 0)
	return handle(fd), err
}

// openat opens a file of the directory and repeats the call if a signal
// interrupts it.
func (h handle) openat(name string, flags int, perm fs.FileMode) (int, error) {
	return retry(func() (int, error) { return syscall.Openat(int(h), name, flags, uint32(perm)) })
}

// mkdir creates a subdirectory.
func (h handle) mkdir(name string, perm fs.FileMode) error {
	return syscall.Mkdirat(int(h), name, uint32(perm))
}

// Close closes the directory.
func (h handle) Close() error { return syscall.Close(int(h)) }

// Fd returns the directory's descriptor, for system calls outside this package.
func (h handle) Fd() int { return int(h) }

// self returns the current state of the directory itself.
func (h handle) self() (Info, error) { return file(h).info() }

// pathOnly is O_PATH of linux/fcntl.h: a descriptor of a path, without opening
// the file.
const pathOnly = 0x200000

// lstat returns the state of a file of the directory, without following a link.
func (h handle) lstat(name string) (Info, error) {
	fd, err := h.openat(name, pathOnly|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return Info{}, err
	}
	defer syscall.Close(fd)
	return file(fd).info()
}

// pass lists the directory once, in no particular order.
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

// open opens a file for writing, without following links or blocking. path is
// for errors.
func (h handle) open(name, path string, flags int, perm fs.FileMode) (*os.File, error) {
	fd, err := h.openat(name, flags|NoFollow, perm)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// rename moves a file of the directory to another directory and replaces an
// existing one.
func (h handle) rename(name string, to handle, newName string) error {
	return syscall.Renameat(int(h), name, int(to), newName)
}

// unlink removes a file of the directory.
func (h handle) unlink(name string) error { return syscall.Unlinkat(int(h), name) }

// sync flushes the directory's entries to disk.
func (h handle) sync() error {
	_, err := retry(func() (int, error) { return 0, syscall.Fsync(int(h)) })
	return err
}

// file is the descriptor of a file that is open for reading.
type file int

// openRegular opens a file without blocking and returns its type, which may not
// be a regular file.
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

// pread reads from an offset. It returns 0 bytes at the end of the file.
func (f file) pread(p []byte, offset int64) (int, error) {
	return retry(func() (int, error) { return syscall.Pread(int(f), p, offset) })
}

// populateWrite is MADV_POPULATE_WRITE of linux/mman.h, which kernels before
// 5.14 do not support.
const populateWrite = 23

// populate allocates the memory of a large buffer in one call. Page faults at
// the first access of each page can cost more than reading the data.
func populate(b []byte) { _ = syscall.Madvise(b, populateWrite) }

// Close closes the file.
func (f file) Close() error { return syscall.Close(int(f)) }

// info returns the state of the open file.
func (f file) info() (Info, error) {
	var st syscall.Stat_t
	err := syscall.Fstat(int(f), &st)
	return infoOf(&st), err
}

// lstat returns the state of a file at an absolute path.
func lstat(abs string) (Info, error) {
	var st syscall.Stat_t
	err := syscall.Lstat(abs, &st)
	return infoOf(&st), err
}

// infoOf converts the result of fstat.
func infoOf(st *syscall.Stat_t) Info {
	return Info{
		Size:    st.Size,
		ModTime: time.Unix(st.Mtim.Unix()),
		Changed: st.Ctim.Nano(),
		Inode:   st.Ino,
		Mode:    fs.FileMode(st.Mode&0o777) | fileTypes[st.Mode>>12&15],
	}
}

// fileTypes maps the types of st_mode to those of package fs.
var fileTypes = [16]fs.FileMode{
	syscall.S_IFDIR >> 12:  fs.ModeDir,
	syscall.S_IFLNK >> 12:  fs.ModeSymlink,
	syscall.S_IFIFO >> 12:  fs.ModeNamedPipe,
	syscall.S_IFSOCK >> 12: fs.ModeSocket,
	syscall.S_IFBLK >> 12:  fs.ModeDevice,
	syscall.S_IFCHR >> 12:  fs.ModeDevice | fs.ModeCharDevice,
}

// retry repeats a call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != syscall.EINTR {
			return n, err
		}
	}
}
