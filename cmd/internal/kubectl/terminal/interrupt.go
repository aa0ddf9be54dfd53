package terminal

import (
	"context"
	"os"
	"os/signal"
)

// SignalContext returns a copy of parent that is cancelled when one of the signals arrives. After that,
// signals have their default effect: a second one ends the process.
//
// stop cancels the context and restores the default effect of the signals. When it returns, no
// goroutine of SignalContext changes signals, so the process may exit. stop may be called several times,
// but not concurrently.
func SignalContext(parent context.Context, signals ...os.Signal) (ctx context.Context, stop func()) {
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
