package memengine

import (
	"context"
	"slices"
	"strconv"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// part is a scope of an engine's items.
type part struct {
	*Engine
	prefixes []string
}

// Part returns the engine restricted to some keys. See engine.Grouped.
func (e *Engine) Part(prefixes ...string) engine.Part { return part{e, prefixes} }

func (p part) only(items []engine.Item) []engine.Item {
	return slices.DeleteFunc(items, func(i engine.Item) bool { return !engine.HasPrefix(i.Key, p.prefixes) })
}

// List returns the items of the part.
func (p part) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := p.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items of the part, and the moment.
func (p part) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := p.Engine.ListAt(ctx, prefix)
	return p.only(items), at, err
}

// Watch reports the changes of the part.
func (p part) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	return p.Engine.Watch(ctx, prefix, after, func(changed []engine.Item, at string) {
		if changed = p.only(changed); len(changed) > 0 {
			f(changed, at)
		}
	})
}

// TxnAsOf conflicts only with changes of the part.
func (p part) TxnAsOf(_ context.Context, at string, ops ...engine.Op) (now string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ofState(ops) {
		return at, p.txn(ops)
	}
	seen, err := strconv.Atoi(at)
	for folder, turn := range p.turns {
		if err != nil || slices.Contains(p.prefixes, folder) && turn > seen {
			return "", conflict(ops)
		}
	}
	return strconv.Itoa(p.next + 1), p.txn(ops)
}
