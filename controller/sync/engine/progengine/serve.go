package progengine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// maxReplyItems is the maximum number of items in one reply.
const maxReplyItems = 500

// capabilities is what an engine must provide to be served: all optional interfaces of engines.
type capabilities interface {
	engine.Grouped
	engine.Leaser
	engine.Strict
}

// Serve answers requests until in ends, which means that the client has ended.
// open opens the engine for the client's connection parameters. If it fails,
// every request gets its error.
func Serve(ctx context.Context, in io.Reader, out io.Writer, open func(Place) (engine.Engine, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	s := server{ctx: ctx, encoder: json.NewEncoder(out), ends: map[int]context.CancelFunc{}, broken: errors.New("the client named no place")}
	defer s.all.Wait()
	defer cancel()
	for d := json.NewDecoder(in); ; {
		var r request
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		switch {
		case r.Place != nil:
			s.open(*r.Place, open)
		case r.Cancel:
			s.end(r.ID)
		default:
			s.start(r)
		}
	}
}

// server answers the requests of one client; see Serve.
type server struct {
	ctx    context.Context
	all    sync.WaitGroup
	engine capabilities
	broken error // reason for a missing engine

	mu      sync.Mutex // guards the following fields
	encoder *json.Encoder
	ends    map[int]context.CancelFunc
}

// open opens the engine of a place. On failure, every request gets the error.
func (s *server) open(place Place, open func(Place) (engine.Engine, error)) {
	e, err := open(place)
	able, can := e.(capabilities)
	if err == nil && !can {
		err = errors.New("the engine does not tell of changes, has no leases or is not strict")
	}
	s.engine, s.broken = able, err
}

// start executes a request in the background and sends its answer.
func (s *server) start(r request) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.ends[r.ID] = cancel
	s.mu.Unlock()
	s.all.Go(func() {
		defer s.end(r.ID)
		last := reply{ID: r.ID}
		err := s.broken
		if err == nil {
			err = s.answer(ctx, r, &last)
		}
		last.Error = failed(err)
		s.say(last)
	})
}

// end cancels a request, if it still runs, and forgets it.
func (s *server) end(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.ends[id]; cancel != nil {
		cancel()
	}
	delete(s.ends, id)
}

// say sends an answer or a part of one.
func (s *server) say(r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return // canceled requests get no answer
	}
	_ = s.encoder.Encode(r) // the client has ended; the end of its input ends the server
}

// answer executes a request. It stores the last part of the answer in last.
func (s *server) answer(ctx context.Context, r request, last *reply) error {
	var e engine.Part = s.engine
	if len(r.Part) > 0 {
		e = s.engine.Part(r.Part...)
	}
	switch {
	case r.List != nil:
		items, at, err := e.ListAt(ctx, *r.List)
		for chunk := range slices.Chunk(items, maxReplyItems) {
			s.say(reply{ID: r.ID, Items: chunk, More: true})
		}
		last.Revision = at
		return err
	case r.Txn != nil:
		return s.engine.Txn(ctx, r.Txn...)
	case r.Strict != nil:
		at, err := e.TxnAsOf(ctx, r.AsOf, r.Strict...)
		last.Revision = at
		return err
	case r.Lease != nil:
		ttl, err := time.ParseDuration(r.Lease.TTL)
		if err != nil {
			return err
		}
		lease, err := s.engine.Lease(ctx, r.Lease.Last, ttl)
		last.Lease = &lease
		return err
	case r.Watch != nil:
		return e.Watch(ctx, r.Watch.Prefix, r.Watch.Revision, func(changed []engine.Item, at string) {
			s.say(reply{ID: r.ID, Items: changed, Revision: at, More: true})
		})
	}
	return errors.New("the request contains no operation")
}
