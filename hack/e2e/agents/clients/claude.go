package clients

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// Claude drives Claude Code.
type Claude struct{}

// Host implements Client.
func (Claude) Host() string { return "claude" }

// Package implements Client.
func (Claude) Package() string { return "@anthropic-ai/claude-code" }

// Version implements Client.
func (Claude) Version() string { return "2.1.332" }

// Required implements Client.
func (Claude) Required() bool { return true }

func (Claude) binary() string { return "node_modules/@anthropic-ai/claude-code-*/claude*" }

// Open implements Client.
func (Claude) Open(p Place) (Session, error) {
	s := &claudeSession{place: p, id: newUUID()}
	trusted := map[string]any{"hasTrustDialogAccepted": true}
	state, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "projects": map[string]any{p.Project: trusted, p.Worktree: trusted},
	})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.prepare(), os.MkdirAll(s.config(), 0o700)); err != nil {
		return nil, err
	}
	return s, os.WriteFile(filepath.Join(s.config(), ".claude.json"), state, 0o600)
}

// newUUID returns a random UUID. Claude Code accepts only UUIDs as session IDs.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

type claudeSession struct {
	place Place
	id    string
}

func (s *claudeSession) config() string { return filepath.Join(s.place.Home, ".claude") }

func (s *claudeSession) env() []string {
	return []string{
		"CLAUDE_CONFIG_DIR=" + s.config(), "CLAUDE_CODE_TMPDIR=" + filepath.Join(s.place.Home, "tmp"),
		"ANTHROPIC_BASE_URL=" + s.place.Model, "ANTHROPIC_API_KEY=made-up",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_MAX_RETRIES=1",
		"IS_SANDBOX=1", // needed because root may otherwise not switch off the permission prompts
	}
}

// Run implements Session. It sends all prompts to one process.
func (s *claudeSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	cmd := s.place.start(ctx, o, s.env(), s.args(o)...)
	var errorText strings.Builder
	cmd.Stderr = &errorText
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return Result{}, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	output, feedErr := converse(stdin, stdout, prompts)
	exit, err := exitOf(cmd.Wait())
	r := Result{Exit: exit, Output: output, Errors: errorText.String(), Took: time.Since(began)}
	return r, errors.Join(err, feedErr, s.place.keep("claude", r))
}

func (s *claudeSession) args(o Options) []string {
	args := []string{
		"-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--debug-file", filepath.Join(s.place.Log, "claude.debug"),
	}
	if o.Unguarded {
		args = append(args, "--permission-mode", "bypassPermissions")
	} else {
		args = append(args, "--permission-mode", "acceptEdits", "--allowedTools=Bash")
	}
	if s.place.Window > 0 {
		args = append(args, "--autocompact", strconv.Itoa(s.place.Window))
	}
	if o.Resume {
		args = append(args, "--resume", s.id)
	} else {
		args = append(args, "--session-id", s.id)
	}
	return append(args, o.Args...)
}

// converse sends the next prompt whenever the client reports the end of a turn, and closes the
// input after the last turn. It returns the client's output.
func converse(stdin io.WriteCloser, stdout io.Reader, prompts []string) (string, error) {
	next := func() error {
		if len(prompts) == 0 {
			return stdin.Close()
		}
		line, err := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompts[0]}})
		if err != nil {
			return err
		}
		prompts = prompts[1:]
		_, err = stdin.Write(append(line, '\n'))
		return err
	}
	err := next()
	var output strings.Builder
	lines := bufio.NewReader(stdout)
	for {
		line, readErr := lines.ReadString('\n')
		output.WriteString(line)
		var event struct{ Type string }
		if json.Unmarshal([]byte(line), &event) == nil && event.Type == "result" && err == nil {
			err = next()
		}
		if readErr != nil {
			return output.String(), err
		}
	}
}

// Write implements Session.
func (s *claudeSession) Write(file, content string) model.Call {
	return model.Call{Tool: "Write", Input: map[string]any{"file_path": s.place.abs(file), "content": content}}
}

// Read implements Session.
func (s *claudeSession) Read(file string) model.Call {
	return model.Call{Tool: "Read", Input: map[string]any{"file_path": s.place.abs(file)}}
}

// Shell implements Session.
func (s *claudeSession) Shell(command string) model.Call {
	return model.Call{Tool: "Bash", Input: map[string]any{"command": command, "description": "run a command"}}
}

// Own implements Session.
func (s *claudeSession) Own(tool string, input map[string]any) model.Call {
	return model.Call{Tool: "mcp__idumb__" + tool, Input: input}
}

// Spawn implements Session.
func (s *claudeSession) Spawn(agent, prompt string) model.Call {
	return model.Call{Tool: "Agent", Input: map[string]any{
		"description": "do a part", "subagent_type": agent, "prompt": prompt, "run_in_background": false,
	}}
}
