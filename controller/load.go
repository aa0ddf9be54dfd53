package controller

import (
	"context"
	"sync"
)

// load counts the waiting and active keys of several queues, so that a caller
// can wait for all of them. A key is counted until after the keys that it adds
// are counted, so the count does not reach zero in between.
type load struct {
	mu    sync.Mutex
	open  int
	empty chan struct{} // closed when open is 0; nil without a waiter
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

// none reports whether the count is zero.
func (l *load) none() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0
}

// wait waits until the count is zero. It returns ctx's error if ctx ends first.
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

// whenEmpty returns a channel that closes when the count is zero. It returns
// nil if the count is zero now.
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
