// Idumb-sync is the etcd engine of sync. It is a separate program, because an
// etcd client makes a program much larger and slower to start. Idumb and
// idumb-controller start it if the user shares claims through etcd, communicate
// over its standard input and output, and end it when they end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

const usage = `Connects idumb and idumb-controller to an etcd. They start it automatically if
claims are shared through etcd; see idumb sync enable --help. Do not run it yourself.

Usage:
  idumb-sync [--version]
`

func main() {
	signal.Ignore(os.Interrupt) // it ends after the process that started it
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run serves the etcd engine on stdin and stdout, and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("idumb-sync", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	showVersion := flags.Bool("version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		return fail(stderr, fmt.Errorf("%w; see --help", err))
	case flags.NArg() > 0:
		return fail(stderr, fmt.Errorf("unexpected argument %q; see --help", flags.Arg(0)))
	case *showVersion:
		fmt.Fprintln(stdout, "idumb-sync "+version.Current())
		return 0
	}
	if err := progengine.Serve(context.Background(), stdin, stdout, func(p progengine.Place) (engine.Engine, error) { return etcdengine.Open(p) }); err != nil {
		return fail(stderr, err)
	}
	return 0
}

// fail prints an error and returns the exit code 1.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "error:", err)
	return 1
}
