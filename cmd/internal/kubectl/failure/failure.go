// Package failure says how the errors of commands read and which exit code they
// give. The words are kubectl's, without the server that we do not have.
package failure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Exit is an error that was already reported, or that is none for people: only
// the exit code is left to give.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Interrupted is the exit code of a command that was ended by Ctrl-C or SIGTERM.
const Interrupted = 130

// Report prints err for people, unless it is an Exit, and returns the exit code.
// ctx is the one the command ran under: when it was cancelled, what was
// interrupted is not an error worth a line.
func Report(ctx context.Context, w io.Writer, err error) int {
	var exit Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return Interrupted
	}
	fmt.Fprintln(w, terminal.Escape(text(err)))
	return 1
}

// text puts "error: " in front of an error that does not say by itself what it
// is. Several errors, joined, take a line each.
func text(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && isJoin(err, joined.Unwrap()) {
		lines := make([]string, 0, len(joined.Unwrap()))
		for _, e := range joined.Unwrap() {
			lines = append(lines, text(e))
		}
		return strings.Join(lines, "\n")
	}
	if _, ok := err.(*apierrors.Status); ok {
		return err.Error()
	}
	return "error: " + err.Error()
}

// isJoin tells errors.Join from fmt.Errorf with several %w: only the former is
// nothing but its parts.
func isJoin(err error, parts []error) bool {
	return err.Error() == errors.Join(parts...).Error()
}
