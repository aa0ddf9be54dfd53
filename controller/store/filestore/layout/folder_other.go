//go:build !linux

package layout

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// OpenDir is a folder below the repository's root. Files in it are named by
// their last element. On this system it is a path that was checked when it was
// opened. Close it.
type OpenDir struct {
	path string // from the root, with '/'
	dir  string // absolute
}

// Open opens a folder of .idumb. ErrGone if there is no .idumb, ErrNotFound if
// there is no such folder in it, ErrUnreadable for a link or a file.
func (r Root) Open(path string) (*OpenDir, error) { return r.walk(path, false) }

// Make is Open, but creates what is missing below .idumb, never .idumb itself.
func (r Root) Make(path string) (*OpenDir, error) { return r.walk(path, true) }

func (r Root) walk(path string, create bool) (*OpenDir, error) {
	at := Dir
	if err := r.checkFolder(at); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(path, Dir), "/"), "/") {
		if part == "" {
			continue
		}
		at += "/" + part
		if create {
			made := os.Mkdir(r.Abs(at), FolderMode(at))
			if made != nil && !errors.Is(made, fs.ErrExist) {
				return nil, Explain(at, made)
			}
			if made == nil {
				(&OpenDir{path: at, dir: r.Abs(at)}).made()
			}
		}
		if err := r.checkFolder(at); err != nil {
			return nil, err
		}
	}
	return &OpenDir{path: at, dir: r.Abs(at)}, nil
}

func (r Root) checkFolder(path string) error {
	info, err := os.Lstat(r.Abs(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(path)
	case errors.Is(err, fs.ErrPermission):
		return errPermission(path)
	case err != nil:
		return Explain(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return errFolderSymlink(path)
	case !info.IsDir():
		return errNotFolder(path)
	}
	return nil
}

// Close gives the folder back.
func (d *OpenDir) Close() error { return nil }

// Dir is the folder's absolute path, for calls that this package does not make.
func (d *OpenDir) Dir() string { return d.dir }

// Info says what a file of the folder is now, without opening it; of a link what the link is.
func (d *OpenDir) Info(name string) (Info, error) {
	info, err := os.Lstat(filepath.Join(d.dir, name))
	if err != nil {
		return Info{}, Explain(d.path+"/"+name, err)
	}
	return InfoOf(info), nil
}

// self says what the folder itself is now.
func (d *OpenDir) self() (Info, error) {
	info, err := os.Lstat(d.dir)
	if err != nil {
		return Info{}, Explain(d.path, err)
	}
	return InfoOf(info), nil
}

// pass lists the folder once, in no particular order.
func (d *OpenDir) pass() ([]string, error) {
	f, err := os.Open(d.dir)
	if err != nil {
		return nil, Explain(d.path, err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, Explain(d.path, err)
	}
	return names, nil
}

func (d *OpenDir) read(name string, limit int64, tail bool) ([]byte, Info, error) {
	path := d.path + "/" + name
	f, info, err := d.openRegular(name, path)
	if err != nil {
		return nil, info, err
	}
	defer f.Close()
	skip := max(info.Size-limit, 0)
	if skip > 0 && !tail {
		return nil, info, errTooLarge(path, info.Size, limit)
	}
	if _, err := f.Seek(skip, io.SeekStart); err != nil {
		return nil, info, Explain(path, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxLog))
	switch {
	case err != nil:
		return nil, info, Explain(path, err)
	case int64(len(data)) > limit && !tail: // it grew meanwhile
		return nil, info, errTooLarge(path, int64(len(data)), limit)
	}
	return data, info, nil
}

// openRegular opens a file only if it is a regular one, before and after.
func (d *OpenDir) openRegular(name, path string) (*os.File, Info, error) {
	before, err := os.Lstat(filepath.Join(d.dir, name))
	if err != nil {
		return nil, Info{}, openError(path, err)
	}
	if !before.Mode().IsRegular() {
		return nil, Info{}, wrongType(path, before.Mode())
	}
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, Info{}, openError(path, err)
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, Info{}, Explain(path, errors.Join(err, errReplaced))
	}
	return f, InfoOf(after), nil
}

var errReplaced = errors.New("it was replaced while it was opened; try again")

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG):
		return missing(path)
	case errors.Is(err, syscall.ELOOP):
		return errSymlink(path)
	case errors.Is(err, fs.ErrPermission):
		return errPermission(path)
	}
	return Explain(path, err)
}

// Create opens a new file for writing; it is an error if there is anything of
// that name. perm is set as it is, whatever the umask.
func (d *OpenDir) Create(name string, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, perm.Perm())
	return f, d.explain(name, err)
}

// append opens a file, new or old, for writes at its end.
func (d *OpenDir) append(name string) (*os.File, error) {
	if info, err := os.Lstat(filepath.Join(d.dir, name)); err == nil && !info.Mode().IsRegular() {
		return nil, wrongType(d.path+"/"+name, info.Mode())
	}
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_WRONLY|os.O_CREATE|os.O_APPEND|openFlags, 0o600)
	return f, d.explain(name, err)
}

// Rename moves a file of this folder to another folder, over what is there.
func (d *OpenDir) Rename(name string, to *OpenDir, newName string) error {
	return d.explain(name, os.Rename(filepath.Join(d.dir, name), filepath.Join(to.dir, newName)))
}

// Remove removes a file. No error if there is none.
func (d *OpenDir) Remove(name string) error {
	err := os.Remove(filepath.Join(d.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.explain(name, err)
}

// Sync returns when the folder's names are on disk, as far as the system offers that.
func (d *OpenDir) Sync() error { return d.explain("", syncFolder(d.dir)) }

func (d *OpenDir) explain(name string, err error) error {
	if err == nil {
		return nil
	}
	return Explain(strings.TrimSuffix(d.path+"/"+name, "/"), err)
}

// errNoCall: this system has no call that opens a path and follows no link on it.
var errNoCall = errors.New("no such call")

func (d *OpenDir) readBelow(string, int64, []byte) ([]byte, Info, error) {
	return nil, Info{}, errNoCall
}

func (d *OpenDir) appendBelow(string, []byte) (bool, error) { return false, errNoCall }
