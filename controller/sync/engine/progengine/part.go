package progengine

import (
	"context"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// scope is a part of the program's engine.
type scope struct {
	*Engine
	prefixes []string
}

// Part returns a part of the engine. See engine.Grouped.
func (e *Engine) Part(prefixes ...string) engine.Part { return scope{e, prefixes} }

// List returns the items of the part.
func (p scope) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := p.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items of the part and their revision.
func (p scope) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	last, err := p.ask(ctx, request{List: &prefix, Part: p.prefixes}, func(r reply) { items = append(items, r.Items...) })
	if err != nil {
		return nil, "", err
	}
	return items, last.Revision, nil
}

// TxnAsOf is like Txn, but also conflicts with changes in the directories of
// the part.
func (p scope) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	r, err := p.ask(ctx, request{Strict: ops, AsOf: at, Part: p.prefixes}, func(reply) {})
	return r.Revision, err
}

// Watch reports changes in the part.
func (p scope) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	_, err := p.ask(ctx, request{Watch: &watchFrom{prefix, after}, Part: p.prefixes}, func(r reply) { f(r.Items, r.Revision) })
	return err
}
