// Package clients installs agents' real clients, at pinned versions, and runs
// them headless and isolated: a home, a configuration and a folder for temporary
// files of their own, a made-up key, and nothing but loopback within reach.
package clients

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// Client is one kind of agent.
type Client interface {
	// Host is what idumb calls it: claude, codex, opencode.
	Host() string
	// Package is what npm calls it, and Version the one that is driven.
	Package() string
	Version() string
	// Required clients fail the run where they cannot be installed; the scenarios of
	// others are reported as not run.
	Required() bool
	// binary is where the program stands below the folder of its installation, as a
	// pattern of filepath.Glob.
	binary() string
	// Open writes the client's own configuration and starts a conversation in it.
	// Nothing is sent before Run.
	Open(Place) (Session, error)
}

// All is the table of clients.
func All() []Client { return []Client{Claude{}, Codex{}, OpenCode{}} }

// Place is where a client runs.
type Place struct {
	Binary  string // the client's program
	Project string // absolute, links resolved
	Home    string // its own, exists
	Bin     string // the folder with idumb's programs, first in PATH
	Model   string // the URL of the scripted model
	Log     string // the folder for what the client prints, exists
	// Worktree is a second folder that the person has said may be trusted, "" for none.
	Worktree string
	// Window is the size of the model's context window in tokens, 0 for the client's
	// own idea of it.
	Window int
}

// abs is where a file of the project stands.
func (p Place) abs(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.Project, filepath.FromSlash(file))
}

// Options of one run.
type Options struct {
	// Resume goes on with the session's conversation in a new process.
	Resume bool
	// Unguarded switches the client's own permission prompts off: only idumb's
	// gate is left.
	Unguarded bool
	// Dir is where the client starts, if not in the project.
	Dir string
	// Env are further variables, as name=value.
	Env []string
	// Args are further arguments of the client.
	Args []string
}

// Result is what a run came to.
type Result struct {
	Exit   int
	Output string // what it printed to standard output, in its own form
	Errors string // and to standard error
	Took   time.Duration
}

// Session is one conversation with an agent. Its tools are those of the client:
// a scenario names what is to be done, and the session how the agent says it.
type Session interface {
	// Run sends prompts one after the other, each once the turn before it has ended.
	Run(ctx context.Context, o Options, prompts ...string) (Result, error)
	// Write is the call that writes a file; file stands below the project.
	Write(file, content string) model.Call
	// Read is the call that reads a file.
	Read(file string) model.Call
	// Shell is the call that runs a command.
	Shell(command string) model.Call
	// Own is the call of a tool of idumb's MCP server, like "govern_task".
	Own(tool string, input map[string]any) model.Call
	// Spawn is the call that starts a subagent.
	Spawn(agent, prompt string) model.Call
}

// Waiter is a session whose client does not wait for a subagent that it starts.
type Waiter interface {
	// Wait is the call that waits for subagents.
	Wait() model.Call
}

// environment is what every client is started with.
func (p Place) environment() []string {
	temp := filepath.Join(p.Home, "tmp")
	return []string{
		"PATH=" + p.Bin + string(filepath.ListSeparator) + withoutIdumb(os.Getenv("PATH")),
		"HOME=" + p.Home, "TMPDIR=" + temp, "TERM=dumb", "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + filepath.Join(p.Home, ".config"), "XDG_DATA_HOME=" + filepath.Join(p.Home, ".local", "share"),
		"XDG_CACHE_HOME=" + filepath.Join(p.Home, ".cache"), "XDG_STATE_HOME=" + filepath.Join(p.Home, ".local", "state"),
		"HTTPS_PROXY=" + p.Model, "HTTP_PROXY=" + p.Model, "https_proxy=" + p.Model, "http_proxy=" + p.Model,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=agent", "GIT_AUTHOR_EMAIL=agent@localhost",
		"GIT_COMMITTER_NAME=agent", "GIT_COMMITTER_EMAIL=agent@localhost",
	}
}

// Environment is what idumb itself is run with in a place: the same home and the
// same PATH as the client's.
func (p Place) Environment() []string { return p.environment() }

// withoutIdumb takes the folders that hold an installed idumb out of a PATH, so that
// only the programs under test are found.
func withoutIdumb(path string) string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, "idumb-hook")); err != nil {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// start prepares a process of the client in a place.
func (p Place) start(ctx context.Context, o Options, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Binary, args...)
	cmd.Dir = p.Project
	if o.Dir != "" {
		cmd.Dir = o.Dir
	}
	cmd.Env = append(append(append(p.environment(), "PWD="+cmd.Dir), env...), o.Env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// exitOf tells an exit code from a failure to run at all.
func exitOf(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// run runs a process to its end and keeps what it prints, also in the log folder.
func (p Place) run(cmd *exec.Cmd, name string) (Result, error) {
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	exit, err := exitOf(cmd.Run())
	r := Result{Exit: exit, Output: stdout.String(), Errors: stderr.String(), Took: time.Since(began)}
	return r, errors.Join(err, p.keep(name, r))
}

// keep appends what a run printed to the log folder.
func (p Place) keep(name string, r Result) error {
	for _, part := range []struct{ suffix, text string }{{".stdout", r.Output}, {".stderr", r.Errors}} {
		f, err := os.OpenFile(filepath.Join(p.Log, name+part.suffix), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString(part.text)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes what every client needs. The profile is for clients that run commands
// in a login shell, which sets its own PATH first.
func (p Place) prepare() error {
	profile := "PATH='" + p.Bin + "':$PATH\nexport PATH\n"
	return errors.Join(os.MkdirAll(filepath.Join(p.Home, "tmp"), 0o700), os.WriteFile(filepath.Join(p.Home, ".profile"), []byte(profile), 0o600))
}
