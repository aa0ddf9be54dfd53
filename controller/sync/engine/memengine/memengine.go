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

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Engine is one team's items. The zero value has none.
type Engine struct {
	mu    sync.Mutex
	items map[string]engine.Item
	next  int
}

// List returns the items whose keys begin so. See engine.Engine.
func (e *Engine) List(_ context.Context, prefix string) ([]engine.Item, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var found []engine.Item
	for key, item := range e.items {
		if strings.HasPrefix(key, prefix) {
			item.Value = slices.Clone(item.Value)
			found = append(found, item)
		}
	}
	slices.SortFunc(found, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return found, nil
}

// Txn makes all changes or none. See engine.Engine.
func (e *Engine) Txn(_ context.Context, ops ...engine.Op) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var conflict engine.ConflictError
	for _, op := range ops {
		if e.items[op.Key].Rev != op.Was {
			conflict.Keys = append(conflict.Keys, op.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	for _, op := range ops {
		e.apply(op)
	}
	return nil
}

func (e *Engine) apply(op engine.Op) {
	if op.Value == nil {
		delete(e.items, op.Key)
		return
	}
	if e.items == nil {
		e.items = map[string]engine.Item{}
	}
	e.next++
	e.items[op.Key] = engine.Item{Key: op.Key, Rev: strconv.Itoa(e.next), Value: slices.Clone(op.Value)}
}
