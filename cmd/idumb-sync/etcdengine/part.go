package etcdengine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// part is a part of a team's repository.
type part struct {
	*Engine
	prefixes []string
}

// Part returns a part of the engine. See engine.Grouped. It reads no other part
// of the state.
func (e *Engine) Part(prefixes ...string) engine.Part { return part{e, prefixes} }

// ranges returns the etcd key prefixes of the part's items with a protocol key
// prefix.
func (p part) ranges(prefix string) (all []string) {
	for _, of := range append([]string{claims}, p.prefixes...) {
		switch {
		case strings.HasPrefix(of, prefix):
			all = append(all, p.key(of))
		case strings.HasPrefix(prefix, of):
			return []string{p.key(prefix)}
		}
	}
	return all
}

// List returns the items of the part.
func (p part) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := p.ListAt(ctx, prefix)
	return items, err
}

// ListAt reads all ranges at the revision of the first one.
func (p part) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	ranges := p.ranges(prefix)
	if len(ranges) > 1 {
		ranges = append(ranges, p.prefix+turnKey)
	}
	return p.listAt(ctx, prefix, ranges)
}

// Watch reports the changes of each range separately: one revision may be
// reported in several calls.
func (p part) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	from, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no revision of etcd's", after)
	}
	ctx, cancel := p.whileTheSame(clientv3.WithRequireLeader(ctx))
	defer cancel(nil)
	var all sync.WaitGroup
	var one sync.Mutex
	for _, of := range p.ranges(prefix) {
		all.Go(func() {
			cancel(p.watchRange(ctx, of, from, func(events []*clientv3.Event) {
				one.Lock()
				defer one.Unlock()
				p.tell(prefix, events, f)
			}))
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errWatchEnded
}

// watchRange passes the events of a range to f until ctx ends or an error
// occurs.
func (e *Engine) watchRange(ctx context.Context, of string, from int64, f func([]*clientv3.Event)) error {
	for r := range e.client.Watch(ctx, of, clientv3.WithPrefix(), clientv3.WithRev(from+1)) {
		if r.CompactRevision != 0 {
			return engine.ErrCompacted
		}
		if err := r.Err(); err != nil {
			return e.failure("watch", err)
		}
		f(r.Events)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errWatchEnded
}

var errWatchEnded = errors.New("etcd ended the watch")

// turnsPrefix is the prefix of keys that are written with every change in a
// directory of the state: see turnKey.
const turnsPrefix = "t/"

// turnOf returns the turn key of the directory of an item.
func (e *Engine) turnOf(key string) string {
	return e.prefix + turnsPrefix + strings.TrimPrefix(engine.Folder(key), engine.State)
}

// turns returns the operations that record changes in the directories of ops,
// one per directory.
func (e *Engine) turns(ops []engine.Op) (puts []clientv3.Op) {
	seen := map[string]bool{}
	for _, op := range ops {
		if turn := e.turnOf(op.Key); strings.HasPrefix(op.Key, engine.State) && !seen[turn] {
			seen[turn] = true
			puts = append(puts, clientv3.OpPut(turn, ""))
		}
	}
	return puts
}

// TxnAsOf is like Txn, but also conflicts with changes since a revision in the
// directories of the part.
func (p part) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	if !ofState(ops) {
		return at, p.Txn(ctx, ops...)
	}
	seen, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no revision of etcd's", at)
	}
	var guards []clientv3.Cmp
	for _, folder := range p.prefixes {
		if strings.HasSuffix(folder, "/") && len(guards) < engine.MostGuards {
			guards = append(guards, clientv3.Compare(clientv3.ModRevision(p.turnOf(folder)), "<", seen+1))
		}
	}
	made, err := p.make(ctx, ops, guards...)
	return strconv.FormatInt(made, 10), err
}
