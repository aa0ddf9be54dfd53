// Package replace replaces or removes a file only if it still has the content
// that its writer read. No save of an editor, which takes no lock, is lost.
package replace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// ErrChanged means that the file changed since the caller read it. The file is
// not modified.
var ErrChanged = errors.New("it was changed at the same time; run the command again")

// maxFile is the maximum size of a compared file, in bytes.
const maxFile = layout.MaxLog

// beforeSwap is called right before a file is replaced or removed. Tests use it
// to simulate a save.
var beforeSwap func(path string)

// File replaces the file at path if it contains old, and returns ErrChanged
// otherwise. A nil old means that the file must not exist. The directory must
// exist. perm is the mode of a new file. When File returns nil, the content is
// durable.
func File(path string, old, data []byte, perm fs.FileMode) error {
	return withDirectory(path, func(d *layout.OpenDir, name string) error { return fileIn(d, name, old, data, perm, true) })
}

// Remove removes the file at path if it contains old. It returns ErrChanged if it
// contains something else, and ignores a missing file.
func Remove(path string, old []byte) error {
	return withDirectory(path, func(d *layout.OpenDir, name string) error { return removeIn(d, name, old) })
}

// FileBelow is like File for a file below .idumb. It creates missing directories
// and follows no links.
func FileBelow(root layout.Root, file string, old, data []byte, perm fs.FileMode) error {
	return fileBelow(root, file, old, data, perm, true)
}

// Derived is like FileBelow for a file that can be computed again: it does not
// flush to disk.
func Derived(root layout.Root, file string, old, data []byte) error {
	return fileBelow(root, file, old, data, 0o600, false)
}

// fileBelow is FileBelow, or Derived if durable is false.
func fileBelow(root layout.Root, file string, old, data []byte, perm fs.FileMode, durable bool) error {
	d, err := root.Make(path.Dir(file))
	if err != nil {
		return err
	}
	defer d.Close()
	return fileIn(d, path.Base(file), old, data, perm, durable)
}

// RemoveBelow is like Remove for a file below .idumb. It follows no links.
func RemoveBelow(root layout.Root, file string, old []byte) error {
	d, err := root.Open(path.Dir(file))
	if err != nil {
		return err
	}
	defer d.Close()
	return removeIn(d, path.Base(file), old)
}

// withDirectory calls do with the directory and the name of the file at path.
func withDirectory(path string, do func(d *layout.OpenDir, name string) error) error {
	d, err := layout.OpenFolder(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d, filepath.Base(path))
}

// fileIn is like File for a file of an open directory.
func fileIn(d *layout.OpenDir, name string, old, data []byte, perm fs.FileMode, durable bool) error {
	temp := layout.TempName()
	defer d.Remove(temp)
	err := write(d, name, temp, data, perm, durable)
	if err == nil {
		err = placeFile(d, name, temp, old, data)
	}
	if err == nil && durable {
		err = d.Sync()
	}
	return err
}

// write writes the new version of a file with the mode of the old one.
func write(d *layout.OpenDir, name, temp string, data []byte, perm fs.FileMode, durable bool) error {
	f, err := d.Create(temp, perm)
	if err != nil {
		return err
	}
	if info, missing := d.Info(name); missing == nil {
		err = f.Chmod(info.Mode.Perm())
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return layout.Explain(name, err)
	}
	return nil
}

// placeFile gives the file temp, which contains data, the name of a file that
// contains old.
func placeFile(d *layout.OpenDir, name, temp string, old, data []byte) error {
	if old != nil {
		_, err := Swap(d, name, temp, old, data, func() { callBeforeSwap(d, name) })
		return err
	}
	callBeforeSwap(d, name)
	err := Link(d, temp, d, name)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission): // no support for hard links
		if _, err := d.Info(name); !isMissing(err) {
			return ErrChanged
		}
		return d.Rename(temp, d, name)
	case errors.Is(err, fs.ErrExist):
		return ErrChanged
	}
	return err
}

// removeIn moves a file away and checks its content. If it is not old, it is
// moved back. A file that already differs is never moved, because a crash would
// leave it under another name.
func removeIn(d *layout.OpenDir, name string, old []byte) error {
	if _, err := d.Info(name); err == nil && !holds(d, name, old) {
		return ErrChanged
	}
	callBeforeSwap(d, name)
	aside := layout.TempName()
	if err := d.Rename(name, d, aside); err != nil {
		if isMissing(err) {
			return nil
		}
		return err
	}
	if Unchanged(d, aside, old) {
		return errors.Join(d.Remove(aside), d.Sync())
	}
	if err := Link(d, aside, d, name); err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(ErrChanged, d.Rename(aside, d, name))
	}
	return errors.Join(ErrChanged, d.Remove(aside))
}

// Swap replaces the file name by the file temp, which contains ours, if name
// contains expected. If exchanged is true, temp has the previous content
// afterwards. If an editor was faster, Swap puts its version back and returns
// ErrChanged. before is called right before the swap.
func Swap(d *layout.OpenDir, name, temp string, expected, ours []byte, before func()) (exchanged bool, err error) {
	before()
	err = exchange(d, temp, name)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return false, swapByRename(d, name, temp, expected)
	case isMissing(err):
		return false, ErrChanged
	case err != nil:
		return false, layout.Explain(name, err)
	}
	if Unchanged(d, temp, expected) {
		return true, nil
	}
	if err := SwapBack(d, name, temp, ours); err != nil {
		return true, err
	}
	return true, ErrChanged
}

// SwapBack repeats the exchange until the removed version is the one that was
// put in. An editor may save again in the meantime, and the newest save must
// stay.
func SwapBack(d *layout.OpenDir, name, temp string, in []byte) error {
	for {
		next, _, readErr := d.Read(temp, maxFile)
		if err := exchange(d, temp, name); err != nil {
			return layout.Explain(name, err)
		}
		awaitWriters(d, temp) // a process that keeps it open for longer must not keep this loop going
		if holds(d, temp, in) || readErr != nil {
			return nil
		}
		in = next
	}
}

// swapByRename replaces a file on systems without exchange. An editor's save
// between the comparison and the rename is lost.
func swapByRename(d *layout.OpenDir, name, temp string, expected []byte) error {
	if !holds(d, name, expected) {
		return ErrChanged
	}
	return d.Rename(temp, d, name)
}

// writePatience is the time that awaitWriters waits.
const writePatience = 200 * time.Millisecond

// awaitWriters waits until no process has a file open for writing, and reports
// whether that is so. An editor may have opened a file before it was moved away,
// and empty it afterwards.
func awaitWriters(d *layout.OpenDir, name string) bool {
	for began := time.Now(); isOpenForWriting(d, name); time.Sleep(time.Millisecond) {
		if time.Since(began) > writePatience {
			return false
		}
	}
	return true
}

// Unchanged reports whether a file that was moved away has this content, and no
// process can still write to it.
func Unchanged(d *layout.OpenDir, name string, data []byte) bool {
	return awaitWriters(d, name) && holds(d, name, data)
}

// holds reports whether a file has this content.
func holds(d *layout.OpenDir, name string, data []byte) bool {
	got, _, err := d.Read(name, maxFile)
	return err == nil && bytes.Equal(got, data)
}

// callBeforeSwap calls the hook of tests right before a swap.
func callBeforeSwap(d *layout.OpenDir, name string) {
	if beforeSwap != nil {
		beforeSwap(d.Path(name))
	}
}

// isMissing reports whether an error means that a file does not exist.
func isMissing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, store.ErrNotFound)
}
