// Command idumb-hook answers the hooks of coding agents:
//
//	idumb-hook HOST <event.json
//
// HOST is the agent's host (claude, codex, copilot, gemini, opencode). The event comes on standard input in the
// host's format, and the answer is written to standard output in the host's format. The command
// queries the repository's controller first. If no answer comes in time, it computes the answer
// from the files, like "idumb hook HOST". It is a separate binary because it runs for every tool
// call and must start fast. See package hooks.
//
//	idumb-hook opencode --stdio
//
// reads one event a line and answers each with a line, until OpenCode exits.
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
	debug.SetGCPercent(1600) // first collection at 64 MB: usually the process ends before, unless it evaluates thousands of tasks itself
	os.Exit(hooks.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), time.Now(), askController))
}

// askController queries the controller about one event. The project directory that the host names
// selects the controller, otherwise the working directory of the hook.
func askController(host string, env []string, event []byte) (hooks.Answered, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return hooks.Answered{}, err
	}
	q := frame.Question{Host: host, Version: version.Current(), Cwd: cwd, Env: frame.RelevantEnv(env), Event: event}
	start := frame.Getenv(env, "CLAUDE_PROJECT_DIR")
	a, err := ask(&q, start)
	if errors.Is(err, frame.ErrOlder) && stop(start) {
		err = errNobody // once it has stopped, a controller of this version is started
	}
	if errors.Is(err, frame.ErrNewer) {
		err = hooks.ErrNewer
	}
	return hooks.Answered{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, err
}

// errNobody means that no controller of this user serves the directory.
var errNobody = errors.New("no controller answers here")
