package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// ErrUnproven: it cannot be shown that every change was reported. Who has to know
// looks at the files himself.
var ErrUnproven = errors.New("it cannot be shown that every change was reported")

// proofPatience is how long Sync waits at most, and a comparison of everything may take
// to serve as a proof: whoever asks reads the files himself in not much longer.
const proofPatience = 20 * time.Millisecond

// Sync returns nil when every path that changed before the call has been reported,
// without regard to how long a path is otherwise waited for; a loss of history counts
// as the report of all. Any error says that nothing is known: most often it wraps
// ErrUnproven, and comes within 20 ms. It may be called by many goroutines at once,
// but not from Run's report.
//
// The proof is a cookie: a change that the watcher makes itself. The system reports
// changes in the order in which they were made, so that what was there before the
// cookie has been seen when the cookie is. Who asks while one is on its way waits for
// the next, together with all others. Where the system reports nothing, or not in
// order (anywhere but on Linux), all files are compared instead, if they are on this
// machine and that takes no longer than the patience. Changes through mmap are not
// covered.
func (w *Watcher) Sync(ctx context.Context) error {
	w.init()
	r, err := w.proofs.join()
	if err != nil {
		return err
	}
	timer := time.NewTimer(proofPatience)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
		return fmt.Errorf("%w within %s", ErrUnproven, proofPatience)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if r.err == nil && w.anyBlind() {
		return fmt.Errorf("%w: the system does not watch some folders", ErrUnproven)
	}
	return r.err
}

// arrived ends a round: its cookie was seen, or the files were compared for it. What is
// pending is reported first.
func (w *Watcher) arrived(r *round) {
	if w.proofs.arrived(r) {
		w.pending.flush(r.done)
	}
}

// round is one proof and all who wait for it.
type round struct {
	asked time.Time
	err   error         // why there is no proof
	done  chan struct{} // closed when err is final
}

func (r *round) fail(why string) {
	r.err = fmt.Errorf("%w: %s", ErrUnproven, why)
	close(r.done)
}

// proofs are the rounds of Sync. At most one cookie is on its way, or it could not be
// told for whom one is that comes in late.
type proofs struct {
	look func() // asks for a comparison of everything

	mu         sync.Mutex
	comparable bool // a comparison of everything shows what changed
	took       time.Duration
	cookie     *cookie // nil: there is none
	current    *round  // was asked for
	next       *round  // is asked for when current has ended
}

// renew gives up on the cookie that may be on its way and takes another one, which
// cannot be taken for it; none if system is nil: then all files are compared, if they can be.
func (p *proofs) renew(system *fsnotify.Watcher, comparable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.comparable = comparable
	for _, r := range []*round{p.current, p.next} {
		if r != nil {
			r.fail("changes were missed meanwhile")
		}
	}
	p.current, p.next = nil, nil
	old := p.cookie
	p.cookie = nil
	if system != nil {
		p.cookie = newCookie(system)
	}
	if old != nil { // after the new one was made, which therefore has another name
		old.close()
	}
}

// cookieSeen reports whether a path is the cookie's, and the round that it was sent for.
func (p *proofs) cookieSeen(path string) (r *round, ours bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current, p.cookie != nil && p.cookie.path == path
}

// join returns the round that proves what the caller wants to know: one that is asked
// for from now on.
func (p *proofs) join() (*round, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.cookie == nil && (!p.comparable || p.took > proofPatience):
		return nil, fmt.Errorf("%w: nobody watches, or the system does not report changes, and comparing all files takes too long or shows too little", ErrUnproven)
	case p.current == nil:
		return p.ask(&round{done: make(chan struct{})}), nil
	case time.Since(p.current.asked) > proofPatience:
		return nil, fmt.Errorf("%w: the reports are late", ErrUnproven)
	case p.next == nil:
		p.next = &round{done: make(chan struct{})}
	}
	return p.next, nil
}

// ask begins a round.
func (p *proofs) ask(r *round) *round {
	p.current, r.asked = r, time.Now()
	if p.cookie == nil {
		p.look()
	} else if err := p.cookie.send(); err != nil {
		p.current = nil
		r.fail(err.Error())
	}
	return r
}

// arrived reports whether a round is the one that was asked for, which has ended so, and
// begins the next if somebody waits for it.
func (p *proofs) arrived(r *round) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r == nil || r != p.current {
		return false
	}
	next := p.next
	if p.current, p.next = nil, nil; next != nil {
		p.ask(next)
	}
	return true
}

// comparison is the round that a comparison that begins now is for, nil if there is none, and
// whether comparisons are what proves.
func (p *proofs) comparison() (r *round, compares bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cookie != nil {
		return nil, false
	}
	return p.current, true
}

// compared notes how long a comparison took.
func (p *proofs) compared(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = d
}
