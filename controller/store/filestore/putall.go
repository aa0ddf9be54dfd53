package filestore

import (
	"bytes"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// writers is how many files are waited for at once. A journal commits what is asked for together in one go: eight
// at once take about a fifth of the time of one after the other.
const writers = 8

// PutAll is Put for many objects, each written whole or not at all: the content of all of
// them is on disk before the first one is given its name. It returns the error of each; nil:
// it was written. See store.Store.
func (tx *series) PutAll(list []store.Write) []error {
	errs := make([]error, len(list))
	writes := make([]*write, len(list))
	var g errgroup.Group
	g.SetLimit(writers)
	for i, w := range list {
		if writes[i], errs[i] = tx.prepare(w.Key, w.Spec, w.Rev); errs[i] == nil {
			g.Go(func() error {
				errs[i] = writes[i].temporary()
				return nil
			})
		}
	}
	g.Wait()
	for i, w := range writes {
		if errs[i] == nil {
			errs[i] = tx.publish(w)
		}
	}
	return errs
}

// write is an object on its way to the disk.
type write struct {
	target
	old  *version // what is there; nil: nothing
	spec []byte
	temp string // the file that holds spec until it has its name
}

// prepare checks whether an object may be written over that revision.
func (tx *series) prepare(key resources.Key, spec []byte, rev string) (*write, error) {
	t, err := tx.target(key)
	if err != nil {
		return nil, err
	}
	if len(spec) > layout.MaxSpec {
		return nil, fmt.Errorf("%s: %d bytes are too many for an object; at most %d are allowed", t.path(), len(spec), layout.MaxSpec)
	}
	w := &write{target: t, spec: spec}
	if rev == "" {
		if at, err := tx.standing(key); err == nil && at.there() {
			return nil, fmt.Errorf("%s: %w", t.path(), store.ErrExists)
		}
		w.temp = tempName(t.name, nil, spec)
		return w, nil
	}
	if at, err := tx.standing(key); err == nil && at.folder != t.folder {
		// Who changes what was derived makes it a spec. The derived one stays under it, and
		// stands again on a branch that lacks this one.
		if _, err := at.read(rev); err != nil {
			return nil, err
		}
		w.temp = tempName(t.name, nil, spec)
		return w, nil
	}
	old, err := t.read(rev)
	if err != nil {
		return nil, err
	}
	w.old, w.temp = &old, tempName(t.name, old.data, spec)
	return w, nil
}

// unchanged reports whether the file holds these bytes already.
func (w *write) unchanged() bool { return w.old != nil && bytes.Equal(w.old.data, w.spec) }

// temporary brings the content to the disk under its temporary name.
func (w *write) temporary() error {
	switch {
	case w.unchanged():
		return nil
	case w.old == nil:
		return writeDurably(w.d, w.temp, w.spec, 0)
	}
	return writeDurably(w.d, w.temp, w.spec, w.old.info.Mode.Perm())
}

// publish gives the temporary file its name.
func (tx *series) publish(w *write) error {
	switch {
	case w.unchanged():
		return nil
	case w.old == nil:
		tx.note(w.key, resources.Revision(w.spec))
		return tx.create(w)
	}
	tx.note(w.key, resources.Revision(w.spec))
	return tx.replace(w)
}
