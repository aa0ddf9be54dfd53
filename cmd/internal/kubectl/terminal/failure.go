package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Exit is the exit code of an error that was already reported or needs no message.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Interrupted is the exit code after Ctrl-C or SIGTERM.
const Interrupted = 130

// ReportError prints err, unless it is an Exit, and returns the exit code. ctx is the context of the
// command: if it was cancelled, an error of the cancellation is not printed.
func ReportError(ctx context.Context, w io.Writer, err error) int {
	var exit Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return Interrupted
	}
	fmt.Fprintln(w, Escape(text(err)))
	return 1
}

// text puts "error: " before an error, unless it begins with a Status, which names its reason. Joined errors
// take a line each.
func text(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && isJoin(err, joined.Unwrap()) {
		lines := make([]string, 0, len(joined.Unwrap()))
		for _, e := range joined.Unwrap() {
			lines = append(lines, text(e))
		}
		return strings.Join(lines, "\n")
	}
	if s := (*apierrors.Status)(nil); errors.As(err, &s) && strings.HasPrefix(err.Error(), s.Error()) {
		return err.Error()
	}
	return "error: " + err.Error()
}

// isJoin distinguishes errors.Join from fmt.Errorf with several %w: the former has no text except
// its parts.
func isJoin(err error, parts []error) bool {
	return err.Error() == errors.Join(parts...).Error()
}

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
