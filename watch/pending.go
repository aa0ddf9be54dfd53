package watch

import (
	"sync"
	"time"
)

const (
	quietTime   = time.Millisecond      // quiet time after the last event of a path before it is reported
	maxDelay    = 10 * time.Millisecond // longest delay after the first event of a path
	minInterval = 2 * time.Millisecond  // shortest time between two reports of a path that keeps changing
	maxInterval = 50 * time.Millisecond // longest such time; it doubles with each report up to this
	forgetTime  = 4 * maxInterval       // quiet time after which a path starts with minInterval again
	restFactor  = 4                     // least wait for the timer of the next round, as a multiple of the last round's duration
)

// pending holds the paths to report, without duplicates. It is safe for concurrent use.
type pending struct {
	mu         sync.Mutex
	paths      map[string]*change
	eventsLost bool
	until      time.Time     // when the reporter looks again; zero: only when it is woken
	wake       chan struct{} // makes the reporter look earlier

	flushes []chan struct{} // closed when all paths are reported
}

// A change is the state of one path.
type change struct {
	first    time.Time // first event since the last report; zero if there was no event
	due      time.Time
	reported time.Time
	interval time.Duration
}

// newPending returns a pending without paths.
func newPending() *pending {
	return &pending{paths: map[string]*change{}, wake: make(chan struct{}, 1)}
}

// add records an event of a path. If settled is set, the file is complete and is reported without
// the quiet time.
func (p *pending) add(path string, now time.Time, settled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.paths[path]
	if c == nil {
		c = &change{}
		p.paths[path] = c
	}
	if c.first.IsZero() {
		c.first = now
	}
	c.due = now.Add(quietTime)
	if settled {
		c.due = now
	}
	if latest := c.first.Add(maxDelay); c.due.After(latest) {
		c.due = latest
	}
	if earliest := c.reported.Add(c.interval); c.due.Before(earliest) {
		c.due = earliest
	}
	p.wakeAt(c.due)
}

// loseEvents records that events were lost.
func (p *pending) loseEvents(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.eventsLost = true
	p.wakeAt(now)
}

// wakeAt wakes the reporter if its next round is later than due.
func (p *pending) wakeAt(due time.Time) {
	if !p.until.IsZero() && !due.Before(p.until) {
		return
	}
	p.until = due
	p.signal()
}

// signal wakes the reporter. It does not block.
func (p *pending) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// flush makes all paths that were added before due at once, and closes done after their reports.
func (p *pending) flush(done chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushes = append(p.flushes, done)
	p.signal()
}

// take returns the paths that are due, whether events were lost, the channels
// of flush to close after the reports, and the time of the next round (zero:
// when woken). After a flush all paths are due. take forgets paths that were
// quiet for forgetTime.
func (p *pending) take(now time.Time) (paths []string, lost bool, hasty []chan struct{}, next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lost, hasty = p.eventsLost, p.flushes
	p.eventsLost, p.flushes = false, nil
	for path, c := range p.paths {
		switch {
		case c.first.IsZero():
			if now.Sub(c.reported) > forgetTime {
				delete(p.paths, path)
			}
		case c.due.After(now) && len(hasty) == 0:
			if next.IsZero() || c.due.Before(next) {
				next = c.due
			}
		default:
			paths = append(paths, path)
			// The shortest time to the next report of the path doubles, or is reset after a long quiet time.
			if now.Sub(c.reported) > forgetTime {
				c.interval = minInterval
			} else {
				c.interval = min(2*c.interval, maxInterval)
			}
			c.first, c.reported = time.Time{}, now
		}
	}
	p.until = next
	return paths, lost, hasty, next
}

// run reports the paths that are due until done is closed. The path "" means
// that events were lost.
func (p *pending) run(done <-chan struct{}, report func(path string)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		began := time.Now()
		paths, lost, hasty, next := p.take(began)
		if lost {
			report("")
		}
		for _, path := range paths {
			report(path)
		}
		for _, done := range hasty {
			close(done)
		}
		if !next.IsZero() {
			timer.Reset(max(time.Until(next), restFactor*time.Since(began)))
		}
		select {
		case <-done:
			return
		case <-p.wake:
		case <-timer.C:
		}
	}
}
