package filestore

import (
	"context"
	"errors"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// folders are the folders of one kind's specs and statuses, held open while files in them
// are read: to walk to each file by its whole path takes as long again as reading it.
type folders struct {
	s        *Store
	specs    *layout.OpenDir // nil: could not be opened
	err      error           // why not
	derived  *layout.OpenDir // of specs that nobody wrote; nil: there are none
	statuses *layout.OpenDir // nil: there are none, or nobody asks
}

func (s *Store) openFolders(kind string, statuses bool) *folders {
	f := &folders{s: s}
	f.specs, f.err = s.root.Open(layout.Folder(kind))
	if folder := layout.DerivedFolder(kind); folder != "" {
		f.derived, _ = s.root.Open(folder) // what cannot be read is derived again
	}
	if statuses && kind != resources.CheckpointsKind {
		f.statuses, _ = s.root.Open(path.Dir(layout.StatusPath(resources.Key{Kind: kind}))) // what cannot be read will be written again
	}
	return f
}

func (f *folders) close() {
	for _, d := range []*layout.OpenDir{f.specs, f.derived, f.statuses} {
		if d != nil {
			d.Close()
		}
	}
}

// get reads an object, or a log, with its status if that was asked for.
func (f *folders) get(key resources.Key) (store.Record, error) {
	if err := checkKey(key); err != nil {
		return store.Record{Key: key}, f.s.misnamed(key, err)
	}
	data, info, err := f.read(path.Base(layout.Path(key)), key.Kind)
	if err != nil {
		return store.Record{Key: key}, about(key, err)
	}
	record := store.Record{Key: key, Spec: data, Rev: resources.Revision(data), ModTime: info.ModTime}
	if f.statuses != nil {
		record.Status, err = observed(f.statuses.Read(path.Base(layout.StatusPath(key)), layout.MaxSpec))
	}
	return record, err
}

func (f *folders) read(file, kind string) (data []byte, info layout.Info, err error) {
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

// observed is what was read of a status; nil if there is nothing. A status that cannot be
// read counts as none: it will be written again.
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
	f := s.openFolders(key.Kind, false)
	defer f.close()
	return f.get(key)
}
