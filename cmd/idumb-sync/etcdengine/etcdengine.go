// Package etcdengine implements an engine for large teams with etcd. An item is
// one etcd key, its revision is the key's modification revision, and a set of
// changes is one transaction. The items of a machine are attached to its lease
// and expire with it.
package etcdengine

import (
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

const (
	patience = 10 * time.Second // timeout of one request
	page     = 500              // items per page of a listing
	// MostOps is the maximum number of changes in one transaction: etcd's
	// default limit of comparisons minus those that this engine adds.
	MostOps = 128 - 2 - engine.MostGuards
)

// Engine accesses one repository of a team in etcd.
type Engine struct {
	client *clientv3.Client
	prefix string      // of its keys
	secure *tls.Config // for the diagnosis of connection failures; nil without TLS
	record Record      // last seen cluster and revision

	versionTrustedUntil atomic.Int64 // time until which the protocol version is trusted, in Unix milliseconds
	turned              atomic.Int64 // last seen change of the state; 0 if none. See behind
}

// New returns the engine of a team's repository. record may be nil; a restored
// or replaced etcd is then not detected.
func New(client *clientv3.Client, team, repo string, record Record) (*Engine, error) {
	prefix, err := Prefix(team, repo)
	if err != nil {
		return nil, err
	}
	return &Engine{client: client, prefix: prefix, record: record}, nil
}

// List returns the items with a key prefix. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt reads all pages at the revision of the first one. See engine.Watcher.
func (e *Engine) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	return e.listAt(ctx, prefix, []string{e.rangeOf(prefix)})
}

// listAt is ListAt for several ranges of keys. It requests the first page of
// each range in one transaction.
func (e *Engine) listAt(ctx context.Context, prefix string, ranges []string) (items []engine.Item, at string, err error) {
	if err := e.checkVersion(ctx); err != nil {
		return nil, "", err
	}
	last, err := e.last()
	if err != nil {
		return nil, "", err
	}
	var rev int64
	for part := range slices.Chunk(ranges, MostOps) {
		pages, header, err := e.firstPages(ctx, part, rev)
		if err != nil {
			return nil, "", err
		}
		if rev == 0 {
			rev = header.Revision
			if err := e.remember(last, header); err != nil {
				return nil, "", err
			}
		}
		for i, r := range pages {
			for items = append(items, e.items(r.Kvs)...); r.More; items = append(items, e.items(r.Kvs)...) {
				if r, err = e.get(ctx, string(r.Kvs[len(r.Kvs)-1].Key)+"\x00", paged(part[i], rev)...); err != nil {
					return nil, "", err
				}
			}
		}
	}
	return sorted(items, prefix), strconv.FormatInt(rev, 10), nil
}

// paged returns the options for a page of a range at a revision; 0 means the
// current one.
func paged(of string, rev int64) []clientv3.OpOption {
	return []clientv3.OpOption{clientv3.WithRange(clientv3.GetPrefixRangeEnd(of)), clientv3.WithLimit(page), clientv3.WithRev(rev)}
}

// firstPages requests the first page of each range, all at one revision.
func (e *Engine) firstPages(ctx context.Context, ranges []string, rev int64) (pages []*clientv3.GetResponse, header *etcdserverpb.ResponseHeader, err error) {
	if len(ranges) == 1 {
		r, err := e.get(ctx, ranges[0], paged(ranges[0], rev)...)
		if err != nil {
			return nil, nil, err
		}
		return []*clientv3.GetResponse{r}, r.Header, nil
	}
	var gets []clientv3.Op
	for _, of := range ranges {
		gets = append(gets, clientv3.OpGet(of, paged(of, rev)...))
	}
	r, err := e.txn(ctx, nil, gets, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range r.Responses {
		pages = append(pages, (*clientv3.GetResponse)(part.GetResponseRange()))
	}
	return pages, r.Header, nil
}

// items converts the keys of a listing to items.
func (e *Engine) items(kvs []*mvccpb.KeyValue) (items []engine.Item) {
	for _, kv := range kvs {
		if string(kv.Key) == e.prefix+turnKey {
			e.turned.Store(kv.ModRevision) // also if the user accepted an older one
		}
		if item, ours := e.item(kv); ours {
			items = append(items, item)
		}
	}
	return items
}

// get sends one request with a timeout.
func (e *Engine) get(ctx context.Context, key string, opts ...clientv3.OpOption) (r *clientv3.GetResponse, err error) {
	err = e.call(ctx, "get", func(ctx context.Context) error {
		r, err = e.client.Get(ctx, key, opts...)
		return err
	})
	return r, err
}

// item converts a key to an item. It returns false if the key is not an item or
// its value is too long.
func (e *Engine) item(kv *mvccpb.KeyValue) (engine.Item, bool) {
	name, ours := e.protocolKey(string(kv.Key))
	item := engine.Item{Key: name, Rev: strconv.FormatInt(kv.ModRevision, 10), Value: kv.Value}
	if kv.Lease != 0 {
		item.Lease = strconv.FormatInt(kv.Lease, 16)
	}
	if item.Value == nil {
		item.Value = []byte{}
	}
	return item, ours && len(kv.Value) <= engine.MaxValue
}

// MostOps returns the maximum number of changes in one transaction. See
// engine.Limited.
func (e *Engine) MostOps() int { return MostOps }

// Txn applies all changes or none. See engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.make(ctx, ops)
	return err
}

