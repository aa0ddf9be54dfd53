package controller

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/store"
)

// errNoContext answers every write of a context file where the store keeps none.
var errNoContext = errors.New("this store keeps no packed context")

// keeper is who keeps context files of that name. Neither a store that keeps none nor a name
// that cannot be gets better by trying again.
func (w *world) keeper(name string) (store.ContextKeeper, error) {
	if w.gone() {
		return nil, errGone
	}
	keeper, ok := w.store.(store.ContextKeeper)
	if !ok {
		return nil, Terminal(errNoContext)
	}
	return keeper, Terminal(store.CheckContextName(name))
}

// WriteContext replaces a file below .idumb/context, unless it has these bytes.
func (w *world) WriteContext(ctx context.Context, name string, data []byte) error {
	keeper, err := w.keeper(name)
	if err != nil {
		return err
	}
	return keeper.WriteContext(ctx, name, data)
}

// DeleteContext removes a file below .idumb/context; no error if there is none.
func (w *world) DeleteContext(ctx context.Context, name string) error {
	keeper, err := w.keeper(name)
	if err != nil {
		return err
	}
	return keeper.DeleteContext(ctx, name)
}

// ListContext returns the names of the files in a folder below .idumb/context.
func (w *world) ListContext(ctx context.Context, dir string) ([]string, error) {
	keeper, err := w.keeper(dir)
	if err != nil {
		return nil, err
	}
	return keeper.ListContext(ctx, dir)
}

// LastPack returns what the reader of a pack had last: of a session, or ("") of the
// repository's own; nil if there is none.
func (w *world) LastPack(session string) []byte {
	if keeper, ok := w.store.(store.ContextKeeper); ok {
		return keeper.LastPack(session)
	}
	return nil
}
