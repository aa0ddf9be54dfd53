package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Migrate is Import for a source inside the repository. It keeps each converted file as <name>.bak:
// renamed if no tool uses the file anymore, copied if its tool may continue. The copy is on disk
// before an object replaces an old file. A killed run loses nothing, and the next run continues.
// Migration confirms new mems, so that they are not stale before a user can review them. With
// strict they keep the age that their tool recorded.
func Migrate(ctx context.Context, repo mutate.Repo, s Source, strict bool, told Progress) (Done, error) {
	repo.Progress = told
	t := &conversion{repo: repo, source: s, progress: told, confirms: !strict, hiddenKeys: map[resources.Key]bool{}}
	for _, f := range s.Files {
		if key, ok := layout.KeyOf(path.Join(s.Format.Folder, f.Path)); ok {
			t.hiddenKeys[key] = true
		}
	}
	t.beforeWrite = t.backUpReplaced
	if err := repo.Run(ctx, t.run); err != nil {
		return t.done, err
	}
	return t.done, errors.Join(t.logs(), t.backUpOthers())
}

// replaced reports whether an object replaces a file of the source.
func (t *conversion) replaced(f migrate.File) bool {
	key, ok := layout.KeyOf(path.Join(t.source.Format.Folder, f.Path))
	return ok && slices.ContainsFunc(t.outcome.Objects, func(o resources.Object) bool { return o.Key() == key })
}

// backUpReplaced copies the files that objects will replace.
func (t *conversion) backUpReplaced() error {
	return t.eachFile(func(root *os.Root, f migrate.File) error {
		if t.replaced(f) {
			return t.backUp(root, f, copyTo)
		}
		return nil
	})
}

// backUpOthers moves or copies all other files to their backups. A file that its tool still uses is
// copied once.
func (t *conversion) backUpOthers() error {
	return t.eachFile(func(root *os.Root, f migrate.File) error {
		switch _, err := root.Lstat(f.Path + ".bak"); {
		case !t.source.Format.Moves && err == nil, t.source.Format.Moves && t.replaced(f):
			return nil
		case t.source.Format.Moves:
			return t.backUp(root, f, moveTo)
		}
		return t.backUp(root, f, copyTo)
	})
}

// eachFile calls do for each file, with the source's directory as root.
func (t *conversion) eachFile(do func(root *os.Root, f migrate.File) error) error {
	root, err := os.OpenRoot(t.source.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var failed []error
	for _, f := range t.source.Files {
		failed = append(failed, do(root, f))
	}
	return errors.Join(failed...)
}

// backUp keeps a file's content next to it: as <name>.bak, or as the first <name>.bak.<n> that is
// free or has the same content.
func (t *conversion) backUp(root *os.Root, f migrate.File, keep func(root *os.Root, f migrate.File, bak string, there bool) error) error {
	for n := range 1000 {
		bak := f.Path + ".bak"
		if n > 0 {
			bak = fmt.Sprintf("%s.bak.%d", f.Path, n)
		}
		old, err := readFile(root, bak)
		there := err == nil && bytes.Equal(old, f.Data)
		if !there && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		t.done.Backups = append(t.done.Backups, path.Join(t.source.Format.Folder, bak))
		if t.repo.DryRun {
			return nil
		}
		if err = keep(root, f, bak, there); err == nil {
			err = syncFolder(root, path.Dir(f.Path))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(t.source.Format.Folder, f.Path), err)
		}
		return nil
	}
	return fmt.Errorf("%s has a thousand backups; move some of them away", f.Path)
}

// copyTo writes the converted content to the backup.
func copyTo(root *os.Root, f migrate.File, bak string, there bool) error {
	if there {
		return nil
	}
	file, err := root.OpenFile(bak, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		root.Remove(bak) // an incomplete file is not a backup
	}
	return err
}

// moveTo renames a file to its backup. It fails if the content changed since the conversion.
func moveTo(root *os.Root, f migrate.File, bak string, there bool) error {
	if now, err := readFile(root, f.Path); err != nil || !bytes.Equal(now, f.Data) {
		return errors.New("it changed while it was converted; run idumb migrate again")
	}
	if there {
		return root.Remove(f.Path)
	}
	return root.Rename(f.Path, bak)
}

// syncFolder flushes the changes in a directory to disk.
func syncFolder(root *os.Root, folder string) error {
	d, err := root.Open(folder)
	if err != nil {
		return err
	}
	err = d.Sync()
	d.Close()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		return nil // this system cannot flush directories
	}
	return err
}
