package filestore

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

// Delete removes an object if its revision is still rev. The status stays. See
// store.Store.
func (tx *series) Delete(key resources.Key, rev string) error {
	t, err := tx.targetOf(key)
	if err != nil {
		return err
	}
	now, err := t.readAt(rev)
	if err != nil {
		return err
	}
	tx.note(key, "")
	return errors.Join(tx.remove(t, now.data), tx.removeDerived(t))
}

// removeDerived removes the derived object of the same name.
func (tx *series) removeDerived(t target) error {
	at, there := tx.derived(t)
	if !there {
		return nil
	}
	data, _, err := at.d.Read(at.name, layout.MaxSpec)
	if err != nil {
		return layout.Explain(at.path(), err)
	}
	return tx.remove(at, data)
}

// remove removes a file if it contains expected.
func (tx *series) remove(t target, expected []byte) error {
	aside := t
	aside.name = tempName(t.name, expected, nil)
	return tx.moveAway(t, expected, aside, step{
		undo:  func() error { return t.bringBack(aside.name) },
		clean: func() { t.d.Remove(aside.name) },
	})
}

// moveAway renames a file to aside and checks its content. If it is not
// expected, an editor was faster, and the file is moved back.
func (tx *series) moveAway(t target, expected []byte, aside target, s step) error {
	if t.beforeSwap != nil {
		t.beforeSwap(t.path())
	}
	if err := t.d.Rename(t.name, aside.d, aside.name); err != nil {
		if isMissing(err) {
			return t.conflict()
		}
		return err
	}
	if !replace.Unchanged(aside.d, aside.name, expected) {
		return errors.Join(t.conflict(), s.undo())
	}
	tx.recordStep(s, aside.folder, t.folder)
	return nil
}

// bringBack renames a file back, unless an editor has saved a newer one under
// the name since.
func (t target) bringBack(temp string) error { return moveNew(t.d, temp, t.d, t.name) }

// moveNew moves a file to a name if it is free. If the name is taken, it
// removes the file, because the existing one is newer.
func moveNew(from *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	err := move(from, name, to, newName)
	if errors.Is(err, fs.ErrExist) {
		return from.Remove(name)
	}
	return err
}

// move moves a file to a name that must be free. It returns fs.ErrExist if it
// is taken.
func move(from *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	switch err := replace.Link(from, name, to, newName); {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission): // no support for hard links
		if _, err := to.Info(newName); !isMissing(err) {
			return fs.ErrExist
		}
		return from.Rename(name, to, newName)
	case err != nil:
		return layout.Explain(newName, err)
	}
	return from.Remove(name)
}

// isMissing reports whether an error means that a file or its directory does
// not exist.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrNotFound)
}

var errSingle = errors.New("the only object of its kind cannot be archived")

// archivable returns an error if an object with this key cannot be archived.
func archivable(key resources.Key) error {
	if err := checkKey(key); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if kind, ok := resources.KindOf(key.Kind); !ok || kind.Single {
		return fmt.Errorf("%s: %w", key, errSingle)
	}
	return nil
}
