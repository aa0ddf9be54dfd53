package controller

import (
	"context"
	"sync"
)

// load counts the keys that wait or are being processed in a group of queues, so
// that one can wait for all of them to be done. A key that leads to another is
// counted until after that one is: the count does not touch zero in between.
type load struct {
	mu    sync.Mutex
	open  int
	empty chan struct{} // closed when open is 0; nil while nobody waits
}

func (l *load) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += n
	if l.open == 0 && l.empty != nil {
		close(l.empty)
		l.empty = nil
	}
}

// none reports whether nothing is open right now.
func (l *load) none() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0
}

// wait returns when nothing is open, or with ctx's error.
func (l *load) wait(ctx context.Context) error {
	for {
		empty := l.whenEmpty()
		if empty == nil {
			return nil
		}
		select {
		case <-empty:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// whenEmpty returns a channel that closes when nothing is open; nil if that is so now.
func (l *load) whenEmpty() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == 0 {
		return nil
	}
	if l.empty == nil {
		l.empty = make(chan struct{})
	}
	return l.empty
}
