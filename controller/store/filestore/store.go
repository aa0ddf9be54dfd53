package filestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Store stores the objects of one repository below .idumb.
type Store struct {
	root       layout.Root
	writeToken chan struct{} // holds a token while a goroutine of this process writes
	temps      tempFiles
	sources    sources
	moves      moves
	options    WatchOptions

	beforeSwap func(path string) // for tests: simulates an editor that saves at the worst moment
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Syncer = (*Store)(nil)
)

// Open returns the store of the repository at root, the directory that contains
// .idumb (see layout.Find). It returns store.ErrGone if .idumb does not exist.
func Open(root string) (*Store, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	d, err := layout.Root(abs).Open(layout.Dir)
	if err != nil {
		return nil, err
	}
	d.Close()
	return &Store{root: layout.Root(abs), writeToken: make(chan struct{}, 1)}, nil
}

// Root returns the repository of the store.
func (s *Store) Root() layout.Root { return s.root }

// List reads every object of a kind, sorted by name, because callers keep them
// sorted. See store.Store. If the directory is a link or a file, it yields one
// record of that kind without a name. If the names cannot be read for another
// reason, it yields the zero Key.
func (s *Store) List(ctx context.Context, kind string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		keys, err := s.keys(kind)
		if err != nil {
			yield(store.Record{Key: folderKey(kind, err)}, err)
			return
		}
		slices.SortFunc(keys, resources.Key.Compare)
		folders := s.openKindDirs(kind, true)
		defer folders.close()
		for _, key := range keys {
			record, err := folders.get(key)
			if errors.Is(err, store.ErrNotFound) {
				continue // deleted since the directory was read
			}
			if !yield(record, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// folderKey returns the key for an error about a whole directory: the kind if
// the directory is not one, or the zero Key if it could not be read.
func folderKey(kind string, err error) resources.Key {
	if errors.Is(err, store.ErrUnreadable) {
		return resources.Key{Kind: kind}
	}
	return resources.Key{}
}

// keys returns the keys of a kind with files, in the order of the file names,
// including invalid names.
func (s *Store) keys(kind string) ([]resources.Key, error) {
	switch k, known := resources.KindOf(kind); {
	case known && k.Single:
		return []resources.Key{{Kind: kind, Name: kind}}, nil
	case !known && kind != resources.CheckpointsKind:
		return nil, fmt.Errorf("the store doesn't have a resource type %q", kind)
	}
	names, err := s.root.SpecNames(kind)
	s.temps.note(layout.Folder(kind), names)
	keys := make([]resources.Key, 0, len(names))
	for _, file := range names {
		if name, ok := layout.ClaimedName(kind, file); ok {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	return keys, err
}

// checkKey returns an error if a key is invalid.
func checkKey(key resources.Key) error {
	if key.Kind == resources.CheckpointsKind {
		return resources.CheckName(key.Name)
	}
	kind, ok := resources.KindOf(key.Kind)
	if !ok {
		return fmt.Errorf("the store doesn't have a resource type %q", key.Kind)
	}
	if kind.Single && key.Name != key.Kind {
		return fmt.Errorf("there is only one %s, and it is called %q", kind.Singular, key.Kind)
	}
	return resources.CheckName(key.Name)
}

// misnamed returns the error for reading an invalid key: ErrUnreadable if a
// file of that name exists, otherwise ErrNotFound.
func (s *Store) misnamed(key resources.Key, reason error) error {
	kind, known := resources.KindOf(key.Kind)
	file := key.Name + ".json"
	if !known || kind.Single || path.Base(file) != file || strings.HasPrefix(file, ".") {
		return fmt.Errorf("%s: %w: %w", key, store.ErrNotFound, reason)
	}
	folder := layout.Folder(key.Kind)
	if _, _, err := s.root.Read(folder+"/"+file, layout.MaxSpec); errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
		return err
	}
	return layout.Misnamed(key, reason)
}

// objectError adds the object to the problem in an error.
func objectError(key resources.Key, err error) error {
	var p resources.Problem
	if !errors.As(err, &p) || errors.Is(err, store.ErrFolder) {
		return err
	}
	p.Key, p.Object = key, key.String()
	return fmt.Errorf("%w: %w", store.ErrUnreadable, p)
}