// make applies changes if the items have the expected revisions and the guards
// are true. It returns the new revision.
func (e *Engine) make(ctx context.Context, ops []engine.Op, guards ...clientv3.Cmp) (int64, error) {
	if len(ops) > MostOps {
		return 0, fmt.Errorf("etcd makes %d changes at once, and these are %d", MostOps, len(ops))
	}
	if err := e.checkVersion(ctx); err != nil {
		return 0, err
	}
	var then, otherwise []clientv3.Op
	for _, op := range ops {
		guard, change, err := e.change(op)
		if err != nil {
			return 0, err
		}
		guards, then = append(guards, guard), append(then, change)
		otherwise = append(otherwise, clientv3.OpGet(e.key(op.Key), clientv3.WithKeysOnly()))
	}
	if ofState(ops) {
		guards, then = append(guards, e.checkRevision()), append(append(then, e.turn()), e.turns(ops)...)
	}
	r, err := e.txn(ctx, guards, then, otherwise)
	if err == nil && r.Succeeded && ofState(ops) {
		e.sawTurn(r.Header.Revision)
	}
	switch {
	case leaseGone(err):
		return 0, &engine.ConflictError{Keys: leased(ops)}
	case err != nil:
		return 0, err
	case r.Succeeded:
		return r.Header.Revision, nil
	}
	return 0, conflict(ops, r.Responses)
}

// txn executes then if the guards are true, and otherwise otherwise.
func (e *Engine) txn(ctx context.Context, guards []clientv3.Cmp, then, otherwise []clientv3.Op) (r *clientv3.TxnResponse, err error) {
	err = e.call(ctx, "txn", func(ctx context.Context) error {
		r, err = e.client.Txn(ctx).If(guards...).Then(then...).Else(otherwise...).Commit()
		return err
	})
	return r, err
}

// change converts a change to an etcd operation and its guard.
func (e *Engine) change(op engine.Op) (guard clientv3.Cmp, change clientv3.Op, err error) {
	was, key := int64(0), e.key(op.Key)
	if op.Was != "" {
		if was, err = strconv.ParseInt(op.Was, 10, 64); err != nil {
			return guard, change, fmt.Errorf("%s: %q is no revision of etcd's", op.Key, op.Was)
		}
	}
	guard = clientv3.Compare(clientv3.ModRevision(key), "=", was)
	switch {
	case op.Value == nil && was == 0:
		return guard, clientv3.OpGet(key, clientv3.WithKeysOnly()), nil
	case op.Value == nil:
		return guard, clientv3.OpDelete(key), nil
	case op.Lease == "":
		return guard, clientv3.OpPut(key, string(op.Value)), nil
	}
	id, err := leaseID(op.Lease)
	return guard, clientv3.OpPut(key, string(op.Value), clientv3.WithLease(id)), err
}

// conflict names the items with unexpected revisions, or all items if none exists.
func conflict(ops []engine.Op, found []*etcdserverpb.ResponseOp) error {
	var e engine.ConflictError
	for i, op := range ops {
		rev := ""
		if kvs := found[i].GetResponseRange().GetKvs(); len(kvs) > 0 {
			rev = strconv.FormatInt(kvs[0].ModRevision, 10)
		}
		if rev != op.Was {
			e.Keys = append(e.Keys, op.Key)
		}
	}
	if len(e.Keys) == 0 {
		return &engine.ConflictError{Keys: keysOf(ops)}
	}
	return &e
}
