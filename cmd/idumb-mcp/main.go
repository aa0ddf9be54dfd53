// Idumb-mcp serves the tools of agents over MCP, on standard input and output.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/cmd/internal/version"
)

const usage = `Serves iDumb's tools to an agent over MCP, on standard input and output, until the
input ends. Agents start it. To configure an agent, run "idumb hook install AGENT".

Usage:
  idumb-mcp

Flags:
`

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run serves MCP on stdin and stdout until the client disconnects, and returns the exit code.
func run(args []string, stdin io.ReadCloser, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("idumb-mcp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	showVersion := flags.Bool("version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "error: %v; see --help\n", err)
		return 1
	case *showVersion:
		fmt.Fprintln(stdout, "idumb-mcp "+version.Current())
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	service := &tools.Service{Env: os.Environ(), Now: time.Now}
	go service.Sweep()
	serve(ctx, service, newTransport(stdin, stdout), stderr)
	return 0
}
