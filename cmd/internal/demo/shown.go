package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// whileShown returns a context that ends when out can no longer be written to, as behind
// "| head", and out so that it does. Until stop is called such a write is an error and does
// not end the process: what the demo started has to be ended first.
func whileShown(parent context.Context, out io.Writer) (ctx context.Context, shown io.Writer, stop func()) {
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &watched{out, cancel}, func() {
		signal.Stop(pipes)
		cancel(nil)
	}
}

// watched is a writer that tells when it fails.
type watched struct {
	io.Writer
	failed context.CancelCauseFunc
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.failed(fmt.Errorf("the demo ends early: nobody reads what it shows: %w", err))
	}
	return n, err
}
