package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureHook times a whole decision: start, read the call on standard input,
// find the session's task, its plan and its role, answer. The floor is an empty
// Go program started in the same way.
func measureHook(b *bench) ([]Result, error) {
	var results []Result
	for _, size := range []hookSize{{tasks: 50, controller: true}, {tasks: 50}, {tasks: b.size(5000, 500), sessions: 50, controller: true}} {
		r, err := hookDecision(b, size)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

// hookSize is the repository in which the hook decides.
type hookSize struct {
	tasks, sessions int
	controller      bool
}

func (s hookSize) String() string {
	label := "without controller"
	if s.controller {
		label = "with controller"
	}
	if s.sessions > 0 {
		label += fmt.Sprintf(", %d tasks, %d sessions", s.tasks, s.sessions)
	}
	return label
}

func hookDecision(b *bench, size hookSize) ([]Result, error) {
	repo, err := hookRepo(b, size)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if size.controller {
		c, err := repo.StartController()
		if err != nil {
			return nil, err
		}
		defer c.Kill()
		if err := errors.Join(allStatuses(repo, size.tasks), hinted(repo)); err != nil {
			return nil, err
		}
	}
	return timeHook(b, repo, size.String())
}

// hookRepo makes the repository: one task is being worked on, and every session is on it.
func hookRepo(b *bench, size hookSize) (*drive.Repo, error) {
	repo, err := repoWithTasks(b, size.tasks, independent)
	if err != nil {
		return nil, err
	}
	if _, err := repo.Idumb("start", taskName(0)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(repo.Path("sessions"), 0o700); err != nil {
		return nil, err
	}
	for i := range size.sessions {
		record := fmt.Sprintf(`{"spec": {"host": "claude", "activeTask": %q, "lastSeenAt": %q}}`, taskName(0), time.Now().UTC().Format(time.RFC3339))
		if err := os.WriteFile(repo.Path("sessions", fmt.Sprintf("session-%02d.json", i)), []byte(record), 0o600); err != nil {
			return nil, err
		}
	}
	return repo, nil
}

// hinted waits until the controller names the task that is worked on: until then the hook
// looks through all of them.
func hinted(repo *drive.Repo) error {
	return drive.Eventually(context.Background(), 60*time.Second, func() error {
		hints, err := os.ReadFile(repo.Path("context", "hints.json"))
		if err == nil && !bytes.Contains(hints, []byte(taskName(0))) {
			err = errors.New("the controller's hints do not name the active task")
		}
		return err
	})
}

// hookCalls are the calls that are timed, as what the hook makes of them. Each round makes one
// of its own, because the same call over and over is what the shipped triggers halt.
var hookCalls = []struct {
	does  string
	tool  string
	input func(repo string, round int) map[string]any
}{
	{"allows a write", "Write", writeOf("src/f%d.go")},
	{"denies a write", "Write", writeOf(".idumb/roles/f%d.json")},
	{"allows a read", "Read", func(repo string, round int) map[string]any {
		return map[string]any{"file_path": fmt.Sprintf("%s/src/f%d.go", repo, round)}
	}},
	{"allows go test", "Bash", commandOf("go test ./... -run Test%d")},
	{"allows git status", "Bash", commandOf("git status --short src/f%d.go")},
	{"allows grep | head", "Bash", commandOf("grep -rn word%d . | head -20")},
}

func writeOf(name string) func(string, int) map[string]any {
	return func(repo string, round int) map[string]any {
		return map[string]any{"file_path": repo + "/" + fmt.Sprintf(name, round), "content": "package a\n"}
	}
}

func commandOf(line string) func(string, int) map[string]any {
	return func(_ string, round int) map[string]any { return map[string]any{"command": fmt.Sprintf(line, round)} }
}

func timeHook(b *bench, repo *drive.Repo, label string) ([]Result, error) {
	processes := []process{{path: b.empty}}
	for i := range hookCalls {
		processes = append(processes, hookCall(repo, i))
	}
	costs, err := interleave(b.size(200, 20), processes...)
	if err != nil {
		return nil, err
	}
	var results []Result
	for i, call := range hookCalls {
		results = append(results, Result{What: "hook " + call.does + ", " + label, Unit: "ms", Floor: ms(costs[0].wall), Ours: ms(costs[i+1].wall), Goal: "1.6x an empty program"})
	}
	return results, nil
}

// hookCall is Claude Code asking before a call, each kind of call in a session of its own.
func hookCall(repo *drive.Repo, kind int) process {
	feed := func(round int) []byte {
		call, _ := json.Marshal(map[string]any{ // of texts only: it cannot fail
			"session_id": fmt.Sprintf("3b0f7d3e-2f3b-4c9e-9f2c-6a8f7d1f0a%02d", kind), "transcript_path": "", "cwd": repo.Dir,
			"hook_event_name": "PreToolUse", "tool_name": hookCalls[kind].tool, "tool_use_id": fmt.Sprintf("toolu_%d_%d", kind, round),
			"tool_input": hookCalls[kind].input(repo.Dir, round),
		})
		return call
	}
	return process{path: repo.Bin.Path("idumb-hook"), args: []string{"claude"}, dir: repo.Dir, env: append(repo.Env(), "CLAUDE_PROJECT_DIR="+repo.Dir), feed: feed}
}
