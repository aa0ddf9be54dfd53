package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// OpenDir is a folder below the repository's root. Files in it are named by their last
// element. On Linux it is held open; elsewhere it is a path that was checked when it was
// opened. Close it.
type OpenDir struct {
	root   Root
	path   string // from the root, with '/'
	handle        // the calls of this system on it
}

// Open opens a folder of .idumb. ErrGone if there is no .idumb, ErrNotFound if
// there is no such folder in it, ErrUnreadable for a link or a file.
func (r Root) Open(path string) (*OpenDir, error) { return r.walk(path, false) }

// Make is Open, but creates what is missing below .idumb, never .idumb itself.
func (r Root) Make(path string) (*OpenDir, error) { return r.walk(path, true) }

// OpenFolder opens any folder, for files that people keep outside .idumb. The links of its path are followed.
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

// Path is the path of a file of the folder, from the repository's root unless OpenFolder opened it.
func (d *OpenDir) Path(name string) string { return d.path + "/" + name }

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

// enter opens a folder of this one.
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
		next.made()
	}
	return next, err
}

// folderProblem says what stands in the way of opening the folder at path.
func (r Root) folderProblem(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(path)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		if info, err := os.Lstat(r.Abs(path)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return folderError{errSymlink(path, "folder")}
		}
		return folderError{unreadable(path, "is not a folder", "move it away; a folder has to stand there")}
	case errors.Is(err, fs.ErrPermission):
		return folderError{errPermission(path)}
	}
	return Explain(path, err)
}

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

// Info says what a file of the folder is now, without opening it; of a link what the link is.
func (d *OpenDir) Info(name string) (Info, error) {
	info, err := d.lstat(name)
	if err != nil {
		return Info{}, openError(d.path+"/"+name, err)
	}
	return info, nil
}

// Glance is Info in one call to the system, by the path of the folder instead of the folder itself:
// that a file is still the one that was read, it proves; what it says of another one, it does not.
func (d *OpenDir) Glance(name string) (Info, error) {
	return lstat(string(d.root) + "/" + d.path + "/" + name)
}

func (d *OpenDir) read(name string, limit int64, tail bool) ([]byte, Info, error) {
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
	data, err := readFrom(f, skip, info.Size-skip)
	switch {
	case err != nil:
		return nil, info, Explain(path, err)
	case int64(len(data)) > limit && !tail: // it grew meanwhile
		return nil, info, errTooLarge(path, int64(len(data)), limit)
	}
	return data, info, nil
}

// large is from where on it pays to ask for the memory of a file at once.
const large = 256 << 10

// readFrom reads from offset to the end, of which size is a guess.
func readFrom(f file, offset, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1) // one more, to see the end without another call
	if size >= large {
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

// Create opens a new file for writing; it is an error if there is anything of
// that name.
func (d *OpenDir) Create(name string, perm fs.FileMode) (*os.File, error) {
	f, err := d.open(name, d.path+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
	return f, d.explain(name, err)
}

// append opens a file, new or old, for writes at its end.
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

// Rename moves a file of this folder to another folder, over what is there.
func (d *OpenDir) Rename(name string, to *OpenDir, newName string) error {
	return d.explain(name, d.rename(name, to.handle, newName))
}

// Remove removes a file. No error if there is none.
func (d *OpenDir) Remove(name string) error {
	err := d.unlink(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.explain(name, err)
}

// Sync returns when the folder's names are on disk, as far as the system offers that.
func (d *OpenDir) Sync() error { return d.explain("", d.sync()) }

func (d *OpenDir) explain(name string, err error) error {
	if err == nil {
		return nil
	}
	return Explain(strings.TrimSuffix(d.path+"/"+name, "/"), err)
}
