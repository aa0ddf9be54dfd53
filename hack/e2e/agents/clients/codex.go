package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// Codex drives the Codex CLI.
type Codex struct{}

// Host implements Client.
func (Codex) Host() string { return "codex" }

// Package implements Client.
func (Codex) Package() string { return "@openai/codex" }

// Version implements Client.
func (Codex) Version() string { return "0.171.0" }

// Required implements Client.
func (Codex) Required() bool { return false }

func (Codex) binary() string { return "node_modules/@openai/codex-*/vendor/*/bin/codex*" }

// codexConfig is the template of the user's configuration. Its placeholders are the line for the
// window, the model's URL, and the trusted directories.
const codexConfig = `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
%s
[model_providers.scripted]
name = "scripted"
base_url = %q
wire_api = "responses"
requires_openai_auth = false
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[feedback]
enabled = false
[projects.%q]
trust_level = "trusted"
[projects.%q]
trust_level = "trusted"
`

// Open implements Client.
func (Codex) Open(p Place) (Session, error) {
	s := &codexSession{place: p}
	if err := errors.Join(p.prepare(), os.MkdirAll(s.config(), 0o700)); err != nil {
		return nil, err
	}
	window := ""
	if p.Window > 0 {
		window = fmt.Sprintf("model_context_window = %d\nmodel_auto_compact_token_limit = %d\n", p.Window, p.Window*8/10)
	}
	config := fmt.Sprintf(codexConfig, window, p.Model+"/v1", p.Project, p.Worktree)
	return s, os.WriteFile(filepath.Join(s.config(), "config.toml"), []byte(config), 0o600)
}

type codexSession struct {
	place   Place
	ran     bool
	spawned atomic.Int32
}

func (s *codexSession) config() string { return filepath.Join(s.place.Home, ".codex") }

// Run implements Session. Each prompt runs in its own process, which resumes the conversation.
func (s *codexSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	var all Result
	for _, prompt := range prompts {
		cmd := s.place.start(ctx, o, []string{"CODEX_HOME=" + s.config(), "SCRIPTED_KEY=made-up"}, s.args(o)...)
		cmd.Stdin = strings.NewReader(prompt) // a prompt that fills a window is too long for an argument
		r, err := s.place.run(cmd, "codex")
		all = Result{r.Exit, all.Output + r.Output, all.Errors + r.Errors, all.Took + r.Took}
		if err != nil || r.Exit != 0 {
			return all, err
		}
		s.ran = true
	}
	return all, nil
}

func (s *codexSession) args(o Options) []string {
	args := []string{"exec"}
	if s.ran || o.Resume {
		args = append(args, "resume", "--last")
	}
	// Without these flags, Codex skips hooks that no user has trusted interactively, without a
	// message, and this version disables subagents by default.
	args = append(args, "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--enable", "multi_agent_v2")
	return append(append(args, o.Args...), "-")
}

// Write implements Session. It returns a patch that adds the file or replaces an existing file.
func (s *codexSession) Write(file, content string) model.Call {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	b.WriteString("*** Add File: " + file + "\n")
	for line := range strings.Lines(content) {
		b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	b.WriteString("*** End Patch\n")
	return model.Call{Tool: "apply_patch", Freeform: b.String()}
}

// Read implements Session. Codex reads files with its shell.
func (s *codexSession) Read(file string) model.Call { return s.Shell("cat " + strconv.Quote(file)) }

// Shell implements Session.
func (s *codexSession) Shell(command string) model.Call {
	return model.Call{Tool: "exec_command", Input: map[string]any{"cmd": command}}
}

// Own implements Session.
func (s *codexSession) Own(tool string, input map[string]any) model.Call {
	return model.Call{Namespace: "mcp__idumb", Tool: tool, Input: input}
}

// Spawn implements Session. Agents of this client have no types, so agent becomes a part of the
// name that distinguishes subagents.
func (s *codexSession) Spawn(agent, prompt string) model.Call {
	return model.Call{Namespace: "collaboration", Tool: "spawn_agent", Input: map[string]any{
		"task_name": fmt.Sprintf("%s_%d", agent, s.spawned.Add(1)), "message": prompt, "fork_turns": "none",
	}}
}

// Wait implements Waiter.
func (s *codexSession) Wait() model.Call {
	return model.Call{Namespace: "collaboration", Tool: "wait_agent", Input: map[string]any{"timeout_ms": 10_000}}
}
