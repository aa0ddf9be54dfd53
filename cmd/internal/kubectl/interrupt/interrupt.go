// Package interrupt ends what a program does at the first signal, and the program itself
// at the second.
package interrupt

import (
	"context"
	"os"
	"os/signal"
)

// Context returns a copy of parent that ends when one of the signals comes. From then on a
// signal does what it does to any program: a second one ends the process at once.
//
// stop gives the signals back where none came, and ends the context. When it returns,
// nothing of this is under way any more that would work on signals: the process may exit
// at once. It may be called more than once, but by one goroutine at a time.
func Context(parent context.Context, signals ...os.Signal) (ctx context.Context, stop func()) {
	ctx, restore := signal.NotifyContext(parent, signals...)
	restored := make(chan struct{})
	asIdle := context.AfterFunc(ctx, func() {
		defer close(restored)
		restore()
	})
	return ctx, func() {
		if asIdle() {
			restore()
			close(restored)
		}
		<-restored
	}
}
