// Package etcdengine is the engine of large teams: an etcd. An item is a key of its own, its
// revision is etcd's of the key's last change, and a change is one transaction. What a machine
// holds hangs on a lease of its, and ends with it.
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
	patience = 10 * time.Second // how long one question may take
	page     = 500              // items that are listed with one question
	// MostOps is how many changes are made at once: as many as etcd compares as it comes, without what this engine
	// adds.
	MostOps = 128 - 2 - engine.MostGuards
)

// Engine is one repository of a team, at an etcd.
type Engine struct {
	client *clientv3.Client
	prefix string      // of its keys
	secure *tls.Config // for a look at the servers; nil: without TLS
	record Record      // which etcd it was, and how far

	known  atomic.Int64 // until when it is believed that this build reads its protocol, in Unix milliseconds
	turned atomic.Int64 // the last change of the state that was seen; 0: none. See behind
}

// New is the engine of a team's repository. record may be nil: then an etcd that was set back is
// not noticed.
func New(client *clientv3.Client, team, repo string, record Record) (*Engine, error) {
	prefix, err := Prefix(team, repo)
	if err != nil {
		return nil, err
	}
	return &Engine{client: client, prefix: prefix, record: record}, nil
}

// List returns the items whose keys begin so. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt reads page by page, all of them as of the first one's revision. See engine.Watcher.
func (e *Engine) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	return e.listAt(ctx, prefix, []string{e.rangeOf(prefix)})
}

// listAt is ListAt of some ranges of keys: the first page of each is asked for at once.
func (e *Engine) listAt(ctx context.Context, prefix string, ranges []string) (items []engine.Item, at string, err error) {
	if err := e.understood(ctx); err != nil {
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

// paged are the options of a question for a page of a range, as of a revision; 0: as of now.
func paged(of string, rev int64) []clientv3.OpOption {
	return []clientv3.OpOption{clientv3.WithRange(clientv3.GetPrefixRangeEnd(of)), clientv3.WithLimit(page), clientv3.WithRev(rev)}
}

// firstPages asks for the first page of each range, all as of one revision.
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

// items are those that stand under keys, of a list.
func (e *Engine) items(kvs []*mvccpb.KeyValue) (items []engine.Item) {
	for _, kv := range kvs {
		if string(kv.Key) == e.prefix+turnKey {
			e.turned.Store(kv.ModRevision) // also if a person agreed that it is an older one
		}
		if item, ours := e.item(kv); ours {
			items = append(items, item)
		}
	}
	return items
}

// get is one question, of limited patience.
func (e *Engine) get(ctx context.Context, key string, opts ...clientv3.OpOption) (r *clientv3.GetResponse, err error) {
	err = e.call(ctx, "get", func(ctx context.Context) error {
		r, err = e.client.Get(ctx, key, opts...)
		return err
	})
	return r, err
}

// item is what stands under a key; false for what is no item of ours, or too long for one.
func (e *Engine) item(kv *mvccpb.KeyValue) (engine.Item, bool) {
	name, ours := e.of(string(kv.Key))
	item := engine.Item{Key: name, Rev: strconv.FormatInt(kv.ModRevision, 10), Value: kv.Value}
	if kv.Lease != 0 {
		item.Lease = strconv.FormatInt(kv.Lease, 16)
	}
	if item.Value == nil {
		item.Value = []byte{}
	}
	return item, ours && len(kv.Value) <= engine.MaxValue
}

// MostOps is how many changes are made at once. See engine.Limited.
func (e *Engine) MostOps() int { return MostOps }

// Txn makes all changes or none. See engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.make(ctx, ops)
	return err
}

// make makes changes where they are from what was seen and the guards hold, and returns the revision.
func (e *Engine) make(ctx context.Context, ops []engine.Op, guards ...clientv3.Cmp) (int64, error) {
	if len(ops) > MostOps {
		return 0, fmt.Errorf("etcd makes %d changes at once, and these are %d", MostOps, len(ops))
	}
	if err := e.understood(ctx); err != nil {
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
		guards, then = append(guards, e.behind()), append(append(then, e.turn()), e.turns(ops)...)
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

// txn makes changes where the guards hold, and else looks.
func (e *Engine) txn(ctx context.Context, guards []clientv3.Cmp, then, otherwise []clientv3.Op) (r *clientv3.TxnResponse, err error) {
	err = e.call(ctx, "txn", func(ctx context.Context) error {
		r, err = e.client.Txn(ctx).If(guards...).Then(then...).Else(otherwise...).Commit()
		return err
	})
	return r, err
}

// change is one change as etcd takes it, and what must hold for it.
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

// conflict names the items that are not as they were seen: all, if it is none of them.
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
