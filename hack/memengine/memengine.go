// Package memengine is an engine in memory: what the others are held against, and what tests of
// the protocol run on.
package memengine

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Engine is one team's items. The zero value has none.
type Engine struct {
	Now func() time.Time // by which leases end; nil: the clock of this machine

	mu      sync.Mutex
	items   map[string]engine.Item
	leases  map[string]time.Time // when each ends
	made    int                  // leases
	next    int                  // the last moment at which something changed
	state   int                  // the last one at which the state did
	turns   map[string]int       // the last one at which something in a folder of the state did
	history []change             // since it was compacted
	since   int                  // the moment before the first of them
	more    chan struct{}        // closed at the next change
}

// change is what became of an item at a moment.
type change struct {
	at   int
	item engine.Item
}

// List returns the items whose keys begin so. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items, and the moment. See engine.Watcher.
func (e *Engine) ListAt(_ context.Context, prefix string) ([]engine.Item, string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	items, at := e.list(prefix)
	return items, at, nil
}

// list is ListAt for whoever holds the lock.
func (e *Engine) list(prefix string) ([]engine.Item, string) {
	e.end()
	var found []engine.Item
	for key, item := range e.items {
		if strings.HasPrefix(key, prefix) {
			item.Value = slices.Clone(item.Value)
			found = append(found, item)
		}
	}
	slices.SortFunc(found, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return found, strconv.Itoa(e.next)
}

// Txn makes all changes or none. See engine.Engine.
func (e *Engine) Txn(_ context.Context, ops ...engine.Op) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.txn(ops)
}

// txn is Txn for whoever holds the lock.
func (e *Engine) txn(ops []engine.Op) error {
	e.end()
	var conflict engine.ConflictError
	for _, op := range ops {
		_, stands := e.leases[op.Lease]
		if e.items[op.Key].Rev != op.Was || op.Lease != "" && !stands {
			conflict.Keys = append(conflict.Keys, op.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	e.apply(ops)
	return nil
}

// apply makes changes, all at one moment.
func (e *Engine) apply(ops []engine.Op) {
	if e.items == nil {
		e.items, e.turns = map[string]engine.Item{}, map[string]int{}
	}
	e.next++
	if ofState(ops) {
		e.state = e.next
	}
	for _, op := range ops {
		e.turns[engine.Folder(op.Key)] = e.next
		item := engine.Item{Key: op.Key, Rev: strconv.Itoa(e.next), Value: slices.Clone(op.Value), Lease: op.Lease}
		e.history = append(e.history, change{e.next, item})
		if op.Value == nil {
			delete(e.items, op.Key)
		} else {
			e.items[op.Key] = item
		}
	}
	if e.more != nil {
		close(e.more)
		e.more = nil
	}
}
