package layout

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// OpenDir is a folder below the repository's root that is held open. Files in it
// are named by their last element. Close it.
type OpenDir struct {
	path string
	fd   int
}

// Open opens a folder of .idumb. ErrGone if there is no .idumb, ErrNotFound if
// there is no such folder in it, ErrUnreadable for a link or a file.
func (r Root) Open(path string) (*OpenDir, error) { return r.walk(path, false) }

// Make is Open, but creates what is missing below .idumb, never .idumb itself.
func (r Root) Make(path string) (*OpenDir, error) { return r.walk(path, true) }

func (r Root) walk(path string, create bool) (*OpenDir, error) {
	fd, err := retry(func() (int, error) { return syscall.Open(r.Abs(Dir), folderFlags, 0) })
	if err != nil {
		return nil, r.folderError(Dir, err)
	}
	at := Dir
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(path, Dir), "/"), "/") {
		if part == "" {
			continue
		}
		at += "/" + part
		next, err := enter(fd, part, at, create)
		syscall.Close(fd)
		if err != nil {
			return nil, r.folderError(at, err)
		}
		fd = next
	}
	return &OpenDir{path: at, fd: fd}, nil
}

const folderFlags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_CLOEXEC

func enter(parent int, name, path string, create bool) (int, error) {
	open := func() (int, error) { return syscall.Openat(parent, name, folderFlags, 0) }
	fd, err := retry(open)
	if !create || err != syscall.ENOENT {
		return fd, err
	}
	made := syscall.Mkdirat(parent, name, uint32(FolderMode(path)))
	if made != nil && made != syscall.EEXIST {
		return -1, made
	}
	if fd, err = retry(open); err == nil && made == nil {
		(&OpenDir{path: path, fd: fd}).made()
	}
	return fd, err
}

// folderError says what stands in the way of opening the folder at path.
func (r Root) folderError(path string, err error) error {
	switch err {
	case syscall.ENOENT:
		return missing(path)
	case syscall.ENOTDIR, syscall.ELOOP:
		if info, err := os.Lstat(r.Abs(path)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return errFolderSymlink(path)
		}
		return errNotFolder(path)
	case syscall.EACCES, syscall.EPERM:
		return errPermission(path)
	}
	return Explain(path, err)
}

// Close gives the folder back.
func (d *OpenDir) Close() error { return syscall.Close(d.fd) }

// Fd is the folder's descriptor, for calls that this package does not make.
func (d *OpenDir) Fd() int { return d.fd }

// self says what the folder itself is now.
func (d *OpenDir) self() (Info, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(d.fd, &st); err != nil {
		return Info{}, Explain(d.path, err)
	}
	return infoOf(&st), nil
}

// pass lists the folder once, in no particular order.
func (d *OpenDir) pass() ([]string, error) {
	if _, err := syscall.Seek(d.fd, 0, 0); err != nil {
		return nil, Explain(d.path, err)
	}
	var names []string
	for buf := make([]byte, 64<<10); ; {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(d.fd, buf) })
		if err != nil {
			return nil, Explain(d.path, err)
		}
		if n == 0 {
			return names, nil
		}
		_, _, names = syscall.ParseDirent(buf[:n], -1, names)
	}
}

func (d *OpenDir) read(name string, limit int64, tail bool) ([]byte, Info, error) {
	path := d.path + "/" + name
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_CLOEXEC | syscall.O_NOCTTY
	fd, err := retry(func() (int, error) { return syscall.Openat(d.fd, name, flags, 0) })
	if err != nil {
		return nil, Info{}, openError(path, err)
	}
	defer syscall.Close(fd)
	return readOpen(fd, path, limit, tail, nil)
}

// readOpen reads an open file, into buffer if there is room for it.
func readOpen(fd int, path string, limit int64, tail bool, buffer []byte) ([]byte, Info, error) {
	info, err := regularOpen(fd, path)
	if err != nil {
		return nil, info, err
	}
	skip := max(info.Size-limit, 0)
	if skip > 0 && !tail {
		return nil, info, errTooLarge(path, info.Size, limit)
	}
	data, err := readFrom(fd, skip, info.Size-skip, buffer)
	switch {
	case err != nil:
		return nil, info, Explain(path, err)
	case int64(len(data)) > limit && !tail: // it grew meanwhile
		return nil, info, errTooLarge(path, int64(len(data)), limit)
	}
	return data, info, nil
}

// regularOpen says what an open file is; it is an error if that is no regular one.
func regularOpen(fd int, path string) (Info, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return Info{}, Explain(path, err)
	}
	info := infoOf(&st)
	if !info.Mode.IsRegular() {
		return info, wrongType(path, info.Mode)
	}
	return info, nil
}

// readFrom reads from offset to the end, of which size is a guess.
func readFrom(fd int, offset, size int64, buffer []byte) ([]byte, error) {
	data := buffer[:0]
	if int64(cap(data)) <= size { // one more, to see the end without another call
		data = make([]byte, 0, size+1)
	}
	for {
		n, err := retry(func() (int, error) { return syscall.Pread(fd, data[len(data):cap(data)], offset) })
		if err != nil {
			return nil, err
		}
		data, offset = data[:len(data)+n], offset+int64(n)
		if n == 0 || len(data) < cap(data) && int64(len(data)) >= size || int64(len(data)) > MaxLog {
			return data, nil
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func openError(path string, err error) error {
	switch err {
	case syscall.ENOENT, syscall.ENAMETOOLONG:
		return missing(path)
	case syscall.ELOOP:
		return errSymlink(path)
	case syscall.EACCES, syscall.EPERM:
		return errPermission(path)
	case syscall.ENXIO, syscall.ENODEV:
		return wrongType(path, fs.ModeSocket)
	}
	return Explain(path, err)
}

// Create opens a new file for writing; it is an error if there is anything of
// that name. perm is set as it is, whatever the umask.
func (d *OpenDir) Create(name string, perm fs.FileMode) (*os.File, error) {
	const flags = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	return d.open(name, flags, perm)
}

// Append opens a file, new or old, for writes at its end.
func (d *OpenDir) append(name string) (*os.File, error) {
	const flags = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_APPEND | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	f, err := d.open(name, flags, 0o600)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errSymlink(d.path + "/" + name)
	}
	return f, err
}

func (d *OpenDir) open(name string, flags int, perm fs.FileMode) (*os.File, error) {
	fd, err := retry(func() (int, error) { return syscall.Openat(d.fd, name, flags, uint32(perm.Perm())) })
	if err != nil {
		return nil, Explain(d.path+"/"+name, err)
	}
	return os.NewFile(uintptr(fd), d.path+"/"+name), nil
}

// Rename moves a file of this folder to another folder, over what is there.
func (d *OpenDir) Rename(name string, to *OpenDir, newName string) error {
	return d.explain(name, syscall.Renameat(d.fd, name, to.fd, newName))
}

// Remove removes a file. No error if there is none.
func (d *OpenDir) Remove(name string) error {
	err := syscall.Unlinkat(d.fd, name)
	if err == syscall.ENOENT {
		return nil
	}
	return d.explain(name, err)
}

// Sync returns when the folder's names are on disk.
func (d *OpenDir) Sync() error {
	_, err := retry(func() (int, error) { return 0, syscall.Fsync(d.fd) })
	return d.explain("", err)
}

func (d *OpenDir) explain(name string, err error) error {
	if err == nil {
		return nil
	}
	return Explain(strings.TrimSuffix(d.path+"/"+name, "/"), err)
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
