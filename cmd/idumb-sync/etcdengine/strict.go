package etcdengine

import (
	"context"
	"slices"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// turnKey is written with every change of the state, so that its revision is that of the last one: etcd
// compares whole folders as well, but does not see there what was removed.
const turnKey = "g"

// turn says that the state changed.
func (e *Engine) turn() clientv3.Op { return clientv3.OpPut(e.prefix+turnKey, "") }

// TxnAsListed is Txn that conflicts with any change of the state since it was listed. See engine.Strict.
func (e *Engine) TxnAsListed(ctx context.Context, ops ...engine.Op) error {
	listed := e.listed.Load()
	switch {
	case !ofState(ops):
		return e.Txn(ctx, ops...)
	case listed == 0: // as in a program that was started since
		return &engine.ConflictError{Keys: keysOf(ops)}
	}
	at, err := e.make(ctx, ops, clientv3.Compare(clientv3.ModRevision(e.prefix+turnKey), "<", listed+1))
	if err == nil {
		e.listed.CompareAndSwap(listed, at) // nothing of others' is in it that was not listed
	}
	return err
}

// ofState reports whether changes are of the state.
func ofState(ops []engine.Op) bool {
	return slices.ContainsFunc(ops, func(op engine.Op) bool { return strings.HasPrefix(op.Key, engine.State) })
}

func keysOf(ops []engine.Op) (keys []string) {
	for _, op := range ops {
		keys = append(keys, op.Key)
	}
	return keys
}
