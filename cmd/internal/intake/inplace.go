package intake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Migrate is Import for a source that stands in the repository. Each file that it converted is kept as <name>.bak: moved there
// where nobody uses it any more, copied where its own tool may go on. Where a new object takes the
// place of an old file, the copy is on disk first. Killed at any moment it loses nothing, and the next run goes on.
func Migrate(ctx context.Context, repo mutate.Repo, s Source, told Progress) (Done, error) {
	t := &taking{repo: repo, source: s, told: told, hidden: map[resources.Key]bool{}}
	for _, f := range s.Files {
		if key, ok := layout.KeyOf(path.Join(s.Format.Here, f.Path)); ok {
			t.hidden[key] = true
		}
	}
	t.before = t.backUpReplaced
	if err := repo.Run(ctx, t.run); err != nil {
		return t.done, err
	}
	return t.done, errors.Join(t.logs(), t.setAside())
}

// replaced reports whether a new object takes the place of a file of the source.
func (t *taking) replaced(f migrate.File) bool {
	key, ok := layout.KeyOf(path.Join(t.source.Format.Here, f.Path))
	return ok && slices.ContainsFunc(t.out.Objects, func(o resources.Object) bool { return o.Key() == key })
}

// backUpReplaced copies the files in whose place objects will be written.
func (t *taking) backUpReplaced() error {
	for _, f := range t.source.Files {
		if !t.replaced(f) {
			continue
		}
		if err := t.inFolder(f, t.copy); err != nil {
			return err
		}
	}
	return nil
}

// setAside moves or copies all other files to their backups.
func (t *taking) setAside() error {
	var failed []error
	for _, f := range t.source.Files {
		switch {
		case t.source.Format.Moves && t.replaced(f):
		case t.source.Format.Moves:
			failed = append(failed, t.inFolder(f, t.move))
		default:
			failed = append(failed, t.copyOutside(f))
		}
	}
	return errors.Join(failed...)
}

// inFolder does something in the folder, below .idumb, that a file stands in.
func (t *taking) inFolder(f migrate.File, do func(d *layout.OpenDir, f migrate.File, at string) error) error {
	at := path.Join(t.source.Format.Here, f.Path)
	d, err := t.repo.Store.Root().Open(path.Dir(at))
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d, f, at)
}

func (t *taking) copy(d *layout.OpenDir, f migrate.File, at string) error {
	bak, there, err := backup(d, path.Base(at), f.Data)
	if err != nil {
		return err
	}
	t.noteBackup(path.Join(path.Dir(at), bak))
	if there || t.repo.DryRun {
		return nil
	}
	return write(d, bak, f.Data)
}

// move renames a file to its backup, if it still holds what was converted.
func (t *taking) move(d *layout.OpenDir, f migrate.File, at string) error {
	name := path.Base(at)
	bak, there, err := backup(d, name, f.Data)
	if err != nil {
		return err
	}
	t.noteBackup(path.Join(path.Dir(at), bak))
	if t.repo.DryRun {
		return nil
	}
	if now, _, err := d.Read(name, maxFile); err != nil || string(now) != string(f.Data) {
		return fmt.Errorf("%s changed while it was converted; run idumb migrate again", at)
	}
	if there {
		err = d.Remove(name)
	} else {
		err = d.Rename(name, d, bak)
	}
	return errors.Join(err, d.Sync())
}

// copyOutside copies a file that does not stand below .idumb, unless it has a backup.
func (t *taking) copyOutside(f migrate.File) error {
	root, err := os.OpenRoot(t.source.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	bak := filepath.FromSlash(f.Path) + ".bak"
	if _, err := root.Lstat(bak); err == nil {
		return nil
	}
	t.noteBackup(path.Join(t.source.Format.Here, f.Path+".bak"))
	if t.repo.DryRun {
		return nil
	}
	file, err := root.OpenFile(bak, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	return errors.Join(err, file.Sync(), file.Close())
}

func (t *taking) noteBackup(file string) { t.done.Backups = append(t.done.Backups, file) }
