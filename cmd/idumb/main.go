// Command idumb is the command line of iDumb: kubectl's verbs for the plans,
// tasks, anchors and memories of one repository. It works on the files; no verb
// needs a running controller except wait and -w.
//
// Data goes to standard output, everything else to standard error. Exit codes:
// 0 done, 1 an error, 130 interrupted; diff gives 1 for a difference and more
// for an error.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/failure"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/interrupt"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func main() {
	os.Exit(interruptible(os.Args[1:]))
}

// interruptible runs a command until it is done or a signal comes. After the first
// signal the default holds again, so that a second one ends the process at once.
func interruptible(args []string) int {
	ctx, stop := interrupt.Context(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}

// run runs one command and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, typed: args}
	if err := misplaced(args, "idumb"); err != nil {
		return failure.Report(ctx, stderr, err)
	}
	root := newRoot(a, args)
	if err := misplacedWithin(root, today(args)); err != nil {
		return failure.Report(ctx, stderr, err)
	}
	err := unqueued(root.ExecuteContext(ctx))
	return failure.Report(ctx, stderr, a.suggest(ctx, err))
}

// suggest adds to each error about an object that does not exist the name that may have been meant; to one
// about a word that is no kind, the name of a task.
func (a *app) suggest(ctx context.Context, err error) error {
	switch e := err.(type) {
	case *naming.UnknownKind:
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
			_ = a.suggest(ctx, one) // which it changes in place
		}
	}
	return err
}

// app is what every verb is given: the streams, the folder to work in, the clock.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string     // -C; "" is the working directory
	verbs          []string   // names of all commands
	acts           []acts.Act // the table, once it is asked for
	verb           string     // the one that runs
	typed          []string   // all that was typed behind "idumb"

	// wrote is told of each object that is written, with what its file held before; nil: nobody is.
	wrote func(key resources.Key, before []byte)
}

// now is the one clock of commands.
func (a *app) now() time.Time { return time.Now() }

// folder is the folder the command works in, absolute.
func (a *app) folder() (string, error) {
	dir, err := filepath.Abs(a.dir) // "" gives the working directory
	if err != nil {
		return "", fmt.Errorf("the working directory is gone: %w", err)
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

// errf prints what is not data: notices, progress.
func (a *app) errf(format string, args ...any) { fmt.Fprintf(a.stderr, format, args...) }
