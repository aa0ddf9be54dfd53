package daemon

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
)

// nudges tell one who waits that there may be something to do. Any number of them while
// nobody waits are one.
type nudges struct {
	from func(controller.Change) bool // whether a change is one
	c    chan struct{}
}

func nudgesFrom(from func(controller.Change) bool) nudges {
	return nudges{from, make(chan struct{}, 1)}
}

// change is for controller.Options.OnChange: it never waits.
func (n nudges) change(c controller.Change) {
	if !n.from(c) {
		return
	}
	select {
	case n.c <- struct{}{}:
	default:
	}
}

// wait waits for a nudge, and then for so long: what comes in a burst is seen to at once.
// false: ctx ended.
func (n nudges) wait(ctx context.Context, burst time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-n.c:
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(burst):
	}
	select {
	case <-n.c: // it is part of what is looked at now
	default:
	}
	return true
}
