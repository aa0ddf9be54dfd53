package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// OpenDir is a directory below the repository's root. Its files are named by
// their last path element. On Linux it is held open. On other systems it is a
// path that was checked when it was opened. The caller must close it.
type OpenDir struct {
	root   Root
	path   string // relative to the root, with '/'
	handle        // system calls on the directory
}

// Open opens a directory of .idumb. It returns ErrGone if .idumb does not
// exist, ErrNotFound if the directory does not exist, and ErrUnreadable for a
// link or a file.
func (r Root) Open(path string) (*OpenDir, error) { return r.walk(path, false) }

// Make is like Open, but creates missing directories below .idumb. It never
// creates .idumb itself.
func (r Root) Make(path string) (*OpenDir, error) { return r.walk(path, true) }

// OpenFolder opens any directory, for users' files outside .idumb. It follows
// the links in path.
func OpenFolder(path string) (*OpenDir, error) {
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	at, err := openFolder(abs)
	if err != nil {
		return nil, Explain(abs, err)
	}
	return &OpenDir{path: abs, handle: at}, nil
}

// Path returns the path of a file in the directory, relative to the
// repository's root unless OpenFolder opened it.
func (d *OpenDir) Path(name string) string { return d.path + "/" + name }

// walk opens a directory of .idumb step by step, without following links. It
// creates missing directories if create is true.
func (r Root) walk(path string, create bool) (*OpenDir, error) {
	at, err := openFolder(r.Abs(Dir))
	if err != nil {
		return nil, r.folderProblem(Dir, err)
	}
	d := &OpenDir{root: r, path: Dir, handle: at}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(path, Dir), "/"), "/") {
		if part == "" {
			continue
		}
		next, err := d.enter(part, create)
		d.Close()
		if err != nil {
			return nil, r.folderProblem(d.path+"/"+part, err)
		}
		d = next
	}
	return d, nil
}

// enter opens a subdirectory, and creates it if create is true.
func (d *OpenDir) enter(name string, create bool) (*OpenDir, error) {
	path := d.path + "/" + name
	below, err := d.openFolder(name)
	if !create || !errors.Is(err, fs.ErrNotExist) {
		return &OpenDir{d.root, path, below}, err
	}
	made := d.mkdir(name, FolderMode(path))
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return nil, made
	}
	below, err = d.openFolder(name)
	next := &OpenDir{d.root, path, below}
	if err == nil && made == nil {
		// Errors are ignored: the directory is usable without this file.
		if slices.Contains(LocalDirs(), next.path) {
			next.Write(IgnoreFile, []byte(IgnoreAll), 0o600)
		}
	}
	return next, err
}

// folderProblem returns the reason why the directory at path cannot be opened.
func (r Root) folderProblem(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(path)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		if info, err := os.Lstat(r.Abs(path)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return folderError{errSymlink(path, "folder")}
		}
		return folderError{unreadable(path, "is not a folder", "move it away, then run the command again")}
	case errors.Is(err, fs.ErrPermission):
		return folderError{errPermission(path)}
	}
	return Explain(path, err)
}

// openError converts an error of opening a file to an error with the path and a
// remedy.
func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG):
		return missing(path)
	case errors.Is(err, syscall.ELOOP):
		return errSymlink(path, "file")
	case errors.Is(err, fs.ErrPermission):
		return errPermission(path)
	case errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		return wrongType(path, fs.ModeSocket)
	}
	return Explain(path, err)
}

// Info returns the current state of a file in the directory without opening it.
// It does not follow a link.
func (d *OpenDir) Info(name string) (Info, error) {
	info, err := d.lstat(name)
	if err != nil {
		return Info{}, openError(d.path+"/"+name, err)
	}
	return info, nil
}

// Glance is Info in one system call, through the directory's path. An equal
// result proves that the file is unchanged. A different result proves nothing.
func (d *OpenDir) Glance(name string) (Info, error) {
	return lstat(string(d.root) + "/" + d.path + "/" + name)
}

// read reads a regular file from offset, and its state. A longer file than limit
// is an error, unless tail is true; then only the end is read.
func (d *OpenDir) read(name string, offset, limit int64, tail bool) ([]byte, Info, error) {
	path := d.path + "/" + name
	f, info, err := d.openRegular(name)
	if err != nil {
		return nil, Info{}, openError(path, err)
	}
	defer f.Close()
	skip := max(info.Size-limit, 0)
	switch {
	case !info.Mode.IsRegular():
		return nil, info, wrongType(path, info.Mode)
	case skip > 0 && !tail:
		return nil, info, errTooLarge(path, info.Size, limit)
	}
	skip = max(skip, min(offset, info.Size))
	data, err := readFrom(f, skip, info.Size-skip)
	switch {
	case err != nil:
		return nil, info, Explain(path, err)
	case int64(len(data)) > limit && !tail: // the file grew in the meantime
		return nil, info, errTooLarge(path, int64(len(data)), limit)
	}
	return data, info, nil
}

// populateSize is the size from which allocating memory in one call is faster.
const populateSize = 256 << 10

// readFrom reads from offset to the end. size is an estimate.
func readFrom(f file, offset, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1) // one extra byte detects the end without another call
	if size >= populateSize {
		populate(data[:cap(data)])
	}
	for {
		n, err := f.pread(data[len(data):cap(data)], offset)
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

// Create creates a new file for writing. It fails if the name exists.
func (d *OpenDir) Create(name string, perm fs.FileMode) (*os.File, error) {
	f, err := d.open(name, d.path+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
	return f, d.explain(name, err)
}

// append opens or creates a file for appending.
func (d *OpenDir) append(name string) (*os.File, error) {
	path := d.path + "/" + name
	f, err := d.open(name, path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errSymlink(path, "file")
	}
	if err != nil {
		return nil, Explain(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = wrongType(path, info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Rename moves a file to another directory and replaces an existing one.
func (d *OpenDir) Rename(name string, to *OpenDir, newName string) error {
	return d.explain(name, d.rename(name, to.handle, newName))
}

// Remove removes a file. It ignores a missing one.
func (d *OpenDir) Remove(name string) error {
	err := d.unlink(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.explain(name, err)
}

// Sync flushes the directory's entries to disk, if the system supports that.
func (d *OpenDir) Sync() error { return d.explain("", d.sync()) }

// explain adds the path of a file in the directory to an error. It returns nil
// for nil.
func (d *OpenDir) explain(name string, err error) error {
	if err == nil {
		return nil
	}
	return Explain(strings.TrimSuffix(d.path+"/"+name, "/"), err)
}
