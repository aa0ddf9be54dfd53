package etcdengine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// turnKey is written with every change of the state, so its revision is that of
// the last change. etcd can compare whole key ranges too, but that does not
// detect removals.
const turnKey = "g"

// turn returns the operation that records a change of the state.
func (e *Engine) turn() clientv3.Op { return clientv3.OpPut(e.prefix+turnKey, "") }

// checkRevision returns a comparison that fails on an etcd that was restored to an
// older state. A client with a watch does not list and would not notice.
func (e *Engine) checkRevision() clientv3.Cmp {
	return clientv3.Compare(clientv3.ModRevision(e.prefix+turnKey), ">", e.turned.Load()-1)
}

// sawTurn records a change of the state.
func (e *Engine) sawTurn(at int64) {
	for last := e.turned.Load(); at > last && !e.turned.CompareAndSwap(last, at); last = e.turned.Load() {
	}
}

// TxnAsOf is like Txn, but also conflicts with any change of the state since a
// revision. See engine.Strict.
func (e *Engine) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	if !ofState(ops) {
		return at, e.Txn(ctx, ops...)
	}
	seen, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no revision of etcd's", at)
	}
	made, err := e.make(ctx, ops, clientv3.Compare(clientv3.ModRevision(e.prefix+turnKey), "<", seen+1))
	return strconv.FormatInt(made, 10), err
}

// ofState reports whether any of ops changes the state.
func ofState(ops []engine.Op) bool {
	return slices.ContainsFunc(ops, func(op engine.Op) bool { return strings.HasPrefix(op.Key, engine.State) })
}

// keysOf returns the keys of operations.
func keysOf(ops []engine.Op) (keys []string) {
	for _, op := range ops {
		keys = append(keys, op.Key)
	}
	return keys
}
