package etcdengine

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

// How long an answer may take until it is asked why there is none, and how long that may.
const (
	lateAfter = 2 * time.Second
	lookAt    = 3 * time.Second
)

// Open is the engine at a place. Nothing is asked of the etcd yet.
func Open(place progengine.Place) (*Engine, error) {
	secure, err := tlsOf(place)
	if err != nil {
		return nil, settingsWrong(err)
	}
	client, err := Dial(place)
	if err != nil {
		return nil, err
	}
	var record Record
	if place.Record != "" {
		record = File(place.Record)
	}
	e, err := New(client, place.Team, place.Repo, record)
	if err != nil {
		return nil, errors.Join(settingsWrong(err), client.Close())
	}
	e.secure = secure
	return e, nil
}

// Close ends what reaches the etcd.
func (e *Engine) Close() error { return e.client.Close() }

// call asks something, with limited patience. The client of etcd waits for a server that is to come
// and does not say why there is none: where an answer is late, a look at the servers says it.
func (e *Engine) call(ctx context.Context, verb string, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	late := time.AfterFunc(lateAfter, func() {
		if err := e.reach(ctx); err != nil {
			end(err)
		}
	})
	defer late.Stop()
	err := ask(ctx)
	if why := context.Cause(ctx); err != nil && why != nil && !errors.Is(why, context.Canceled) && !errors.Is(why, context.DeadlineExceeded) {
		err = why
	}
	return e.failure(verb, err)
}

// reach says why none of the servers can be spoken with; nil if one can.
func (e *Engine) reach(ctx context.Context) error {
	var failed error
	for _, address := range e.client.Endpoints() {
		u, err := url.Parse(address)
		if err == nil {
			err = e.greet(ctx, u.Host)
		}
		if err == nil || ctx.Err() != nil {
			return nil
		}
		failed = err
	}
	return failed
}

// greet speaks with a server until it says anything. One that wants another certificate says so then;
// one that says nothing may be busy, and is waited for.
func (e *Engine) greet(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, lookAt)
	defer cancel()
	var conn net.Conn
	var err error
	if e.secure == nil {
		conn, err = new(net.Dialer).DialContext(ctx, "tcp", host)
	} else {
		config := e.secure.Clone()
		config.NextProtos = []string{"h2"}
		conn, err = (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", host)
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	if e.secure == nil {
		return nil
	}
	_ = conn.SetReadDeadline(time.Now().Add(lookAt))
	_, err = conn.Read(make([]byte, 1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}
