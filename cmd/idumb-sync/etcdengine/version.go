package etcdengine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// believed is how long a version is not asked for again: others may install a later iDumb at any time.
const believed = time.Minute

// understood reports an error where the keys are written by a protocol that this build does not
// know: nothing is read then. Whoever comes first says which it is.
func (e *Engine) understood(ctx context.Context) error {
	now := time.Now()
	if now.UnixMilli() < e.known.Load() {
		return nil
	}
	first, err := json.Marshal(engine.Version{Protocol: engine.Protocol, MinReader: engine.Protocol})
	if err != nil {
		return err
	}
	r, err := e.get(ctx, e.prefix+versionKey)
	if err == nil && len(r.Kvs) == 0 {
		r, err = e.begin(ctx, first)
	}
	if err != nil {
		return err
	}
	if len(r.Kvs) > 0 {
		if err := engine.Understood(r.Kvs[0].Value); err != nil {
			return &engine.PersonError{Err: fmt.Errorf("etcd key %s%s: %w", e.prefix, versionKey, err), Step: "install a newer iDumb"}
		}
	}
	e.known.Store(now.Add(believed).UnixMilli())
	return nil
}

// begin writes the version of a repository that nobody shared before.
func (e *Engine) begin(ctx context.Context, value []byte) (*clientv3.GetResponse, error) {
	key := e.prefix + versionKey
	none := []clientv3.Cmp{clientv3.Compare(clientv3.CreateRevision(key), "=", 0)}
	r, err := e.txn(ctx, none, []clientv3.Op{clientv3.OpPut(key, string(value))}, []clientv3.Op{clientv3.OpGet(key)})
	if err != nil {
		return nil, err
	}
	found := &clientv3.GetResponse{Header: r.Header}
	if !r.Succeeded {
		found.Kvs = r.Responses[0].GetResponseRange().GetKvs()
	}
	return found, nil
}
