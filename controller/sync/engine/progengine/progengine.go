// Package progengine implements an engine in a separate program, so that only
// that program links the engine's libraries. Both sides exchange lines of JSON
// over the program's standard input and output. The program is started by the
// first request, and again if it has ended. It ends with the process that
// started it.
package progengine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Engine accesses a team's engine through a program. It is safe for concurrent
// use.
type Engine struct {
	place Place
	start func() (io.ReadWriteCloser, error)

	mu  sync.Mutex
	run *programRun // nil before the start and after the end of the program
}

// New returns an engine with connection parameters. start starts the program;
// see Program.
func New(place Place, start func() (io.ReadWriteCloser, error)) *Engine {
	return &Engine{place: place, start: start}
}

// programRun is one run of the program.
type programRun struct {
	pipe io.ReadWriteCloser

	mu       sync.Mutex
	encoder  *json.Encoder
	next     int
	waits    map[int]*wait
	endError error // reason of the end
}

// wait is a request whose answer is pending.
type wait struct {
	parts    chan reply
	canceled chan struct{} // closed when the caller gives up
}

// current returns the running program and starts it if necessary.
func (e *Engine) current() (*programRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run != nil && e.run.closed() == nil {
		return e.run, nil
	}
	pipe, err := e.start()
	if err != nil {
		return nil, err
	}
	t := &programRun{pipe: pipe, encoder: json.NewEncoder(pipe), waits: map[int]*wait{}}
	if t.encoder.Encode(request{Place: &e.place}) != nil { // it has already ended; its exit tells why
		return nil, noAnswerError(cmp.Or(pipe.Close(), errEnded))
	}
	go t.listen()
	e.run = t
	return t, nil
}

// Close ends the program. The next request starts it again.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run == nil {
		return nil
	}
	defer func() { e.run = nil }()
	return e.run.pipe.Close()
}

// listen distributes answers until the program ends.
func (t *programRun) listen() {
	d := json.NewDecoder(t.pipe)
	for {
		var r reply
		if err := d.Decode(&r); err != nil {
			if how := t.pipe.Close(); how != nil || errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				err = cmp.Or(how, errEnded)
			}
			t.end(err)
			return
		}
		t.mu.Lock()
		w := t.waits[r.ID]
		t.mu.Unlock()
		if w == nil {
			continue
		}
		select {
		case w.parts <- r:
		case <-w.canceled:
		}
	}
}

var errEnded = errors.New("it ended")

// noAnswerError returns the error of a program that does not answer.
func noAnswerError(why error) error {
	return fmt.Errorf("the engine's program does not answer: %w", why)
}

// end fails all pending requests, because the program has ended.
func (t *programRun) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.endError = noAnswerError(err)
	for _, w := range t.waits {
		close(w.parts)
	}
	clear(t.waits)
}

// closed returns the error with which the program ended, or nil while it runs.
func (t *programRun) closed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.endError
}

// ask sends a request and passes each part of the answer to f, except the last
// one, which it returns.
func (e *Engine) ask(ctx context.Context, r request, f func(reply)) (reply, error) {
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	t, err := e.current()
	if err != nil {
		return reply{}, err
	}
	id, w, err := t.begin(r)
	if err != nil {
		return reply{}, err
	}
	defer t.leave(id, w)
	for {
		select {
		case <-ctx.Done():
			t.cancel(id)
			return reply{}, ctx.Err()
		case part, ok := <-w.parts:
			switch {
			case !ok:
				return reply{}, t.closed()
			case !part.More:
				return part, part.Error.err()
			}
			f(part)
		}
	}
}

// begin sends a request. If writing fails, the program has ended or no longer
// reads. begin then closes it, and listen reports the reason to all pending
// requests.
func (t *programRun) begin(r request) (int, *wait, error) {
	id, w, err := t.send(r)
	if w != nil && err != nil {
		_ = t.pipe.Close()
		err = nil
	}
	return id, w, err
}

// send registers and writes a request. It returns no wait if the program is
// known to have ended.
func (t *programRun) send(r request) (int, *wait, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.endError != nil {
		return 0, nil, t.endError
	}
	t.next++
	r.ID = t.next
	w := &wait{parts: make(chan reply), canceled: make(chan struct{})}
	t.waits[r.ID] = w
	return r.ID, w, t.encoder.Encode(r)
}

// cancel tells the program to stop working on a request.
func (t *programRun) cancel(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.encoder.Encode(request{ID: id, Cancel: true})
}

// leave removes a pending request whose caller no longer waits.
func (t *programRun) leave(id int, w *wait) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(w.canceled)
	delete(t.waits, id)
}

// List returns the items with a key prefix. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items and their revision. See engine.Watcher.
func (e *Engine) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	last, err := e.ask(ctx, request{List: &prefix}, func(r reply) { items = append(items, r.Items...) })
	if err != nil {
		return nil, "", err
	}
	return items, last.Revision, nil
}

// Txn applies all changes or none. See engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.ask(ctx, request{Txn: ops}, func(reply) {})
	return err
}

// TxnAsOf is like Txn, but also conflicts with any later change of the state.
// See engine.Strict.
func (e *Engine) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	r, err := e.ask(ctx, request{Strict: ops, AsOf: at}, func(reply) {})
	return r.Revision, err
}

// maxOps is the maximum number of changes in one transaction of the program.
const maxOps = 100

// MostOps returns the maximum number of changes. See engine.Limited.
func (e *Engine) MostOps() int { return maxOps }

// Lease creates or renews a lease. See engine.Leaser.
func (e *Engine) Lease(ctx context.Context, last string, ttl time.Duration) (engine.Lease, error) {
	r, err := e.ask(ctx, request{Lease: &leaseFor{last, ttl.String()}}, func(reply) {})
	if err != nil || r.Lease == nil {
		return engine.Lease{}, err
	}
	return *r.Lease, nil
}

// Watch reports changes. See engine.Watcher.
func (e *Engine) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	_, err := e.ask(ctx, request{Watch: &watchFrom{prefix, after}}, func(r reply) { f(r.Items, r.Revision) })
	return err
}

// scope is a part of the program's engine.
type scope struct {
	*Engine
	prefixes []string
}

// Part returns a part of the engine. See engine.Grouped.
func (e *Engine) Part(prefixes ...string) engine.Part { return scope{e, prefixes} }

// List returns the items of the part.
func (p scope) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := p.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items of the part and their revision.
func (p scope) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	last, err := p.ask(ctx, request{List: &prefix, Part: p.prefixes}, func(r reply) { items = append(items, r.Items...) })
	if err != nil {
		return nil, "", err
	}
	return items, last.Revision, nil
}

// TxnAsOf is like Txn, but also conflicts with changes in the directories of
// the part.
func (p scope) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	r, err := p.ask(ctx, request{Strict: ops, AsOf: at, Part: p.prefixes}, func(reply) {})
	return r.Revision, err
}

// Watch reports changes in the part.
func (p scope) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	_, err := p.ask(ctx, request{Watch: &watchFrom{prefix, after}, Part: p.prefixes}, func(r reply) { f(r.Items, r.Revision) })
	return err
}
