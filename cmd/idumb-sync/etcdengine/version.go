package etcdengine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// believed is how long the protocol version is trusted, because another user
// may install a later iDumb at any time.
const believed = time.Minute

// checkVersion returns an error if the keys have a protocol version that this
// build does not support. The first client writes the version.
func (e *Engine) checkVersion(ctx context.Context) error {
	now := time.Now()
	if now.UnixMilli() < e.versionTrustedUntil.Load() {
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
		if err := engine.CheckVersion(r.Kvs[0].Value); err != nil {
			return &engine.PersonError{Err: fmt.Errorf("etcd key %s%s: %w", e.prefix, versionKey, err), Step: "install a newer iDumb"}
		}
	}
	e.versionTrustedUntil.Store(now.Add(believed).UnixMilli())
	return nil
}

// begin writes the protocol version of a new repository.
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
