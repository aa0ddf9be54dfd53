// Package drive contains the common parts of the end-to-end drivers below hack. It builds the real
// binaries, creates scratch repositories and runs processes.
package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Bin is a directory with built binaries.
type Bin struct {
	Dir     string
	isGiven bool
}

// binVariable names a directory of prebuilt binaries, for a run of many drivers.
const binVariable = "DRIVE_BIN"

// Build builds the named commands (below cmd/) like a release into a temporary directory, or uses
// the directory in DRIVE_BIN. The working directory must be inside the module.
func Build(commands ...string) (Bin, error) {
	if dir := os.Getenv(binVariable); dir != "" {
		return build(dir, commands)
	}
	dir, err := os.MkdirTemp("", "idumb-bin-")
	if err != nil {
		return Bin{}, err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}
	for _, c := range commands {
		args = append(args, "github.com/idumb-dev/idumb/cmd/"+c)
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return Bin{}, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return Bin{Dir: dir}, nil
}

func build(dir string, commands []string) (Bin, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Bin{}, err
	}
	for _, c := range commands {
		if _, err := os.Stat(filepath.Join(dir, c)); err != nil {
			return Bin{}, fmt.Errorf("%s is incomplete: %w; build the packages below ./cmd with go build -o %s", binVariable, err, dir)
		}
	}
	return Bin{Dir: dir, isGiven: true}, nil
}

// Source returns the directory of this module. The working directory must be inside the module.
func Source() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Path returns the path of a built command.
func (b Bin) Path(command string) string { return filepath.Join(b.Dir, command) }

// Remove deletes the binaries that Build built.
func (b Bin) Remove() error {
	if b.isGiven {
		return nil
	}
	return os.RemoveAll(b.Dir)
}

// Repo is a scratch git repository with an initialized .idumb.
type Repo struct {
	Dir  string
	Bin  Bin
	Vars []string // additional variables for its processes, as NAME=VALUE
}

// NewRepo creates a git repository in a temporary directory and runs idumb init in it.
func NewRepo(bin Bin) (*Repo, error) {
	dir, err := os.MkdirTemp("", "idumb-repo-")
	if err != nil {
		return nil, err
	}
	r := &Repo{Dir: dir, Bin: bin}
	if err := r.Git("init", "-q"); err != nil {
		return nil, err
	}
	_, err = r.Idumb("init")
	return r, err
}

// Git runs git in a directory, with the directory's name as user, and returns its output.
func Git(dir string, args ...string) (string, error) {
	user := filepath.Base(dir)
	cmd := exec.Command("git", append([]string{"-c", "user.name=" + user, "-c", "user.email=" + user + "@example.org"}, args...)...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out), err
}

// Git runs git in the repository.
func (r *Repo) Git(args ...string) error {
	_, err := Git(r.Dir, args...)
	return err
}

// Remove deletes the repository.
func (r *Repo) Remove() error {
	return errors.Join(os.RemoveAll(r.Dir), os.RemoveAll(r.Dir+settingsSuffix))
}

// settingsSuffix is the suffix of the repository's path for the directory of the user's settings,
// which record that the repository is trusted.
const settingsSuffix = ".settings"

// Env returns the variables for processes in the repository, in addition to the environment of this
// process.
func (r *Repo) Env() []string {
	return append([]string{"XDG_CONFIG_HOME=" + r.Dir + settingsSuffix}, r.Vars...)
}

// Command returns a command that runs idumb in the repository.
func (r *Repo) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(r.Bin.Path("idumb"), args...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), r.Env()...)
	return cmd
}

// Idumb runs idumb and returns its standard output.
func (r *Repo) Idumb(args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := r.Command(args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("idumb %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}

// Path returns the path of a file below .idumb.
func (r *Repo) Path(elements ...string) string {
	return filepath.Join(append([]string{r.Dir, ".idumb"}, elements...)...)
}

// WriteTask writes a task's file like a user's script, without idumb.
func (r *Repo) WriteTask(name string, spec map[string]any) error {
	data, err := taskFile(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(r.Path("tasks", name+".json"), data, 0o644)
}

// ReplaceTask replaces a task's file by a rename, like sed -i and most editors.
func (r *Repo) ReplaceTask(name string, spec map[string]any) error {
	data, err := taskFile(spec)
	if err != nil {
		return err
	}
	temp := r.Path("tasks", "."+name+".swp")
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, r.Path("tasks", name+".json"))
}

func taskFile(spec map[string]any) ([]byte, error) {
	data, err := json.MarshalIndent(map[string]any{"spec": spec}, "", "  ")
	return append(data, '\n'), err
}

// Status reads the last status of an object that the controller wrote.
func (r *Repo) Status(plural, name string) (map[string]any, error) {
	data, err := os.ReadFile(r.Path("status", plural, name+".json"))
	if err != nil {
		return nil, err
	}
	var status map[string]any
	return status, json.Unmarshal(data, &status)
}

// ErrTimeout means that the condition of Eventually did not become true.
var ErrTimeout = errors.New("timed out")

// Eventually calls check every few milliseconds until it returns nil. After the time limit it
// returns the last error, wrapped with ErrTimeout.
func Eventually(ctx context.Context, limit time.Duration, check func() error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w after %s: %w", ErrTimeout, limit, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// AskGate sends the hook a write of a file, like Claude Code. It returns an error unless the gate
// denies the write.
func (r *Repo) AskGate(file string) error {
	answer, err := r.Hook("claude", map[string]any{
		"session_id": "3b0f7d3e-2f3b-4c9e-9f2c-6a8f7d1f0a01", "hook_event_name": "PreToolUse", "cwd": r.Dir,
		"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(r.Dir, file), "content": "text"},
	})
	if err == nil && answer.Decision != "deny" {
		err = fmt.Errorf("the gate is open: %q", answer.Printed)
	}
	return err
}

// AwaitStatuses waits until the statuses of tasks match their files.
func (r *Repo) AwaitStatuses(tasks ...string) error {
	return Eventually(context.Background(), 20*time.Second, func() error {
		for _, name := range tasks {
			revision, err := r.Idumb("get", "task", name, "-o", "jsonpath={.status.observedRevision}")
			if err != nil {
				return err
			}
			status, err := r.Status("tasks", name)
			if err != nil {
				return err
			}
			if status["observedRevision"] != strings.TrimSpace(revision) {
				return fmt.Errorf("status of %s is about revision %v; the file is at %s", name, status["observedRevision"], revision)
			}
		}
		return nil
	})
}
