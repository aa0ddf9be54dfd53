// Command idumb-hook answers the hooks of coding agents:
//
//	idumb-hook HOST <event.json
//
// HOST is the agent's host (claude, codex, opencode). The event comes on standard input as that
// host sends it, and the answer goes to standard output in that host's own form.
// It is what "idumb hook HOST" does, in a binary that starts faster: it runs once
// for every tool call. See package hook.
//
//	idumb-hook opencode --stdio
//
// answers one line after the other for as long as OpenCode runs.
package main

import (
	"os"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	_ "github.com/idumb-dev/idumb/cmd/internal/stackroom" // one answer's worth
)

func main() {
	os.Exit(hook.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now()))
}
