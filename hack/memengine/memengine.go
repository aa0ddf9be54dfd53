// Package memengine is a sync engine in memory. It is the reference for other engines, and the
// engine of protocol tests.
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

// Engine contains one team's items. The zero value is empty.
type Engine struct {
	Now func() time.Time // clock of the leases; nil means the system clock

	mu          sync.Mutex
	items       map[string]engine.Item
	leases      map[string]time.Time // expiry of each lease
	leaseNumber int                  // number of created leases
	next        int                  // moment of the last change
	state       int                  // moment of the last change of the state
	turns       map[string]int       // moment of the last change of each directory of the state
	history     []change             // changes since the last compaction
	since       int                  // moment before the first of them
	more        chan struct{}        // closed at the next change
}

// change is the change of an item at a moment.
type change struct {
	rev  int
	item engine.Item
}

// List returns the items with a key prefix. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items and the current moment. See engine.Watcher.
func (e *Engine) ListAt(_ context.Context, prefix string) ([]engine.Item, string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	items, at := e.list(prefix)
	return items, at, nil
}

// list is ListAt with the lock held.
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

// txn is Txn with the lock held.
func (e *Engine) txn(ops []engine.Op) error {
	e.end()
	var conflict engine.ConflictError
	for _, op := range ops {
		if _, stands := e.leases[op.Lease]; e.items[op.Key].Rev != op.Was || op.Lease != "" && !stands {
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
