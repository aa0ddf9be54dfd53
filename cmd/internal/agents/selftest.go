package agents

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

// testTimeout is the timeout of the self-test. The hook answers in a few milliseconds. A cold disk
// or a busy machine takes longer.
const testTimeout = 5 * time.Second

// SelfTest runs the configured hook of a host in a temporary repository with an active plan and no
// task. The hook must deny a write in the format of the host. SelfTest returns the duration of the
// call.
func SelfTest(h Host, c Command) (time.Duration, error) {
	root, err := testRepository()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	event, read := h.test(root)
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Find(), append(c.Args, h.testArgs...)...)
	cmd.Dir, cmd.WaitDelay = root, time.Second
	// without variables for another repository or mode
	env := []string{"CLAUDE_PROJECT_DIR=" + root, "PWD=" + root, "IDUMB_ENFORCE=enforce"}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "CLAUDE_PROJECT_DIR", "PWD", "IDUMB_ENFORCE":
		default:
			env = append(env, v)
		}
	}
	cmd.Env = env
	cmd.Stdin = strings.NewReader(event)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	took := time.Since(start)
	if ctx.Err() != nil {
		return took, fmt.Errorf("no answer within %s", testTimeout)
	}
	if err != nil {
		return took, fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	}
	return took, read(stdout.Bytes())
}

// MayTest returns an error if the hook in the settings must not be run for a test. Settings come
// with a repository, and users run "idumb doctor" in repositories of strangers. The configured
// program is run only if it is the program that Install would configure, or if the user trusts the
// repository and the program is outside of it.
func MayTest(root string, configured, own Command, trusted bool) error {
	program := configured.Find()
	if program == "" || program == own.Find() || inProgramDir(program) {
		return nil
	}
	if real, err := filepath.EvalSymlinks(program); err != nil || inRepository(root, real) || inRepository(root, program) {
		return errors.New("it is a program of the repository")
	}
	if !trusted {
		return errors.New("it is another program than " + own.Program + ", and you have not trusted this repository")
	}
	return nil
}

// inProgramDir reports whether a program is in the directory of the running one.
func inProgramDir(program string) bool {
	self, err := os.Executable()
	return err == nil && filepath.Dir(self) == filepath.Dir(program)
}

// inRepository reports whether a path is inside the repository, also if root contains links.
func inRepository(root, path string) bool {
	for _, dir := range []string{root, resolved(root)} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// resolved returns a path without links, or the path itself if it cannot be resolved.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// testRepository creates a repository with an active plan.
func testRepository() (string, error) {
	root, err := os.MkdirTemp("", "idumb-selftest-")
	if err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	for file, text := range map[string]string{
		".git/HEAD":                  "",
		".idumb/config.json":         `{"spec": {"mode": "enforce", "controller": {"autoStart": false}}}`,
		".idumb/workplans/test.json": `{"spec": {"title": "Self-test", "acceptance": ["the hook denies a write"], "state": "active"}}`,
	} {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			os.RemoveAll(root)
			return "", err
		}
	}
	return root, nil
}

// firstLine returns the first line of a text that is not empty.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// commandHookTest returns the self-test of hosts that start a command for each event: tool is about
// to write a file. read checks the answer.
func commandHookTest(event, tool string, input map[string]string, read func([]byte) error) func(root string) (string, func([]byte) error) {
	return func(root string) (string, func([]byte) error) {
		text, _ := json.Marshal(map[string]any{ // cannot fail
			"hook_event_name": event, "session_id": "self-test", "cwd": root,
			"tool_name": tool, "tool_use_id": "self-test-1", "tool_input": input,
		})
		return string(text), read
	}
}

// readDenial checks the answer of a hook of Claude Code or Codex.
func readDenial(answer []byte) error {
	var out struct {
		Specific struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	return denied(answer, &out, func() bool {
		s := out.Specific
		return s.Event == "PreToolUse" && s.Decision == "deny" && s.Reason != ""
	})
}

// denied decodes an answer into out. It returns an error if the answer does not deny.
func denied(answer []byte, out any, denies func() bool) error {
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("the answer is no JSON: %q", firstLine(string(answer)))
	}
	if !denies() {
		return fmt.Errorf("a write without a task was not denied: %q", firstLine(string(answer)))
	}
	return nil
}

// openCodeTest returns the self-test of the process that OpenCode's plugin runs: one line in, one
// line out.
func openCodeTest(root string) (string, func([]byte) error) {
	event, _ := json.Marshal(map[string]any{ // cannot fail
		"id": 1, "hook": "tool.before", "session": "ses_selftest", "directory": root,
		"tool": "write", "call": "ses_selftest/call_1",
		"args": map[string]any{"filePath": filepath.Join(root, "a.txt"), "content": "x"},
	})
	return string(event) + "\n", func(answer []byte) error {
		var out struct {
			ID   int    `json:"id"`
			Deny string `json:"deny"`
		}
		return denied([]byte(firstLine(string(answer))), &out, func() bool { return out.ID == 1 && out.Deny != "" })
	}
}
