package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Tx is one change: it reads what is there now, and writes.
type Tx struct {
	ctx   context.Context
	repo  Repo
	files *filestore.Tx // nil in a dry run
	view  *View
}

// View is what is there, changed by what was staged and written in this Tx.
func (t *Tx) View() *View {
	if t.view == nil {
		t.view = newView(t)
	}
	return t.view
}

// Record reads one object's bytes by name. NotFound.
func (t *Tx) Record(key resources.Key) (store.Record, error) {
	if resources.CheckName(key.Name) != nil {
		return store.Record{}, apierrors.NotFound(key) // nothing can have such a name
	}
	record, err := t.read(key)
	if errors.Is(err, store.ErrNotFound) {
		return record, apierrors.NotFound(key)
	}
	return record, err
}

func (t *Tx) read(key resources.Key) (store.Record, error) {
	if t.files != nil {
		return t.files.Get(key)
	}
	return t.repo.Store.Get(t.ctx, key)
}

// get reads one object by name, with the record to write over. NotFound; broken
// if its file cannot be read.
func (t *Tx) get(key resources.Key) (store.Record, resources.Object, error) {
	record, err := t.Record(key)
	if err != nil {
		return record, nil, err
	}
	object, err := decode(record)
	if err != nil {
		return record, nil, broken(key, err)
	}
	return record, object, nil
}

func decode(record store.Record) (resources.Object, error) {
	object, _, err := resources.DecodeFile(record.Key, record.Spec)
	if err != nil {
		return nil, err
	}
	object.Source().Revision, object.Source().ModTime = record.Rev, record.ModTime
	return object, nil
}

// mustNotExist is the precondition of creating an object.
func (t *Tx) mustNotExist(key resources.Key) error {
	_, err := t.Record(key)
	switch {
	case err == nil || errors.Is(err, store.ErrUnreadable):
		return apierrors.AlreadyExists(key)
	case isNotFound(err):
		return nil
	}
	return err
}

// Stage makes an object part of the view, as if it were written, so that others
// may refer to it.
func (t *Tx) Stage(o resources.Object) { t.View().staged[o.Key()] = o }

// Put checks an object and writes it over what is there now, or creates it. A
// file that already says the same is not touched, however it is laid out.
func (t *Tx) Put(o resources.Object) (Result, error) {
	record, err := t.Record(o.Key())
	if err != nil && !isNotFound(err) {
		return Result{}, err
	}
	return t.put(record, o)
}

// put is Put over what the caller read.
func (t *Tx) put(record store.Record, o resources.Object) (Result, error) {
	result := Result{Key: o.Key(), What: Configured, Before: before(record), After: o}
	if record.Rev == "" {
		result.What = Created
		t.takeSums(o)
	} else if result.Before != nil {
		keepIdentity(o, result.Before)
	}
	if err := t.check(o, result.Before); err != nil {
		return Result{}, err
	}
	return t.write(record, result)
}

// write is writeAll for one object.
func (t *Tx) write(record store.Record, result Result) (Result, error) {
	c, err := newChange(record, result)
	if err == nil {
		err = t.writeAll([]*change{c})[0]
	}
	if err != nil {
		return Result{}, err
	}
	return c.Result, nil
}

// takeSums takes the sums of what a new mem cites, or of what a new anchor is about: times of
// files are other ones in each clone.
func (t *Tx) takeSums(o resources.Object) {
	switch o := o.(type) {
	case *resources.Mem:
		mems.TakeSums(o, t.View())
	case *resources.Anchor:
		if source := o.Spec.Source; source != nil && source.File != "" && source.SHA256 == "" {
			_, source.SHA256, _ = t.View().SourceFile(source.File)
		}
	}
}

// before is the object that a record holds; nil if there is none or it cannot be
// read.
func before(record store.Record) resources.Object {
	if record.Rev == "" {
		return nil
	}
	o, err := decode(record)
	if err != nil {
		return nil
	}
	return o
}

// check stages the object and judges it by all rules.
func (t *Tx) check(o, before resources.Object) error {
	t.Stage(o)
	err := Check(o, before, t.view)
	if err == nil {
		err = t.view.shared.err // of what the rules looked at
	}
	if err != nil {
		delete(t.view.staged, o.Key())
	}
	return err
}

// change is a change of an object that was judged and is to be written.
type change struct {
	Result
	record store.Record
	data   []byte
}

// newChange says what is to be written over a record; nothing, if it says the same already.
func newChange(record store.Record, result Result) (*change, error) {
	data, err := resources.Encode(result.After)
	if err != nil {
		return nil, err
	}
	if same(result.Before, data) {
		result.What = Unchanged
	}
	return &change{Result: result, record: record, data: data}, nil
}

// writeAll makes changes, each whole or not at all, and returns what kept each from being
// made; nil: it was.
func (t *Tx) writeAll(changes []*change) []error {
	errs := make([]error, len(changes))
	if t.files == nil {
		return errs
	}
	var writes []filestore.Write
	var at []int
	for i, c := range changes {
		if c.What != Unchanged {
			writes, at = append(writes, filestore.Write{Key: c.Key, Spec: c.data, Rev: c.record.Rev}), append(at, i)
		}
	}
	for n, err := range t.files.PutAll(writes) {
		c := changes[at[n]]
		switch {
		case errors.Is(err, store.ErrExists):
			err = fmt.Errorf("%w: %w", store.ErrConflict, err) // created meanwhile: look again
		case err == nil:
			c.After.Source().Revision = resources.Revision(c.data)
			if t.repo.Wrote != nil {
				t.repo.Wrote(c.Key, c.record.Spec)
			}
		}
		errs[at[n]] = err
	}
	return errs
}

// keepIdentity carries over what belongs to the object and is often left out:
// who it is, since when it is, which schema its file names, and what a newer build wrote.
func keepIdentity(o, before resources.Object) {
	head, old := o.Head(), before.Head()
	if head.Metadata.UID == "" {
		head.Metadata.UID = old.Metadata.UID
	}
	if head.Metadata.CreationTimestamp.IsZero() {
		head.Metadata.CreationTimestamp = old.Metadata.CreationTimestamp
	}
	if head.Schema == "" {
		head.Schema = old.Schema
	}
	if !head.Complete() {
		resources.KeepUnknown(o, before)
	}
}

func same(before resources.Object, data []byte) bool {
	if before == nil {
		return false
	}
	old, err := resources.Encode(before)
	return err == nil && bytes.Equal(old, data)
}
