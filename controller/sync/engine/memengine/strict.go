package memengine

import (
	"context"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Machine is one machine's way to an engine: it knows what that machine saw last. See engine.Strict.
type Machine struct {
	*Engine
	listed int // the moment of the last list that showed the state; guarded by mu
}

// Machine returns a way to an engine for one machine.
func (e *Engine) Machine() *Machine { return &Machine{Engine: e, listed: -1} }

// List returns the items whose keys begin so. See engine.Engine.
func (m *Machine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := m.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items, and the moment. See engine.Watcher.
func (m *Machine) ListAt(_ context.Context, prefix string) ([]engine.Item, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	items, at := m.list(prefix)
	if strings.HasPrefix(engine.State, prefix) {
		m.listed = m.next
	}
	return items, at, nil
}

// TxnAsListed is Txn that conflicts with any change of the state since. See engine.Strict.
func (m *Machine) TxnAsListed(_ context.Context, ops ...engine.Op) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	strict := ofState(ops)
	if strict && (m.listed < 0 || m.state > m.listed) {
		var conflict engine.ConflictError
		for _, op := range ops {
			conflict.Keys = append(conflict.Keys, op.Key)
		}
		return &conflict
	}
	err := m.txn(ops)
	if err == nil && strict {
		m.listed = m.next
	}
	return err
}

// ofState reports whether changes are of the state.
func ofState(ops []engine.Op) bool {
	for _, op := range ops {
		if strings.HasPrefix(op.Key, engine.State) {
			return true
		}
	}
	return false
}
