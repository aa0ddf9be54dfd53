// Package clients installs the real clients of coding agents, at pinned versions, and runs them
// headless and isolated. Each client has its own home, configuration and temporary directory and a
// fake key, and can connect only to loopback.
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
	// Host returns idumb's name for the client, such as claude.
	Host() string
	// Package returns the name of the npm package, and Version returns the version that is tested.
	Package() string
	Version() string
	// Required reports whether the run fails if the client cannot be installed. The scenarios of
	// other clients are then reported as not run.
	Required() bool
	// binary returns the path of the program in the installation directory, as a pattern for
	// filepath.Glob.
	binary() string
	// Open writes the client's configuration and starts a conversation. Nothing is sent to the
	// model before Run.
	Open(Place) (Session, error)
}

// All returns all clients.
func All() []Client { return []Client{Claude{}, Codex{}, OpenCode{}, Copilot{}, Gemini{}} }

// Place describes the environment in which a client runs.
type Place struct {
	Binary  string // the path of the client's program
	Project string // absolute, with symbolic links resolved
	Home    string // the client's own home, which exists
	Bin     string // the directory with idumb's programs, which is first in PATH
	Model   string // the URL of the scripted model
	Log     string // the directory for the client's output, which exists
	// Worktree is a second directory that the user trusts, or "".
	Worktree string
	// Window is the size of the model's context window in tokens, or 0 for the client's default.
	Window int
}

// abs returns the absolute path of a file in the project.
func (p Place) abs(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.Project, filepath.FromSlash(file))
}

// Options contains the options of one run.
type Options struct {
	// Resume continues the session's conversation in a new process.
	Resume bool
	// Unguarded switches off the client's own permission prompts, so that only idumb's gate
	// remains.
	Unguarded bool
	// Dir is the directory in which the client starts. The default is the project.
	Dir string
	// Env contains additional environment variables, as name=value.
	Env []string
	// Args contains additional arguments for the client.
	Args []string
}

// Result is the result of a run.
type Result struct {
	Exit   int
	Output string // standard output, in the client's own format
	Errors string // standard error
	Took   time.Duration
}

// Session is one conversation with an agent. A scenario names an action, and the session returns
// the client's tool call for it.
type Session interface {
	// Run sends prompts in order. It sends each prompt after the previous turn has ended.
	Run(ctx context.Context, o Options, prompts ...string) (Result, error)
	// Write returns the call that writes a file. The path is relative to the project.
	Write(file, content string) model.Call
	// Read returns the call that reads a file.
	Read(file string) model.Call
	// Shell returns the call that runs a command.
	Shell(command string) model.Call
	// Own returns the call of a tool of idumb's MCP server, such as "govern_task".
	Own(tool string, input map[string]any) model.Call
	// Spawn returns the call that starts a subagent.
	Spawn(agent, prompt string) model.Call
}

// Waiter is a session whose client does not wait for a subagent that it starts.
type Waiter interface {
	// Wait returns the call that waits for subagents.
	Wait() model.Call
}

// environment returns the environment variables that every client gets.
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

// Environment returns the environment for idumb itself, with the same home and PATH as the client.
func (p Place) Environment() []string { return p.environment() }

// withoutIdumb removes directories with an installed idumb from a PATH, so that only the programs
// under test are found.
func withoutIdumb(path string) string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, "idumb-hook")); err != nil {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// start prepares a process of the client.
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

// exitOf separates an exit code from a failure to run the process.
func exitOf(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// run runs a process to its end and returns its output, which it also writes to the log directory.
func (p Place) run(cmd *exec.Cmd, name string) (Result, error) {
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	exit, err := exitOf(cmd.Run())
	r := Result{Exit: exit, Output: stdout.String(), Errors: stderr.String(), Took: time.Since(began)}
	return r, errors.Join(err, p.keep(name, r))
}

// keep appends the output of a run to the log directory.
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

// prepare creates the files that every client needs. The profile is for clients that run commands
// in a login shell, which sets its own PATH first.
func (p Place) prepare() error {
	profile := "PATH='" + p.Bin + "':$PATH\nexport PATH\n"
	return errors.Join(os.MkdirAll(filepath.Join(p.Home, "tmp"), 0o700), os.WriteFile(filepath.Join(p.Home, ".profile"), []byte(profile), 0o600))
}
