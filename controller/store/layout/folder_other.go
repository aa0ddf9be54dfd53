//go:build !linux

package layout

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// handle is the absolute path of a directory. Its type was checked once.
type handle string

// openFolder opens a directory at an absolute path, without following a link in
// its last element.
func openFolder(abs string) (handle, error) {
	info, err := os.Lstat(abs)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	return handle(abs), err
}

// abs returns the absolute path of a file of the directory.
func (h handle) abs(name string) string { return filepath.Join(string(h), name) }

// openFolder opens a subdirectory, without following a link.
func (h handle) openFolder(name string) (handle, error) { return openFolder(h.abs(name)) }

// mkdir creates a subdirectory.
func (h handle) mkdir(name string, perm fs.FileMode) error { return os.Mkdir(h.abs(name), perm) }

// Close does nothing.
func (h handle) Close() error { return nil }

// Dir returns the directory's absolute path, for calls outside this package.
func (h handle) Dir() string { return string(h) }

// self returns the current state of the directory itself.
func (h handle) self() (Info, error) { return h.lstat("") }

// lstat returns the state of a file of the directory, without following a link.
func (h handle) lstat(name string) (Info, error) { return lstat(h.abs(name)) }

// lstat returns the state of a file at an absolute path.
func lstat(abs string) (Info, error) {
	info, err := os.Lstat(abs)
	return infoOf(info), err
}

// pass lists the directory once, in no particular order.
func (h handle) pass() ([]string, error) {
	f, err := os.Open(string(h))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// open opens a file for writing, without following links or blocking.
func (h handle) open(name, path string, flags int, perm fs.FileMode) (*os.File, error) {
	if info, err := h.lstat(name); err == nil && flags&os.O_EXCL == 0 && !info.Mode.IsRegular() {
		return nil, wrongType(path, info.Mode)
	}
	return os.OpenFile(h.abs(name), flags|NoFollow, perm)
}

// rename moves a file of the directory to another directory and replaces an
// existing one.
func (h handle) rename(name string, to handle, newName string) error {
	return os.Rename(h.abs(name), to.abs(newName))
}

// unlink removes a file of the directory.
func (h handle) unlink(name string) error { return os.Remove(h.abs(name)) }

// sync does nothing on Windows, which cannot flush a directory; NTFS journals
// names.
func (h handle) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(string(h))
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// file is a file that is open for reading.
type file struct{ *os.File }

var errReplaced = errors.New("it was replaced while it was opened; try again")

// openRegular opens a file if it is a regular one before and after opening. It
// returns the state of other files without opening them.
func (h handle) openRegular(name string) (file, Info, error) {
	before, err := os.Lstat(h.abs(name))
	if err != nil || !before.Mode().IsRegular() {
		return file{}, infoOf(before), err
	}
	f, err := os.OpenFile(h.abs(name), os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return file{}, Info{}, err
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return file{}, Info{}, errors.Join(err, errReplaced)
	}
	return file{f}, infoOf(after), nil
}

// pread reads from an offset. It returns 0 bytes at the end of the file.
func (f file) pread(p []byte, offset int64) (int, error) {
	n, err := f.ReadAt(p, offset)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// populate does nothing, because this system allocates memory at the first
// access.
func populate([]byte) {}

// infoOf returns the properties that identify a version of a file. info may be
// nil.
func infoOf(info fs.FileInfo) Info {
	if info == nil {
		return Info{}
	}
	i := Info{Size: info.Size(), ModTime: info.ModTime(), Mode: info.Mode()}
	i.Inode, i.Changed = identity(info)
	return i
}
