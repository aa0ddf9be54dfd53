package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/trust"
)

// stage is the scratch repository with the processes of the demo.
type stage struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	dir     string
	program string

	mu     sync.Mutex // guards output: the controller prints lines at any time
	output io.Writer
	shown  string // output of the previous line
	marked string // packed context at the last mark

	controller *exec.Cmd
	lines      chan struct{} // closed after the controller's last line
}

// print writes text to the output. It is safe for concurrent use.
func (s *stage) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(text)
}

// show writes the output of a line and keeps it for checks. s.mu is held.
func (s *stage) show(text string) {
	s.shown = text
	s.write(text)
}

// write writes to the output. s.mu is held.
func (s *stage) write(text string) {
	if _, err := io.WriteString(s.output, text); err != nil {
		s.cancel(fmt.Errorf("the demo ended early: write its output: %w", err))
	}
}

// command returns a command that runs idumb in the scratch repository.
func (s *stage) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, s.program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+s.dir, "IDUMB_ENFORCE=", trust.Variable+"="+s.dir)
	return cmd
}

// path returns the path of a file below .idumb. file is separated by '/'.
func (s *stage) path(file string) string {
	return filepath.Join(s.dir, ".idumb", filepath.FromSlash(file))
}

// read returns the content of a file below .idumb, empty if it does not exist.
func (s *stage) read(file string) string {
	data, _ := os.ReadFile(s.path(file))
	return string(data)
}

// loadPlan creates the git repository with .idumb and the plan of the demo.
func (s *stage) loadPlan(string) error {
	for _, cmd := range []*exec.Cmd{gitcommand.New(s.ctx, "", "init", "-q", s.dir), s.command("init")} {
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", cmd, err, out)
		}
	}
	files, err := fs.Sub(plan, "plan")
	if err != nil {
		return err
	}
	return os.CopyFS(s.path(""), files)
}

// edit changes a file like an editor: it truncates the file and writes it again. The line contains
// the file, the old text and the new text.
func (s *stage) edit(line string) error {
	change := words(line)
	file, data := change[0], s.read(change[0])
	edited := strings.Replace(data, change[1], change[2], 1)
	if edited == data {
		return fmt.Errorf("edit .idumb/%s: %q is not in it", file, change[1])
	}
	return os.WriteFile(s.path(file), []byte(edited), 0o644)
}

// age sets the creation time of an object to a duration before now.
func (s *stage) age(line string) error {
	file, age, _ := strings.Cut(line, " ")
	ago, err := time.ParseDuration(age)
	if err != nil {
		return err
	}
	created := time.Now().Add(-ago).UTC().Format(time.RFC3339)
	return s.edit(file + ` '{"spec"' '{"metadata": {"creationTimestamp": "` + created + `"}, "spec"'`)
}

// callHook runs idumb hook claude with the event that Claude Code sends before it writes a file,
// and shows the answer.
func (s *stage) callHook(file string) error {
	call, err := json.Marshal(map[string]any{
		"session_id": "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01", "cwd": s.dir, "hook_event_name": "PreToolUse",
		"tool_name": "Write", "tool_use_id": "toolu_01", "tool_input": map[string]any{"file_path": filepath.Join(s.dir, filepath.FromSlash(file)), "content": "..."},
	})
	if err != nil {
		return err
	}
	cmd := s.command("hook", "claude")
	cmd.Stdin = bytes.NewReader(call)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("idumb hook claude: %w", err)
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	if len(bytes.TrimSpace(out)) > 0 {
		if err := json.Unmarshal(out, &answer); err != nil {
			return fmt.Errorf("the hook's answer: %w", err)
		}
	}
	text := "    (no objection: the write goes ahead)\n"
	if answer.HookSpecificOutput.PermissionDecision == "deny" {
		text = indent([]byte(answer.HookSpecificOutput.PermissionDecisionReason))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show(text)
	return nil
}

// startUp starts idumb up and prints its lines as they arrive.
func (s *stage) startUp(string) error {
	s.print("  $ idumb up\n")
	cmd := exec.Command(s.program, "up") // without the context, so that it can end cleanly
	cmd.Dir = s.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	s.controller, s.lines = cmd, make(chan struct{})
	go func() {
		defer close(s.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			_, line, _ := strings.Cut(scanner.Text(), " ") // without the time of day
			s.print(wrap("    up | ", "       |   ", strings.ReplaceAll(line, s.dir, "shop")))
		}
	}()
	return nil
}

// stopController interrupts the controller, or kills it if the system cannot interrupt it, and
// waits for its last line.
func (s *stage) stopController() error {
	if s.controller == nil {
		return nil
	}
	cmd := s.controller
	s.controller = nil
	err := cmd.Process.Signal(os.Interrupt)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		err = cmd.Process.Kill()
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the controller: %w", err)
	}
	<-s.lines
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("the controller did not end cleanly: %w", err)
	}
	return nil
}

// pause waits for d, or until the demo ends.
func (s *stage) pause(d time.Duration) {
	select {
	case <-s.ctx.Done():
	case <-time.After(d):
	}
}
