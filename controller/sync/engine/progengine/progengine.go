// Package progengine is an engine that another program is, so that what that one links is linked by
// nobody else. They speak by its standard input and output, in lines of JSON. It is started by the
// first question, and again if it is gone; it ends with whoever started it.
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

// Engine is a team's engine by way of a program. It may be used by many at once.
type Engine struct {
	place Place
	start func() (io.ReadWriteCloser, error)

	mu   sync.Mutex
	talk *talk // nil: none yet, or the last one ended
}

// New is the engine for a place. start starts the program; see Program.
func New(place Place, start func() (io.ReadWriteCloser, error)) *Engine {
	return &Engine{place: place, start: start}
}

// talk is one run of the program.
type talk struct {
	pipe io.ReadWriteCloser

	mu    sync.Mutex
	out   *json.Encoder
	next  int
	waits map[int]*wait
	ended error // why it is over
}

// wait is a question whose answer is not complete.
type wait struct {
	parts chan reply
	gone  chan struct{} // closed when nobody waits for it any more
}

// current is the program that runs, started if there is none.
func (e *Engine) current() (*talk, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.talk != nil && e.talk.over() == nil {
		return e.talk, nil
	}
	pipe, err := e.start()
	if err != nil {
		return nil, err
	}
	t := &talk{pipe: pipe, out: json.NewEncoder(pipe), waits: map[int]*wait{}}
	if t.out.Encode(request{Place: &e.place}) != nil { // it is gone already, and how it ended says why
		return nil, silent(cmp.Or(pipe.Close(), errEnded))
	}
	go t.listen()
	e.talk = t
	return t, nil
}

// Close ends the program. The next question starts it again.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.talk == nil {
		return nil
	}
	defer func() { e.talk = nil }()
	return e.talk.pipe.Close()
}

// listen hands out answers until the program ends.
func (t *talk) listen() {
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
		case <-w.gone:
		}
	}
}

var errEnded = errors.New("it ended")

// silent is the error of a program that gives no answer.
func silent(why error) error { return fmt.Errorf("the engine's program does not answer: %w", why) }

// end tells everybody who waits that no answer comes.
func (t *talk) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = silent(err)
	for _, w := range t.waits {
		close(w.parts)
	}
	clear(t.waits)
}

func (t *talk) over() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// ask asks, and hands each part of the answer to f until the last one, which it returns.
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
				return reply{}, t.over()
			case !part.More:
				return part, part.Error.err()
			}
			f(part)
		}
	}
}

// begin asks. A program that cannot be written to is gone, though listen may not have seen that yet, or takes no
// questions any more: it is ended, and listen tells who waits how it ended.
func (t *talk) begin(r request) (int, *wait, error) {
	id, w, err := t.put(r)
	if w != nil && err != nil {
		_ = t.pipe.Close()
		err = nil
	}
	return id, w, err
}

// put writes a question for whose answer somebody waits. There is no wait where the program is known to be gone.
func (t *talk) put(r request) (int, *wait, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return 0, nil, t.ended
	}
	t.next++
	r.ID = t.next
	w := &wait{parts: make(chan reply), gone: make(chan struct{})}
	t.waits[r.ID] = w
	return r.ID, w, t.out.Encode(r)
}

func (t *talk) cancel(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.out.Encode(request{ID: id, Cancel: true})
}

func (t *talk) leave(id int, w *wait) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(w.gone)
	delete(t.waits, id)
}

// List returns the items whose keys begin so. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt returns the items, and the moment. See engine.Watcher.
func (e *Engine) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	last, err := e.ask(ctx, request{List: &prefix}, func(r reply) { items = append(items, r.Items...) })
	if err != nil {
		return nil, "", err
	}
	return items, last.At, nil
}

// Txn makes all changes or none. See engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.ask(ctx, request{Txn: ops}, func(reply) {})
	return err
}

// TxnAsOf is Txn that conflicts with any change of the state since. See engine.Strict.
func (e *Engine) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	r, err := e.ask(ctx, request{Strict: ops, AsOf: at}, func(reply) {})
	return r.At, err
}

// atOnce is how many changes each such program makes at once.
const atOnce = 100

// MostOps is how many changes are made at once. See engine.Limited.
func (e *Engine) MostOps() int { return atOnce }

// Lease makes or keeps a lease. See engine.Leaser.
func (e *Engine) Lease(ctx context.Context, last string, ttl time.Duration) (engine.Lease, error) {
	r, err := e.ask(ctx, request{Lease: &leaseFor{last, ttl.String()}}, func(reply) {})
	if err != nil || r.Lease == nil {
		return engine.Lease{}, err
	}
	return *r.Lease, nil
}

// Watch tells of changes. See engine.Watcher.
func (e *Engine) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	_, err := e.ask(ctx, request{Watch: &watchFrom{prefix, after}}, func(r reply) { f(r.Items, r.At) })
	return err
}
