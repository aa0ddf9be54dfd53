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

// stage is the scratch repository with everything that acts in it.
type stage struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	dir     string
	program string

	mu     sync.Mutex // guards out: the controller's lines come at any time
	out    io.Writer
	shown  string // what the last line showed
	marked string // the packed context as it was at a mark

	controller *exec.Cmd
	lines      chan struct{} // closed when the controller's last line was shown
}

func (s *stage) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(text)
}

// show writes what a line of the script shows, which the next ones may check. s.mu is held.
func (s *stage) show(text string) {
	s.shown = text
	s.write(text)
}

// write writes to out. s.mu is held.
func (s *stage) write(text string) {
	if _, err := io.WriteString(s.out, text); err != nil {
		s.cancel(fmt.Errorf("the demo ends early: nobody reads what it shows: %w", err))
	}
}

// command prepares idumb in the scratch repository.
func (s *stage) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, s.program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+s.dir, "IDUMB_ENFORCE=", trust.Variable+"="+s.dir)
	return cmd
}

// path is that of a file below .idumb, which is named with '/'.
func (s *stage) path(file string) string {
	return filepath.Join(s.dir, ".idumb", filepath.FromSlash(file))
}

// read reads a file below .idumb; "" while there is none.
func (s *stage) read(file string) string {
	data, _ := os.ReadFile(s.path(file))
	return string(data)
}

// loadPlan makes the repository.
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

// edit changes a file as an editor does: it truncates it and writes it again. The line
// names the file, what stands in it, and what is to stand there.
func (s *stage) edit(line string) error {
	change := words(line)
	file, data := change[0], s.read(change[0])
	edited := strings.Replace(data, change[1], change[2], 1)
	if edited == data {
		return fmt.Errorf("edit .idumb/%s: %q is not in it", file, change[1])
	}
	return os.WriteFile(s.path(file), []byte(edited), 0o644)
}

// age dates an object that somebody wrote so long ago.
func (s *stage) age(line string) error {
	file, age, _ := strings.Cut(line, " ")
	ago, err := time.ParseDuration(age)
	if err != nil {
		return err
	}
	created := time.Now().Add(-ago).UTC().Format(time.RFC3339)
	return s.edit(file + ` '{"spec"' '{"metadata": {"creationTimestamp": "` + created + `"}, "spec"'`)
}

// callHook asks idumb hook claude as Claude Code does that is about to write a file, and
// shows the answer.
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

// startUp starts idumb up and shows its lines as they come.
func (s *stage) startUp(string) error {
	s.print("  $ idumb up\n")
	cmd := exec.Command(s.program, "up") // not with the context: it is to end cleanly
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
			_, line, _ := strings.Cut(scanner.Text(), " ") // the time of day
			s.print(wrap("    up | ", "       |   ", strings.ReplaceAll(line, s.dir, "shop")))
		}
	}()
	return nil
}

// stopController ends the controller as Ctrl-C does, or where nothing does that at once, and
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

func (s *stage) pause(d time.Duration) {
	select {
	case <-s.ctx.Done():
	case <-time.After(d):
	}
}
