package memengine

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

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
