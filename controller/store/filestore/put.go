package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

// Put writes an object if its revision is still rev and returns the new
// revision. See store.Store.
func (tx *series) Put(key resources.Key, spec []byte, rev string) (string, error) {
	w, err := tx.prepare(key, spec, rev)
	if err != nil {
		return "", err
	}
	if err := w.temporary(); err != nil {
		return "", err
	}
	return resources.Revision(spec), tx.publish(w)
}

// target is the file of an object in its open directory.
type target struct {
	key        resources.Key
	folder     string
	name       string
	d          *layout.OpenDir
	beforeSwap func(path string) // Store.beforeSwap
}

// path returns the path of the file from the repository's root.
func (t target) path() string { return t.folder + "/" + t.name }

// target opens the directory of an object.
func (tx *series) target(key resources.Key) (target, error) {
	if err := checkKey(key); err != nil {
		return target{}, fmt.Errorf("%s: %w", key, err)
	}
	if key.Kind == resources.CheckpointsKind {
		return target{}, fmt.Errorf("%s: logs are appended to, never written", key)
	}
	folder, name := path.Split(layout.Path(key))
	t := target{key: key, folder: path.Clean(folder), name: name, beforeSwap: tx.s.beforeSwap}
	var err error
	t.d, err = tx.folder(t.folder)
	return t, err
}

// derived returns the target of the derived object of the same name. It returns
// false if there is none.
func (tx *series) derived(t target) (target, bool) {
	folder := layout.DerivedFolder(t.key.Kind)
	if folder == "" {
		return t, false
	}
	d, err := tx.s.root.Open(folder)
	if err != nil {
		return t, false // do not create the directory for a lookup
	}
	d.Close()
	at := t
	at.folder = folder
	if at.d, err = tx.folder(folder); err != nil {
		return t, false
	}
	return at, at.exists()
}

// targetOf returns the target of the current object: the written one, or else
// the derived one.
func (tx *series) targetOf(key resources.Key) (target, error) {
	t, err := tx.target(key)
	if err != nil {
		return t, err
	}
	if _, missing := t.d.Info(t.name); isMissing(missing) {
		t, _ = tx.derived(t)
	}
	return t, nil
}

// version is a version of a file that was read.
type version struct {
	data []byte
	info layout.Info
}

// exists reports whether the file exists.
func (t target) exists() bool {
	_, err := t.d.Info(t.name)
	return err == nil
}

// read reads the file that will be overwritten, if its revision is still rev.
// Unlike readAt it returns a conflict if the file was removed.
func (t target) read(rev string) (version, error) {
	now, err := t.readAt(rev)
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("%s: %w: it was removed", t.path(), store.ErrConflict)
	}
	return now, err
}

// readAt reads the file if its revision is still rev.
func (t target) readAt(rev string) (version, error) {
	data, info, err := t.d.Read(t.name, layout.MaxSpec)
	switch {
	case err != nil:
		return version{}, objectError(t.key, err)
	case resources.Revision(data) != rev:
		return version{}, t.conflict()
	}
	return version{data, info}, nil
}

// conflict returns the error for a file that another writer changed.
func (t target) conflict() error { return fmt.Errorf("%s: %w", t.path(), store.ErrConflict) }

// create gives a new file its name, which must be free.
func (tx *series) create(w *write) error {
	err := replace.Link(w.d, w.temp, w.d, w.name)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = w.claim(w.temp) // the file system does not support hard links
	}
	if removed := w.d.Remove(w.temp); err == nil {
		err = removed
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", w.path(), store.ErrExists)
	}
	if err != nil {
		return layout.Explain(w.path(), err)
	}
	tx.recordStep(step{undo: func() error { return tx.remove(w.target, w.spec) }}, w.folder)
	return nil
}

// claim replaces link on file systems without hard links. It reserves the name
// by creating the file, then renames over it.
func (t target) claim(temp string) error {
	f, err := t.d.Create(t.name, 0o666)
	if err != nil {
		return err
	}
	f.Close()
	return t.d.Rename(temp, t.d, t.name)
}

// replace replaces the version that was read by the new one.
func (tx *series) replace(w *write) error {
	err := w.checkUnchanged(*w.old)
	exchanged := false
	if err == nil {
		exchanged, err = w.swap(w.temp, w.old.data, w.spec)
	}
	if err != nil {
		w.d.Remove(w.temp)
		return err
	}
	tx.recordStep(step{
		undo:  func() error { return w.putBack(w.temp, *w.old, w.spec, exchanged) },
		clean: func() { w.d.Remove(w.temp) },
	}, w.folder)
	return nil
}

// checkUnchanged returns a conflict if the file differs from old. It compares the file
// system's information and, if that differs, the content.
func (t target) checkUnchanged(old version) error {
	if now, err := t.d.Info(t.name); err == nil && now.Equal(old.info) {
		return nil
	}
	if data, _, err := t.d.Read(t.name, layout.MaxSpec); err != nil || !bytes.Equal(data, old.data) {
		return t.conflict()
	}
	return nil
}

// putBack reverts replace, unless an editor has saved since.
func (t target) putBack(temp string, old version, spec []byte, exchanged bool) error {
	if !exchanged {
		if err := writeDurably(t.d, temp, old.data, old.info.Mode.Perm()); err != nil {
			return err
		}
	}
	_, err := t.swap(temp, spec, old.data)
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// writeDurably writes a new file and flushes it to disk. keep is the mode of
// the file to replace; 0 for a new file, which gets the default mode. The file
// gets its name only after it is complete. A file of that name, as found by
// recoverSave, is therefore complete or an editor's version.
func writeDurably(d *layout.OpenDir, name string, data []byte, keep fs.FileMode) error {
	torn, err := writeUnflushed(d, data, keep, (*os.File).Sync)
	if err == nil {
		err = d.Rename(torn, d, name)
	}
	if err != nil {
		d.Remove(torn)
	}
	return err
}

// writeUnflushed writes a file that may be incomplete after a crash until it is
// flushed. It returns its name. sync flushes it or leaves that to the caller.
func writeUnflushed(d *layout.OpenDir, data []byte, keep fs.FileMode, sync func(*os.File) error) (name string, err error) {
	name = unflushedName()
	f, err := d.Create(name, 0o666)
	if err != nil {
		return name, err
	}
	if keep != 0 {
		err = f.Chmod(keep)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = sync(f)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return name, layout.Explain(f.Name(), err)
	}
	return name, nil
}

// swap replaces the target by the file temp, which contains ours, if the target
// contains expected: see replace.Swap. Otherwise it returns store.ErrConflict.
func (t target) swap(temp string, expected, ours []byte) (exchanged bool, err error) {
	exchanged, err = replace.Swap(t.d, t.name, temp, expected, ours, func() {
		if t.beforeSwap != nil {
			t.beforeSwap(t.path())
		}
	})
	if errors.Is(err, replace.ErrChanged) {
		err = t.conflict()
	}
	return exchanged, err
}
