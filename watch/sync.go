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

func (w *Watcher) anyBlind() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.blind) > 0
}

// arrived ends a round: the files were compared for it, or, if it is nil, the cookie
// was seen. What is pending is reported first.
func (w *Watcher) arrived(compared *round) {
	if r := w.proofs.arrived(compared); r != nil {
		w.pending.flush(r.done)
	}
}

// round is one proof and all who wait for it.
type round struct {
	asked   time.Time
	compare bool          // all files are to be compared; there is no cookie
	err     error         // why there is no proof
	done    chan struct{} // closed when err is final
}

func (r *round) fail(why string) {
	r.err = fmt.Errorf("%w: %s", ErrUnproven, why)
	close(r.done)
}

// proofs are the rounds of Sync. At most one cookie is on its way, or it could not be
// told for whom one is that comes in late.
type proofs struct {
	look chan struct{} // asks for a comparison of everything

	mu         sync.Mutex
	running    bool // Run is
	comparable bool // a comparison of everything shows what changed
	took       time.Duration
	cookie     *cookie // nil: there is none
	system     *fsnotify.Watcher
	current    *round // was asked for
	next       *round // is asked for when current has ended
}

// begin is called when Run begins.
func (p *proofs) begin(comparable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.comparable = true, comparable
}

// end is called when Run ends.
func (p *proofs) end() {
	p.renew(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = false
}

// renew gives up on the cookie that may be on its way and takes another one, which
// cannot be taken for it; none if system is nil.
func (p *proofs) renew(system *fsnotify.Watcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range []*round{p.current, p.next} {
		if r != nil {
			r.fail("changes were missed meanwhile")
		}
	}
	p.current, p.next = nil, nil
	old, watchedBy := p.cookie, p.system
	p.cookie, p.system = nil, system
	if system != nil {
		p.cookie = newCookie(system)
	}
	if old != nil { // after the new one was made, which therefore has another name
		old.close(watchedBy)
	}
}

func (p *proofs) isCookie(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cookie != nil && p.cookie.path == path
}

// byCookie reports whether the system's reports are the proof, and not a comparison.
func (p *proofs) byCookie() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cookie != nil
}

// join returns the round that proves what the caller wants to know: one that is asked
// for from now on.
func (p *proofs) join() (*round, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.running:
		return nil, fmt.Errorf("%w: nobody watches", ErrUnproven)
	case p.cookie == nil && (!p.comparable || p.took > proofPatience):
		return nil, fmt.Errorf("%w: the system does not report changes, and comparing all files takes too long or shows too little", ErrUnproven)
	case p.current == nil:
		return p.ask(), nil
	case time.Since(p.current.asked) > proofPatience:
		return nil, fmt.Errorf("%w: the reports are late", ErrUnproven)
	case p.next == nil:
		p.next = &round{done: make(chan struct{})}
	}
	return p.next, nil
}

// ask begins the next round.
func (p *proofs) ask() *round {
	r := p.next
	if r == nil {
		r = &round{done: make(chan struct{})}
	}
	p.current, p.next = r, nil
	r.asked, r.compare = time.Now(), p.cookie == nil
	if r.compare {
		select {
		case p.look <- struct{}{}:
		default:
		}
	} else if err := p.cookie.send(); err != nil {
		p.current = nil
		r.fail(err.Error())
	}
	return r
}

// arrived takes the round that has ended, and begins the next if somebody waits for it.
func (p *proofs) arrived(compared *round) *round {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.current
	if r == nil || r.compare != (compared != nil) || compared != nil && compared != r {
		return nil
	}
	p.current = nil
	if p.next != nil {
		p.ask()
	}
	return r
}

// comparison is the round that a comparison that begins now is for, nil if there is none.
func (p *proofs) comparison() *round {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != nil && p.current.compare {
		return p.current
	}
	return nil
}

// compared notes how long a comparison took.
func (p *proofs) compared(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = d
}
