package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Archive archives an object if its revision is still rev. See store.Archiver.
func (tx *series) Archive(key resources.Key, rev string) error {
	if err := archivable(key); err != nil {
		return err
	}
	t, err := tx.targetOf(key)
	if err != nil {
		return err
	}
	now, err := t.readAt(rev)
	if err != nil {
		return err
	}
	aside, err := tx.archiveTarget(key)
	if err != nil {
		return err
	}
	older, err := aside.makeRoom()
	if err != nil {
		return err
	}
	undo := func() error {
		err := moveNew(aside.d, aside.name, t.d, t.name)
		if err == nil && older != "" {
			err = moveNew(aside.d, older, aside.d, aside.name)
		}
		return err
	}
	tx.note(key, "")
	return errors.Join(tx.moveAway(t, now.data, aside, step{undo: undo}), tx.removeDerived(t))
}

// archiveTarget returns the file of an object in the archive. It opens the
// directory.
func (tx *series) archiveTarget(key resources.Key) (target, error) {
	folder, name := path.Split(layout.ArchivePath(key))
	t := target{key: key, folder: path.Clean(folder), name: name}
	var err error
	t.d, err = tx.folder(t.folder)
	return t, err
}

// makeRoom renames an older archived object of the same name to the first free
// <name>.<n> and returns that file's name.
func (t target) makeRoom() (string, error) {
	if _, err := t.d.Info(t.name); isMissing(err) {
		return "", nil
	}
	for n := 1; ; n++ {
		free := fmt.Sprintf("%s.%d.json", t.key.Name, n)
		switch _, err := t.d.Info(free); {
		case isMissing(err):
			return free, t.d.Rename(t.name, t.d, free)
		case err != nil:
			return "", layout.Explain(t.folder+"/"+free, err)
		}
	}
}

// Restore restores an archived object. See store.Archiver.
func (tx *series) Restore(key resources.Key) error {
	if err := archivable(key); err != nil {
		return err
	}
	aside, err := tx.archiveTarget(key)
	if err != nil {
		return err
	}
	data, _, err := aside.d.Read(aside.name, layout.MaxSpec)
	if err != nil {
		return objectError(key, err)
	}
	tx.note(key, resources.Revision(data))
	t, err := tx.target(key)
	if err != nil {
		return err
	}
	if err := moveFree(aside, t); err != nil {
		return err
	}
	tx.recordStep(step{undo: func() error { return moveFree(t, aside) }}, t.folder, aside.folder)
	return nil
}

// moveFree moves a file to a name that must be free.
func moveFree(from, to target) error {
	err := move(from.d, from.name, to.d, to.name)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", to.path(), store.ErrExists)
	}
	return err
}
