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

// Delay before a late answer is diagnosed, and timeout of the diagnosis.
const (
	lateAfter = 2 * time.Second
	lookAt    = 3 * time.Second
)

// Open returns the engine for these connection parameters. It sends no request.
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

// Close closes the connection to etcd.
func (e *Engine) Close() error { return e.client.Close() }

// call calls ask with a timeout. The etcd client waits for an unreachable
// server without reporting the reason. If the answer is late, reach determines
// the reason.
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

// reach returns the reason why no server is reachable, or nil if one is.
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

// greet connects to a server and waits for its first message. A server that
// rejects the certificate reports that here. A silent server may be busy, so
// greet returns no error after a timeout.
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
