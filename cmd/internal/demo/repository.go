package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// plan holds the resources of the demo, as a person would write them.
//
//go:embed plan
var plan embed.FS

// loadPlan makes the repository.
func (s *stage) loadPlan(string) error {
	if out, err := exec.CommandContext(s.ctx, "git", "init", "-q", s.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	if out, err := s.command("init").CombinedOutput(); err != nil {
		return fmt.Errorf("idumb init: %w: %s", err, out)
	}
	files, err := fs.Sub(plan, "plan")
	if err != nil {
		return err
	}
	return os.CopyFS(s.path(""), files)
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
		HookSpecificOutput struct {
			PermissionDecision, PermissionDecisionReason string
		} `json:"hookSpecificOutput"`
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
