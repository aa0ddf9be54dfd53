package etcdengine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// protocol is the version of the keys that this build writes and reads.
const protocol = 1

// version is what stands under a repository's version key.
type version struct {
	Protocol  int `json:"protocol"`
	MinReader int `json:"minReader"` // whoever reads less than this understands nothing
}

// understood reports an error where the keys are written by a protocol that this build does not
// know: nothing is read then. Whoever comes first says which it is.
func (e *Engine) understood(ctx context.Context) error {
	if e.known.Load() {
		return nil
	}
	first, err := json.Marshal(version{Protocol: protocol, MinReader: protocol})
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
	v := version{MinReader: protocol}
	if len(r.Kvs) > 0 && json.Unmarshal(r.Kvs[0].Value, &v) != nil {
		return e.unknown(errors.New("what stands there is no version"))
	}
	if v.MinReader > protocol {
		return e.unknown(fmt.Errorf("it needs a reader of protocol %d, and this is one of protocol %d", v.MinReader, protocol))
	}
	e.known.Store(true)
	return nil
}

func (e *Engine) unknown(err error) error {
	return &engine.PersonError{Err: fmt.Errorf("etcd key %s%s: %w", e.prefix, versionKey, err), Step: "install a newer iDumb"}
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
