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

// Lease creates or extends a lease. See engine.Leaser.
func (e *Engine) Lease(_ context.Context, last string, ttl time.Duration) (engine.Lease, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end()
	if e.leases == nil {
		e.leases = map[string]time.Time{}
	}
	if _, stands := e.leases[last]; !stands {
		e.leaseNumber++
		last = "lease-" + strconv.Itoa(e.leaseNumber)
	}
	e.leases[last] = e.now().Add(ttl)
	return engine.Lease{ID: last, Until: e.leases[last]}, nil
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// end removes the items of expired leases.
func (e *Engine) end() {
	for id, until := range e.leases {
		if e.now().Before(until) {
			continue
		}
		delete(e.leases, id)
		var gone []engine.Op
		for key, item := range e.items {
			if item.Lease == id {
				gone = append(gone, engine.Op{Key: key, Was: item.Rev})
			}
		}
		if len(gone) > 0 {
			e.apply(gone)
		}
	}
}

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

// TxnAsOf is Txn that conflicts with any change of the state since. See engine.Strict.
func (e *Engine) TxnAsOf(_ context.Context, at string, ops ...engine.Op) (now string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ofState(ops) {
		if seen, err := strconv.Atoi(at); err != nil || e.state > seen {
			return "", conflict(ops)
		}
		at = strconv.Itoa(e.next + 1)
	}
	return at, e.txn(ops)
}

func conflict(ops []engine.Op) error {
	var e engine.ConflictError
	for _, op := range ops {
		e.Keys = append(e.Keys, op.Key)
	}
	return &e
}

// Since returns what changed of the state, and all else. See engine.Differ.
func (e *Engine) Since(_ context.Context, at string) (beside, changed []engine.Item, now string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	seen, err := strconv.Atoi(at)
	if err != nil || seen < e.since {
		return nil, nil, "", engine.ErrCompacted
	}
	beside, now = e.list("")
	beside = slices.DeleteFunc(beside, func(i engine.Item) bool { return strings.HasPrefix(i.Key, engine.State) })
	last := map[string]engine.Item{}
	for _, c := range e.history {
		if c.rev > seen && strings.HasPrefix(c.item.Key, engine.State) {
			last[c.item.Key] = c.item
		}
	}
	for _, item := range last {
		item.Value = slices.Clone(item.Value)
		changed = append(changed, item)
	}
	return beside, changed, now, nil
}

// ofState reports whether changes are of the state.
func ofState(ops []engine.Op) bool {
	return slices.ContainsFunc(ops, func(op engine.Op) bool { return strings.HasPrefix(op.Key, engine.State) })
}

// Watch reports the changes after a moment. See engine.Watcher.
func (e *Engine) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	at, err := strconv.Atoi(after)
	if err != nil {
		return err
	}
	for {
		changes, more, err := e.changesAfter(at)
		if err != nil {
			return err
		}
		for len(changes) > 0 {
			at = changes[0].rev
			var changed []engine.Item
			for ; len(changes) > 0 && changes[0].rev == at; changes = changes[1:] {
				if item := changes[0].item; strings.HasPrefix(item.Key, prefix) {
					item.Value = slices.Clone(item.Value)
					changed = append(changed, item)
				}
			}
			if len(changed) > 0 {
				f(changed, strconv.Itoa(at))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-more:
		}
	}
}

// changesAfter returns the changes after a moment, and a channel that is closed at the next one.
func (e *Engine) changesAfter(at int) ([]change, <-chan struct{}, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at < e.since {
		return nil, nil, engine.ErrCompacted
	}
	if e.more == nil {
		e.more = make(chan struct{})
	}
	i, _ := slices.BinarySearchFunc(e.history, at+1, func(c change, at int) int { return c.rev - at })
	return slices.Clone(e.history[i:]), e.more, nil
}

// Compact discards the history.
func (e *Engine) Compact(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.history, e.since = nil, e.next
	return nil
}
