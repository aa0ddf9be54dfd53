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
	"io"
	"os"
	"syscall"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/interrupt"
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
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	return failure.Report(ctx, stderr, newRoot(a, args).ExecuteContext(ctx))
}
