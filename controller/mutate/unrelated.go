package mutate

import (
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// batch is how many new objects are written together.
const batch = 256

// PutAllUnrelated is PutUnrelated for many objects. New ones are written in batches, which waits for the disk
// a few times only. told is called with how many were written so far.
func (t *Tx) PutAllUnrelated(objects []resources.Object, told func(done int)) error {
	var fresh []filestore.New
	flush := func(done int) error {
		if err := t.createAll(fresh); err != nil {
			return err
		}
		fresh = fresh[:0]
		told(done)
		return nil
	}
	for i, o := range objects {
		n, err := t.ifNew(o)
		if err != nil {
			return err
		}
		if n != nil {
			fresh = append(fresh, *n)
		} else if err := t.PutUnrelated(o); err != nil {
			return err
		}
		if len(fresh) == batch {
			if err := flush(i + 1); err != nil {
				return err
			}
		}
	}
	return flush(len(objects))
}

// ifNew checks an object that is not there yet, to be written with others; nil if there is something.
func (t *Tx) ifNew(o resources.Object) (*filestore.New, error) {
	if t.files == nil {
		return nil, nil
	}
	_, err := t.Record(o.Key())
	if err == nil || !isNotFound(err) {
		return nil, err
	}
	if err := invalid(o.Key(), resources.Validate(o)); err != nil {
		return nil, err
	}
	data, err := resources.Encode(o)
	return &filestore.New{Key: o.Key(), Spec: data}, err
}

func (t *Tx) createAll(fresh []filestore.New) error {
	if len(fresh) == 0 {
		return nil
	}
	err := t.files.CreateAll(fresh)
	if errors.Is(err, store.ErrExists) {
		err = fmt.Errorf("%w: %w", store.ErrConflict, err) // created meanwhile: look again
	}
	if err != nil || t.repo.Wrote == nil {
		return err
	}
	for _, n := range fresh {
		t.repo.Wrote(n.Key, nil)
	}
	return nil
}
