package controller

import (
	"context"

	"github.com/idumb-dev/idumb/controller/store"
)

// keeps says why no context file of that name can be kept now, if so. A name that cannot be
// gets no better by trying again.
func (w *world) keeps(name string) error {
	if w.gone() {
		return errGone
	}
	return Terminal(store.CheckContextName(name))
}

// WriteContext replaces a file below .idumb/context, unless it has these bytes.
func (w *world) WriteContext(ctx context.Context, name string, data []byte) error {
	if err := w.keeps(name); err != nil {
		return err
	}
	return w.store.WriteContext(ctx, name, data)
}

// DeleteContext removes a file below .idumb/context; no error if there is none.
func (w *world) DeleteContext(ctx context.Context, name string) error {
	if err := w.keeps(name); err != nil {
		return err
	}
	return w.store.DeleteContext(ctx, name)
}

// ListContext returns the names of the files in a folder below .idumb/context.
func (w *world) ListContext(ctx context.Context, dir string) ([]string, error) {
	if err := w.keeps(dir); err != nil {
		return nil, err
	}
	return w.store.ListContext(ctx, dir)
}

// LastPack returns what the reader of a pack had last: of a session, or ("") of the
// repository's own; nil if there is none.
func (w *world) LastPack(session string) []byte {
	return w.store.LastPack(session)
}
