package filestore

import (
	"errors"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// openFolders are the folders of one kind's specs and statuses, held open while
// all of them are read: to walk to each file by its whole path takes as long again
// as reading it.
type openFolders struct {
	s               *Store
	specs, statuses *layout.OpenDir // nil: could not be opened
}

func (s *Store) openFolders(kind string) *openFolders {
	f := &openFolders{s: s}
	if d, err := s.root.Open(layout.Folder(kind)); err == nil {
		f.specs = d
	}
	if d, err := s.root.Open(path.Dir(layout.StatusPath(resources.Key{Kind: kind}))); err == nil {
		f.statuses = d
	}
	return f
}

func (f *openFolders) close() {
	for _, d := range []*layout.OpenDir{f.specs, f.statuses} {
		if d != nil {
			d.Close()
		}
	}
}

// get is Store.Get.
func (f *openFolders) get(key resources.Key) (store.Record, error) {
	record, err := f.spec(key)
	if err != nil || key.Kind == resources.CheckpointsKind || f.statuses == nil {
		return record, err
	}
	status, _, err := f.statuses.Read(path.Base(layout.StatusPath(key)), layout.MaxSpec)
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrUnreadable):
		return record, nil
	case err != nil:
		return record, err
	}
	record.Status = status
	return record, nil
}

func (f *openFolders) spec(key resources.Key) (store.Record, error) {
	if f.specs == nil || checkKey(key) != nil {
		return f.s.readSpec(key)
	}
	file := path.Base(layout.Path(key))
	data, info, err := f.read(file, key.Kind)
	if err != nil {
		return store.Record{Key: key}, about(key, err)
	}
	return store.Record{Key: key, Spec: data, Rev: resources.Revision(data), ModTime: info.ModTime}, nil
}

func (f *openFolders) read(file, kind string) ([]byte, layout.Info, error) {
	if kind == resources.CheckpointsKind {
		return f.specs.ReadLog(file)
	}
	return f.specs.Read(file, layout.MaxSpec)
}
