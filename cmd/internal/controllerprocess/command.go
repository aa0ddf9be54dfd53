package controllerprocess

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

const usage = `Watches .idumb and keeps statuses and the packed context up to date, until Ctrl-C.
If another controller serves the repository, it prints its process and exits 0.

Usage:
  idumb-controller [-C DIR] [--poll DURATION] [--until-idle DURATION]

Flags:
`

// Main runs idumb-controller with the arguments after its name, and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("idumb-controller", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	dir := flags.String("C", ".", "act as if started in `DIR`")
	poll := flags.Duration("poll", 0, "poll for changes at this interval instead of inotify, for network mounts (for example 2s)")
	untilIdle := flags.Duration("until-idle", 0, "exit after this time without agent sessions (for example 30m); used by agents' hooks")
	showVersion := flags.Bool("version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err != nil:
		return fail(stderr, fmt.Errorf("%w; see --help", err))
	case flags.NArg() > 0:
		return fail(stderr, fmt.Errorf("unexpected argument %q; see --help", flags.Arg(0)))
	case *showVersion:
		fmt.Fprintln(stdout, "idumb-controller "+version.Current())
		return 0
	}
	root, err := layout.Find(*dir)
	if err != nil {
		return fail(stderr, err)
	}
	o := Options{Root: string(root), Version: version.Current(), Poll: *poll, UntilIdle: *untilIdle, Output: stdout, Err: stderr}
	if err := Foreground(context.Background(), o); err != nil {
		return fail(stderr, err)
	}
	return 0
}

// fail prints an error and returns the exit code 1.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "error:", err)
	return 1
}
