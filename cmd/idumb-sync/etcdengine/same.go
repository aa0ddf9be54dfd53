package etcdengine

import (
	"context"
	"fmt"

	"google.golang.org/grpc/connectivity"
)

// whileTheSame returns a context that is canceled with the reason if etcd was
// restored or replaced. A watch on a restored etcd would report nothing until
// the old revision is reached again. An etcd is restored while it is down, so
// the check runs at each reconnect.
func (e *Engine) whileTheSame(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		conn := e.client.ActiveConnection()
		for state := conn.GetState(); conn.WaitForStateChange(ctx, state); {
			if state = conn.GetState(); state != connectivity.Ready {
				continue
			}
			if err := e.checkCluster(ctx); err != nil {
				cancel(err)
				return
			}
		}
	}()
	return ctx, cancel
}

// checkCluster returns an error if etcd was replaced or is behind the last seen state,
// and makes the next listing report it too. It returns nil if etcd does not
// answer; the next reconnect checks again.
func (e *Engine) checkCluster(ctx context.Context) error {
	turned := e.turned.Load()
	last, err := e.last()
	if err != nil {
		return err
	}
	r, err := e.get(ctx, e.prefix+turnKey)
	if err != nil {
		return nil
	}
	if err := e.remember(last, r.Header); err != nil {
		return err
	}
	now := int64(0)
	if len(r.Kvs) > 0 {
		now = r.Kvs[0].ModRevision
	}
	if now >= turned {
		return nil
	}
	if e.record != nil && r.Header.Revision < turned {
		last.Revision = turned
		err = e.record.Save(last)
	}
	if err != nil {
		return err
	}
	return setBack(fmt.Errorf("the last change of the team's objects was revision %d of etcd, and is %d now", turned, now))
}
