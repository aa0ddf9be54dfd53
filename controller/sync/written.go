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

// writtenFolder holds what commands wrote since the last exchange: a folder for each kind, a file for
// each object.
const writtenFolder = "written"

// Written are the versions of shared objects that commands wrote in a working tree, and that no
// exchange has noted yet: git may take their files away in the next moment, and who wrote them was
// told that they stand.
type Written struct {
	kept store.Scratch
	git  store.Repository // knows what is git's
}

// OpenWritten returns those of a working tree; nil while its objects are not shared.
func OpenWritten(root layout.Root, git store.Repository, getenv func(string) string) (*Written, error) {
	s, err := Load(root, getenv)
	if s == nil || err != nil || !s.Plans {
		return nil, err
	}
	return &Written{root.SyncScratch(), git}, nil
}

// Note keeps versions. What git tracks is git's. An object that was asked to go is one again: its tombstone
// would take it from the team as soon as its file went missing.
func (w *Written) Note(ctx context.Context, versions map[resources.Key][]byte) error {
	tracked, err := w.git.Tracked(ctx)
	for key, text := range versions {
		if err == nil && slices.Contains(Synced(), key.Kind) && !slices.Contains(tracked, layout.Path(key)) {
			err = errors.Join(w.kept.Write(path.Join(writtenFolder, key.Kind, key.Name+".json"), text), NewTombstones(w.kept).Done(key))
		}
	}
	return err
}

// take hands each version to f, and forgets it.
func (w *Written) take(f func(resources.Key, []byte) error) error {
	folders, err := foldersOf(w.kept, writtenFolder)
	failed := []error{err}
	for _, kind := range folders {
		files, err := w.kept.List(writtenFolder + "/" + kind)
		failed = append(failed, err)
		for _, file := range files {
			text, err := w.kept.Read(file)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err == nil {
				err = f(resources.Key{Kind: kind, Name: strings.TrimSuffix(path.Base(file), ".json")}, text)
			}
			if err == nil {
				err = w.kept.Remove(file)
			}
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// foldersOf are the kinds that have a folder in another one: most never have, and each round looks.
func foldersOf(kept store.Scratch, folder string) (kinds []string, err error) {
	names, err := kept.List(folder)
	for _, name := range names {
		if kind := path.Base(name); slices.Contains(Synced(), kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, err
}
