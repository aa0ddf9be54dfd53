// Package replace writes files so that an editor that takes no lock never loses a save: a file is
// replaced only if it still holds what the writer read.
package replace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// ErrChanged means that the file no longer holds what the caller read. It was left as it is.
var ErrChanged = errors.New("it was changed meanwhile; run the command again")

// maxFile is the largest file that is compared, in bytes.
const maxFile = layout.MaxLog

// beforeSwap is called right before a file is replaced or removed. Tests save then.
var beforeSwap func(path string)

// File makes the file at path hold data if it holds old; a nil old means that there is none. The
// directory must exist; perm is the mode of a new file. When it returns, the bytes are on disk.
func File(path string, old, data []byte, perm fs.FileMode) error {
	return at(path, func(d *layout.OpenDir, name string) error { return in(d, name, old, data, perm, true) })
}

// Remove removes the file at path if it holds old.
func Remove(path string, old []byte) error {
	return at(path, func(d *layout.OpenDir, name string) error { return removeIn(d, name, old) })
}

// Below is File for a file below .idumb, whose folders are made as needed. It follows no links.
func Below(root layout.Root, file string, old, data []byte, perm fs.FileMode) error {
	return below(root, file, old, data, perm, true)
}

// Derived is Below for a file that can be computed again: it does not wait for the disk.
func Derived(root layout.Root, file string, old, data []byte) error {
	return below(root, file, old, data, 0o600, false)
}

func below(root layout.Root, file string, old, data []byte, perm fs.FileMode, durable bool) error {
	d, err := root.Make(path.Dir(file))
	if err != nil {
		return err
	}
	defer d.Close()
	return in(d, path.Base(file), old, data, perm, durable)
}

// RemoveBelow is Remove for a file below .idumb. It follows no links.
func RemoveBelow(root layout.Root, file string, old []byte) error {
	d, err := root.Open(path.Dir(file))
	if err != nil {
		return err
	}
	defer d.Close()
	return removeIn(d, path.Base(file), old)
}

func at(path string, do func(d *layout.OpenDir, name string) error) error {
	d, err := layout.OpenFolder(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d, filepath.Base(path))
}

// in is File for a file of an open folder.
func in(d *layout.OpenDir, name string, old, data []byte, perm fs.FileMode, durable bool) error {
	temp := layout.TempName()
	defer d.Remove(temp)
	err := write(d, name, temp, data, perm, durable)
	if err == nil {
		err = place(d, name, temp, old, data)
	}
	if err == nil && durable {
		err = d.Sync()
	}
	return err
}

// write writes the new version of the file name, with the mode of the old one.
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

// place gives the file temp, which holds data, the name of one that holds old.
func place(d *layout.OpenDir, name, temp string, old, data []byte) error {
	if old != nil {
		_, err := Swap(d, name, temp, old, data, func() { tell(d, name) })
		return err
	}
	tell(d, name)
	err := Link(d, temp, d, name)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission): // no hard links here
		if _, err := d.Info(name); !isMissing(err) {
			return ErrChanged
		}
		return d.Rename(temp, d, name)
	case errors.Is(err, fs.ErrExist):
		return ErrChanged
	}
	return err
}

// removeIn takes a file away and looks at what came away: what is not old is brought back. A file that
// already differs is never moved: a process that is killed in between would leave it under another name.
func removeIn(d *layout.OpenDir, name string, old []byte) error {
	if _, err := d.Info(name); err == nil && !holds(d, name, old) {
		return ErrChanged
	}
	tell(d, name)
	aside := layout.TempName()
	if err := d.Rename(name, d, aside); err != nil {
		if isMissing(err) {
			return nil
		}
		return err
	}
	if holds(d, aside, old) {
		return errors.Join(d.Remove(aside), d.Sync())
	}
	if err := Link(d, aside, d, name); err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(ErrChanged, d.Rename(aside, d, name))
	}
	return errors.Join(ErrChanged, d.Remove(aside))
}

// Swap puts the file temp, which holds ours, in the place of the file name, if that holds
// expected. If exchanged is true, temp is left with what was there before. If something else came
// out (an editor was faster), that is put back: ErrChanged. before is called right before the swap.
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
	if holds(d, temp, expected) {
		return true, nil
	}
	if err := SwapBack(d, name, temp, ours); err != nil {
		return true, err
	}
	return true, ErrChanged
}

// SwapBack exchanges the two again until what comes out is what was put in: while
// it works, an editor may save once more, and the newest save is to stay.
func SwapBack(d *layout.OpenDir, name, temp string, in []byte) error {
	for {
		next, _, readErr := d.Read(temp, maxFile)
		if err := exchange(d, temp, name); err != nil {
			return layout.Explain(name, err)
		}
		if holds(d, temp, in) || readErr != nil {
			return nil
		}
		in = next
	}
}

// swapByRename is for systems that cannot exchange: between the comparison and
// the rename there is a moment in which an editor's save is lost.
func swapByRename(d *layout.OpenDir, name, temp string, expected []byte) error {
	if !holds(d, name, expected) {
		return ErrChanged
	}
	return d.Rename(temp, d, name)
}

func holds(d *layout.OpenDir, name string, data []byte) bool {
	got, _, err := d.Read(name, maxFile)
	return err == nil && bytes.Equal(got, data)
}

func tell(d *layout.OpenDir, name string) {
	if beforeSwap != nil {
		beforeSwap(d.Path(name))
	}
}

func isMissing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, store.ErrNotFound)
}
