package controller

import (
	"context"
	"sync"
)

// workCounter counts the waiting and active keys of several queues, so that a caller
// can wait for all of them. A key is counted until after the keys that it adds
// are counted, so the count does not reach zero in between.
type workCounter struct {
	mu          sync.Mutex
	count       int
	emptySignal chan struct{} // closed when count is 0; nil without a waiter
}

// add changes the count by n. At zero it wakes the callers of wait.
func (l *workCounter) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count += n
	if l.count == 0 && l.emptySignal != nil {
		close(l.emptySignal)
		l.emptySignal = nil
	}
}

// isEmpty reports whether the count is zero.
func (l *workCounter) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count == 0
}

// wait waits until the count is zero. It returns ctx's error if ctx ends first.
func (l *workCounter) wait(ctx context.Context) error {
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
func (l *workCounter) whenEmpty() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count == 0 {
		return nil
	}
	if l.emptySignal == nil {
		l.emptySignal = make(chan struct{})
	}
	return l.emptySignal
}
