package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Put writes an object if its revision is still rev, and returns the new one.
// See store.Store.
func (tx *Tx) Put(key resources.Key, spec []byte, rev string) (string, error) {
	t, err := tx.target(key)
	if err != nil {
		return "", err
	}
	if len(spec) > layout.MaxSpec {
		return "", fmt.Errorf("%s: %d bytes are too many for an object; at most %d are allowed", t.path(), len(spec), layout.MaxSpec)
	}
	if rev == "" {
		return resources.Revision(spec), tx.create(t, spec)
	}
	old, err := t.read(rev)
	if err != nil {
		return "", err
	}
	if bytes.Equal(old.data, spec) {
		return rev, nil
	}
	return resources.Revision(spec), tx.replace(t, old, spec)
}

// target is a file that is about to be written.
type target struct {
	key    resources.Key
	folder string
	name   string
	d      *layout.OpenDir
	before func(path string) // Store.beforeSwap
}

func (t target) path() string { return t.folder + "/" + t.name }

// target opens the folder of an object.
func (tx *Tx) target(key resources.Key) (target, error) {
	if err := checkKey(key); err != nil {
		return target{}, fmt.Errorf("%s: %w", key, err)
	}
	if key.Kind == resources.CheckpointsKind {
		return target{}, fmt.Errorf("%s: logs are appended to, never written", key)
	}
	folder, name := path.Split(layout.Path(key))
	t := target{key: key, folder: path.Clean(folder), name: name, before: tx.s.beforeSwap}
	var err error
	t.d, err = tx.folder(t.folder)
	return t, err
}

// version is a version of a file that was read.
type version struct {
	data []byte
	info layout.Info
}

// read reads the file if its revision is still rev.
func (t target) read(rev string) (version, error) {
	data, info, err := t.d.Read(t.name, layout.MaxSpec)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return version{}, fmt.Errorf("%s: %w: it was removed", t.path(), store.ErrConflict)
	case err != nil:
		return version{}, about(t.key, err)
	case resources.Revision(data) != rev:
		return version{}, t.conflict()
	}
	return version{data, info}, nil
}

func (t target) conflict() error { return fmt.Errorf("%s: %w", t.path(), store.ErrConflict) }

// create writes a file that must not exist.
func (tx *Tx) create(t target, spec []byte) error {
	if _, err := t.d.Info(t.name); err == nil {
		return fmt.Errorf("%s: %w", t.path(), store.ErrExists)
	}
	temp := tempName(t.name, nil, spec)
	if err := writeDurably(t.d, temp, spec, 0); err != nil {
		return err
	}
	return tx.publish(t, temp, spec)
}

// publish gives a new file, whose content is on disk under the name temp, its name.
func (tx *Tx) publish(t target, temp string, spec []byte) error {
	err := link(t.d, temp, t.d, t.name)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = t.claim(temp) // a file system without hard links
	}
	if removed := t.d.Remove(temp); err == nil {
		err = removed
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", t.path(), store.ErrExists)
	}
	if err != nil {
		return layout.Explain(t.path(), err)
	}
	tx.did(step{undo: func() error { return tx.remove(t, spec) }}, t.folder)
	return nil
}

// claim is link for file systems without it: it takes the name by creating it,
// then renames over it.
func (t target) claim(temp string) error {
	f, err := t.d.Create(t.name, 0o666)
	if err != nil {
		return err
	}
	f.Close()
	return t.d.Rename(temp, t.d, t.name)
}

// replace writes a new version over the one that was read.
func (tx *Tx) replace(t target, old version, spec []byte) error {
	temp := tempName(t.name, old.data, spec)
	if err := writeDurably(t.d, temp, spec, old.info.Mode.Perm()); err != nil {
		return err
	}
	if err := t.stillIs(old); err != nil {
		t.d.Remove(temp)
		return err
	}
	exchanged, err := t.swap(temp, old.data, spec)
	if err != nil {
		t.d.Remove(temp)
		return err
	}
	tx.did(step{
		undo:  func() error { return t.putBack(temp, old, spec, exchanged) },
		clean: func() { t.d.Remove(temp) },
	}, t.folder)
	return nil
}

// stillIs compares the file with what was read: by what the file system says and, if that
// differs, by its bytes.
func (t target) stillIs(old version) error {
	if now, err := t.d.Info(t.name); err == nil && now.Same(old.info) {
		return nil
	}
	data, _, err := t.d.Read(t.name, layout.MaxSpec)
	if err != nil || !bytes.Equal(data, old.data) {
		return t.conflict()
	}
	return nil
}

// putBack undoes replace, unless an editor has saved over it since.
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

// writeDurably writes a new file and returns when its content is on disk. keep is
// the mode of the file that it will replace; 0 for a new one, which gets what
// the umask leaves. The file has its name only when it is whole: what recoverSave finds
// under that name was written to the end, or is an editor's.
func writeDurably(d *layout.OpenDir, name string, data []byte, keep fs.FileMode) error {
	torn := tornName()
	err := writeTorn(d, torn, data, keep)
	if err == nil {
		err = d.Rename(torn, d, name)
	}
	if err != nil {
		d.Remove(torn)
	}
	return err
}

// writeTorn writes a file that may end anywhere for whoever finds it before it returns.
func writeTorn(d *layout.OpenDir, name string, data []byte, keep fs.FileMode) error {
	f, err := d.Create(name, 0o666)
	if err != nil {
		return err
	}
	if keep != 0 {
		err = f.Chmod(keep)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return layout.Explain(f.Name(), err)
	}
	return nil
}
