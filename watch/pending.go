package watch

import (
	"sync"
	"time"
)

const (
	quiet   = time.Millisecond      // a path is reported when nothing happened to it for so long
	atMost  = 10 * time.Millisecond // or so long after the first event
	minGap  = 2 * time.Millisecond  // between two reports of a path that keeps changing,
	maxGap  = 50 * time.Millisecond // doubled each time up to this
	forget  = 4 * maxGap            // a path that was quiet for so long starts anew
	restFor = 4                     // times what a round took is the least time to the next one
)

// pending holds the paths that are to be reported, each once. Its methods may be
// called at once.
type pending struct {
	mu    sync.Mutex
	paths map[string]*change
	lost  bool
	until time.Time     // when the reporter looks again by itself; zero: not at all
	wake  chan struct{} // tells the reporter to look earlier

	hasty []chan struct{} // who waits until all paths are reported
}

// change is what is known of one path.
type change struct {
	first    time.Time // event since the last report; zero: there is none
	due      time.Time
	reported time.Time
	gap      time.Duration
}

func newPending() *pending {
	return &pending{paths: map[string]*change{}, wake: make(chan struct{}, 1)}
}

// add notes that something happened to a path. settled: it looks whole, there is
// no need to wait for more.
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
	c.due = now.Add(quiet)
	if settled {
		c.due = now
	}
	if latest := c.first.Add(atMost); c.due.After(latest) {
		c.due = latest
	}
	if earliest := c.reported.Add(c.gap); c.due.Before(earliest) {
		c.due = earliest
	}
	p.rouse(c.due)
}

// lose notes that history was lost.
func (p *pending) lose(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = true
	p.rouse(now)
}

// rouse wakes the reporter if it would otherwise look too late.
func (p *pending) rouse(due time.Time) {
	if !p.until.IsZero() && !due.Before(p.until) {
		return
	}
	p.until = due
	p.signal()
}

func (p *pending) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// flush has all paths reported without delay that were added so far; done is closed then.
func (p *pending) flush(done chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hasty = append(p.hasty, done)
	p.signal()
}

// take returns what is to be reported now, who has to be told then, and when to come again
// (zero: when woken). Where somebody called flush, all paths are due.
func (p *pending) take(now time.Time) (paths []string, lost bool, hasty []chan struct{}, next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lost, hasty = p.lost, p.hasty
	p.lost, p.hasty = false, nil
	for path, c := range p.paths {
		switch {
		case c.first.IsZero():
			if now.Sub(c.reported) > forget {
				delete(p.paths, path)
			}
		case c.due.After(now) && len(hasty) == 0:
			if next.IsZero() || c.due.Before(next) {
				next = c.due
			}
		default:
			paths = append(paths, path)
			c.taken(now)
		}
	}
	p.until = next
	return paths, lost, hasty, next
}

// taken notes a report: the next one of the same path has to wait longer.
func (c *change) taken(now time.Time) {
	if now.Sub(c.reported) > forget {
		c.gap = minGap
	} else {
		c.gap = min(2*c.gap, maxGap)
	}
	c.first, c.reported = time.Time{}, now
}

// run reports what comes due until done is closed.
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
			timer.Reset(max(time.Until(next), restFor*time.Since(began)))
		}
		select {
		case <-done:
			return
		case <-p.wake:
		case <-timer.C:
		}
	}
}
