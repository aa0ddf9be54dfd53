package etcdengine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Watch reports changes since a revision. See engine.Watcher. It continues if
// another member of the etcd cluster takes over.
func (e *Engine) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	from, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no revision of etcd's", after)
	}
	ctx, cancel := e.whileTheSame(clientv3.WithRequireLeader(ctx))
	defer cancel(nil)
	return e.watchRange(ctx, e.rangeOf(prefix), from, func(events []*clientv3.Event) { e.tell(prefix, events, f) })
}

// tell passes events to f, one call per transaction.
func (e *Engine) tell(prefix string, events []*clientv3.Event, f func([]engine.Item, string)) {
	var changed []engine.Item
	for i, event := range events {
		item, ours := e.item(event.Kv)
		if string(event.Kv.Key) == e.prefix+turnKey || strings.HasPrefix(item.Key, engine.State) {
			e.sawTurn(event.Kv.ModRevision)
		}
		if event.Type == clientv3.EventTypeDelete {
			item.Value = nil
		}
		if ours && strings.HasPrefix(item.Key, prefix) {
			changed = append(changed, item)
		}
		last := i == len(events)-1 || events[i+1].Kv.ModRevision != event.Kv.ModRevision
		if last && len(changed) > 0 {
			f(changed, strconv.FormatInt(event.Kv.ModRevision, 10))
			changed = nil
		}
	}
}

// Compact compacts etcd's history up to now and waits until the disk space is
// free for a defragmentation. It is for tests and for administrators.
func (e *Engine) Compact(ctx context.Context) error {
	_, at, err := e.ListAt(ctx, claims)
	if err != nil {
		return err
	}
	rev, err := strconv.ParseInt(at, 10, 64)
	if err == nil {
		_, err = e.client.Compact(ctx, rev, clientv3.WithCompactPhysical())
	}
	if errors.Is(err, rpctypes.ErrCompacted) {
		return nil
	}
	return err
}
