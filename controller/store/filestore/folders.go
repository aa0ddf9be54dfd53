package filestore

import (
	"context"
	"errors"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// kindDirs holds the open directories of one kind's specs and statuses.
// Resolving the full path of each file would double the time to read it.
type kindDirs struct {
	s        *Store
	specs    *layout.OpenDir // nil if it could not be opened
	err      error           // reason
	derived  *layout.OpenDir // directory of derived specs; nil if none
	statuses *layout.OpenDir // nil if none or not requested
}

// openKindDirs opens the directories of a kind. statuses means that the
// statuses are read too. An unreadable directory of specs is reported by read.
func (s *Store) openKindDirs(kind string, statuses bool) *kindDirs {
	f := &kindDirs{s: s}
	f.specs, f.err = s.root.Open(layout.Folder(kind))
	if folder := layout.DerivedFolder(kind); folder != "" {
		f.derived, _ = s.root.Open(folder) // unreadable ones are derived again
	}
	if statuses && kind != resources.CheckpointsKind {
		f.statuses, _ = s.root.Open(path.Dir(layout.StatusPath(resources.Key{Kind: kind}))) // an unreadable one is written again
	}
	return f
}

func (f *kindDirs) close() {
	for _, d := range []*layout.OpenDir{f.specs, f.derived, f.statuses} {
		if d != nil {
			d.Close()
		}
	}
}

// get reads an object or a log, with its status if requested.
func (f *kindDirs) get(key resources.Key) (store.Record, error) {
	if err := checkKey(key); err != nil {
		return store.Record{Key: key}, f.s.misnamed(key, err)
	}
	data, info, err := f.read(path.Base(layout.Path(key)), key.Kind)
	if err != nil {
		return store.Record{Key: key}, objectError(key, err)
	}
	record := store.Record{Key: key, Spec: data, ModTime: info.ModTime}
	if key.Kind == resources.CheckpointsKind {
		record.Rev = logRevision(0, data, info)
		return record, nil
	}
	record.Rev = resources.Revision(data)
	if f.statuses != nil {
		record.Status, err = observed(f.statuses.Read(path.Base(layout.StatusPath(key)), layout.MaxSpec))
	}
	return record, err
}

// read reads the file of an object or of a log, or else the derived object of
// the same name.
func (f *kindDirs) read(file, kind string) (data []byte, info layout.Info, err error) {
	switch {
	case f.err != nil:
		err = f.err
	case kind == resources.CheckpointsKind:
		return f.specs.ReadLog(file)
	default:
		data, info, err = f.specs.Read(file, layout.MaxSpec)
	}
	if f.derived != nil && errors.Is(err, store.ErrNotFound) {
		return f.derived.Read(file, layout.MaxSpec)
	}
	return data, info, err
}

// observed returns a status that was read, or nil. An unreadable status counts
// as missing, because it will be written again.
func observed(data []byte, _ layout.Info, err error) ([]byte, error) {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnreadable) {
		return nil, nil
	}
	return data, err
}

// Get reads one object by name. See store.Store.
func (s *Store) Get(ctx context.Context, key resources.Key) (store.Record, error) {
	if err := ctx.Err(); err != nil {
		return store.Record{}, err
	}
	f := s.openKindDirs(key.Kind, false)
	defer f.close()
	return f.get(key)
}
