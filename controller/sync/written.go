package sync

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// writtenFolder holds the versions that commands wrote since the last sync, in
// a directory for each kind and a file for each object.
const writtenFolder = "written"

// WrittenVersions holds the versions of shared objects that commands wrote in a working
// tree and that no sync has recorded yet. Git may remove the files at any
// moment, although the command has reported success.
type WrittenVersions struct {
	store store.Scratch
	git   store.Repository // reports tracked files
}

// OpenWritten returns the written versions of a working tree. It returns nil if
// its objects are not shared.
func OpenWritten(root layout.Root, git store.Repository, getenv func(string) string) (*WrittenVersions, error) {
	if s, err := Load(root, getenv); s == nil || err != nil || !s.Plans {
		return nil, err
	}
	return &WrittenVersions{root.SyncScratch(), git}, nil
}

// Note records versions, except those of files that git tracks. It removes the
// tombstone of an object that was created again. Otherwise the object would be
// deleted remotely as soon as its file is missing.
func (w *WrittenVersions) Note(ctx context.Context, versions map[resources.Key][]byte) error {
	tracked, err := w.git.Tracked(ctx)
	for key, text := range versions {
		if err == nil && slices.Contains(SharedKinds(), key.Kind) && !slices.Contains(tracked, layout.Path(key)) {
			err = errors.Join(w.store.Write(path.Join(writtenFolder, key.Kind, key.Name+".json"), text), NewTombstones(w.store).Done(key))
		}
	}
	return err
}

// take passes each version to f and removes it.
func (w *WrittenVersions) take(f func(resources.Key, []byte) error) error {
	folders, err := kindDirs(w.store, writtenFolder)
	failed := []error{err}
	for _, kind := range folders {
		files, err := w.store.List(writtenFolder + "/" + kind)
		failed = append(failed, err)
		for _, file := range files {
			text, err := w.store.Read(file)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err == nil {
				err = f(resources.Key{Kind: kind, Name: strings.TrimSuffix(path.Base(file), ".json")}, text)
			}
			if err == nil {
				err = w.store.Remove(file)
			}
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// kindDirs returns the shared kinds that have a subdirectory of folder. Most
// kinds never have one, and each round calls it.
func kindDirs(kept store.Scratch, folder string) (kinds []string, err error) {
	names, err := kept.List(folder)
	for _, name := range names {
		if kind := path.Base(name); slices.Contains(SharedKinds(), kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, err
}
