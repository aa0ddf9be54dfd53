package etcdengine

import (
	"context"
	"fmt"

	"google.golang.org/grpc/connectivity"
)

// whileTheSame is a context that ends, with the reason, where the etcd is not any more what it was: one that was set
// back would tell a watch of nothing until it is as far as it was. An etcd is set back while it is down, so that it
// is looked at whenever it is reached again, and never while nothing happens.
func (e *Engine) whileTheSame(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		conn := e.client.ActiveConnection()
		for state := conn.GetState(); conn.WaitForStateChange(ctx, state); {
			if state = conn.GetState(); state != connectivity.Ready {
				continue
			}
			if err := e.same(ctx); err != nil {
				cancel(err)
				return
			}
		}
	}()
	return ctx, cancel
}

// same reports an error where the etcd is another one, or behind what was seen of it, and has the next list say so
// as well. One that does not answer is looked at when it is reached again.
func (e *Engine) same(ctx context.Context) error {
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
