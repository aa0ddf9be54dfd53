// Command idumb is the command line of iDumb: kubectl's verbs for the plans, tasks, anchors and
// mems of a repository. It asks a running controller, and reads the files if none answers. It writes
// the files.
//
// Data is written to standard output, everything else to standard error. Exit codes: 0 success, 1
// error, 130 interrupted; diff returns 1 for a difference and more for an error.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func main() {
	os.Exit(interruptible(os.Args[1:]))
}

// interruptible runs a command until it is done or a signal arrives. A second signal ends the
// process immediately.
func interruptible(args []string) int {
	ctx, stop := terminal.SignalContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}

// run runs one command and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, typed: args}
	if err := misplacedFlag(args, "idumb"); err != nil {
		return terminal.ReportError(ctx, stderr, err)
	}
	root := newRoot(a, args)
	if err := misplacedWithin(root, currentNames(args)); err != nil {
		return terminal.ReportError(ctx, stderr, err)
	}
	err := unqueued(root.ExecuteContext(ctx))
	return terminal.ReportError(ctx, stderr, a.suggest(ctx, err))
}

// suggest adds a similar name to each error about an object that does not exist, and a task's name
// to an error about an unknown kind.
func (a *app) suggest(ctx context.Context, err error) error {
	switch e := err.(type) {
	case *unknownKindError:
		if near := resources.Nearest(e.Word, a.namesOf(ctx, resources.Tasks, "", nil)); near != "" {
			return fmt.Errorf("%w\nDid you mean %q?", err, "task/"+near)
		}
	case *apierrors.Status:
		if e.Missing.Kind == "" {
			break
		}
		if near := resources.Nearest(e.Missing.Name, a.namesOf(ctx, e.Missing.Kind, "", nil)); near != "" && near != e.Missing.Name {
			e.Message += fmt.Sprintf("\nDid you mean %q?", near)
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			_ = a.suggest(ctx, one) // changes the error in place
		}
	}
	return err
}

// app contains the streams, the working directory and the clock of the verbs.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string              // value of -C; empty means the working directory
	verbs          []string            // names of all commands
	acts           []acts.Act          // nil until needed
	verb           string              // verb that is running
	colour         terminal.ColourMode // value of --color
	typed          []string            // all arguments after "idumb"

	// afterWrite is called for each written object with the previous content of its file; nil for
	// no call.
	afterWrite func(key resources.Key, before []byte)
}

// now returns the current time. All verbs use this clock.
func (a *app) now() time.Time { return time.Now() }

// folder returns the absolute working directory.
func (a *app) folder() (string, error) {
	dir, err := filepath.Abs(a.dir) // an empty path means the working directory
	if err != nil {
		return "", fmt.Errorf("the working directory no longer exists: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("-C %s: %w", a.dir, err)
	} else if !info.IsDir() {
		return "", fmt.Errorf("-C %s: not a folder", a.dir)
	}
	return dir, nil
}

// outf prints data.
func (a *app) outf(format string, args ...any) { fmt.Fprintf(a.stdout, format, args...) }

// errf prints notices and progress.
func (a *app) errf(format string, args ...any) { fmt.Fprintf(a.stderr, format, args...) }
