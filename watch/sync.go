package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// ErrUnproven is returned by Sync if it cannot prove that every change was reported. The caller
// then reads the files directly.
var ErrUnproven = errors.New("it cannot be shown that every change was reported")

// proofPatience is the timeout of Sync and the longest comparison that can serve as a proof.
// Reading the files directly takes about as long.
const proofPatience = 20 * time.Millisecond

// Sync returns nil after every path that changed before the call has been reported. It does not
// wait for the quiet time of a path. A report of lost history counts as a report of all paths. It
// returns an error, usually within 20 ms and wrapping ErrUnproven, if it cannot prove that. It is
// safe for concurrent use, but must not be called from Run's report.
//
// The proof is a cookie: a change that the watcher makes. The system reports changes in the order
// in which they were made, so every earlier change has been seen when the cookie is seen. Callers
// that arrive while a cookie is in flight share the next one. If the system reports no changes,
// or not in order (everywhere but on Linux), Sync compares all files instead, provided that they
// are on a local file system and that the comparison takes less than proofPatience. Changes
// through mmap are not covered.
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
	if r.err == nil && w.hasUnwatched() {
		return fmt.Errorf("%w: the system does not watch some folders", ErrUnproven)
	}
	return r.err
}

// arrived ends a round after its cookie was seen or its comparison was made. Pending paths are
// reported first.
func (w *Watcher) arrived(r *round) {
	if w.proofs.arrived(r) {
		w.pending.flush(r.done)
	}
}

// A round is one proof, shared by all callers that wait for it.
type round struct {
	started time.Time
	err     error         // why the proof failed
	done    chan struct{} // closed when err is final
}

// fail ends the round with an error that wraps ErrUnproven. The callers of Sync that share the
// round receive it.
func (r *round) fail(why string) {
	r.err = fmt.Errorf("%w: %s", ErrUnproven, why)
	close(r.done)
}

// proofs manages the rounds of Sync. At most one cookie is in flight, because a late cookie could
// not be assigned to its round.
type proofs struct {
	requestComparison func() // requests a comparison of all files

	mu             sync.Mutex
	comparable     bool // a comparison detects every change
	comparisonTime time.Duration
	cookie         *cookie // nil if the system has none
	current        *round  // in flight
	next           *round  // starts when current ends
}

// renew drops the cookie in flight, fails its rounds, and creates a cookie with another name. If
// system is nil, Sync relies on comparisons, provided that comparable is set.
func (p *proofs) renew(system *fsnotify.Watcher, comparable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.comparable = comparable
	for _, r := range []*round{p.current, p.next} {
		if r != nil {
			r.fail("changes were missed")
		}
	}
	p.current, p.next = nil, nil
	old := p.cookie
	p.cookie = nil
	if system != nil {
		p.cookie = newCookie(system)
	}
	if old != nil { // closed after the new cookie exists, so that their names differ
		old.close()
	}
}

// roundOfCookie reports whether path is the cookie, and returns the round in flight.
func (p *proofs) roundOfCookie(path string) (r *round, ours bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current, p.cookie != nil && p.cookie.path == path
}

// join returns the round that proves the caller's question: one that starts
// after the call. It returns an error that wraps ErrUnproven if no round can be
// in time.
func (p *proofs) join() (*round, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.cookie == nil && (!p.comparable || p.comparisonTime > proofPatience):
		return nil, fmt.Errorf("%w: no watcher runs or the system does not report changes, and a comparison of all files is too slow or incomplete", ErrUnproven)
	case p.current == nil:
		return p.ask(&round{done: make(chan struct{})}), nil
	case time.Since(p.current.started) > proofPatience:
		return nil, fmt.Errorf("%w: the reports are late", ErrUnproven)
	case p.next == nil:
		p.next = &round{done: make(chan struct{})}
	}
	return p.next, nil
}

// ask starts a round: it sends the cookie. Without a cookie it requests a
// comparison. If the cookie cannot be sent, the round fails.
func (p *proofs) ask(r *round) *round {
	p.current, r.started = r, time.Now()
	if p.cookie == nil {
		p.requestComparison()
	} else if err := p.cookie.send(); err != nil {
		p.current = nil
		r.fail(err.Error())
	}
	return r
}

// arrived reports whether r is the round in flight. It ends r and starts the next round if a caller
// waits for it.
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

// comparison returns the round that the comparison beginning now belongs to, nil if none exists,
// and whether Sync relies on comparisons.
func (p *proofs) comparison() (r *round, compares bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cookie != nil {
		return nil, false
	}
	return p.current, true
}

// recordComparison stores the duration of the last comparison; see join.
func (p *proofs) recordComparison(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.comparisonTime = d
}
