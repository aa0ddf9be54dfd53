// Command idumb-hook answers the hooks of coding agents:
//
//	idumb-hook HOST <event.json
//
// HOST is the agent's host (claude, codex, opencode). The event comes on standard input as that
// host sends it, and the answer goes to standard output in that host's own form. It asks the
// repository's controller first. Where nobody answers in time it computes the answer from the
// files: what "idumb hook HOST" does, in a binary that starts faster, since it runs once for
// every tool call. See package hooks.
//
//	idumb-hook opencode --stdio
//
// answers one line after the other for as long as OpenCode runs.
package main

import (
	"errors"
	"os"
	"runtime/debug"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
)

func main() {
	debug.SetGCPercent(1600) // first collection at 64 MB: it ends before that, but where it judges thousands of tasks alone
	os.Exit(hooks.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now(), askController))
}

// askController asks the controller about one event. The host's own word for the project says
// which controller that is, else the folder that the hook runs in.
func askController(host string, env []string, event []byte) (hooks.Answered, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return hooks.Answered{}, err
	}
	q := frame.Question{Host: host, Version: version.Of(), Cwd: cwd, Env: frame.Deciding(env), Event: event}
	start := frame.Get(env, "CLAUDE_PROJECT_DIR")
	a, err := ask(&q, start)
	if errors.Is(err, frame.ErrOlder) && stop(start) {
		err = errNobody // as soon as it has ended, one of this version is started
	}
	if errors.Is(err, frame.ErrNewer) {
		err = hooks.ErrNewer
	}
	return hooks.Answered{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, err
}

// errNobody says that no controller of this user's serves the folder.
var errNobody = errors.New("no controller answers here")
