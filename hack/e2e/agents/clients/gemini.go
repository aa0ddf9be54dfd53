package clients

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// Gemini drives Gemini CLI.
type Gemini struct{}

// Host implements Client.
func (Gemini) Host() string { return "gemini" }

// Package implements Client.
func (Gemini) Package() string { return "@google/gemini-cli" }

// Version implements Client.
func (Gemini) Version() string { return "0.61.0" }

// Required implements Client.
func (Gemini) Required() bool { return false }

func (Gemini) binary() string { return "node_modules/@google/gemini-cli/bundle/gemini.js" }

// geminiSettings are the user's settings.
const geminiSettings = `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false}
}
`

// Open implements Client.
func (Gemini) Open(p Place) (Session, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	folder := filepath.Join(p.Home, ".gemini")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return &geminiSession{place: p}, os.WriteFile(filepath.Join(folder, "settings.json"), []byte(geminiSettings), 0o600)
}

type geminiSession struct {
	place Place
	ran   bool
}

// Run implements Session. Each prompt runs in its own process, which resumes the conversation. In a
// headless run the client offers no tools that write or run commands unless it approves all calls.
func (s *geminiSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	var all Result
	for _, prompt := range prompts {
		args := []string{"-m", "gemini-2.5-pro", "--yolo", "-o", "json"}
		if s.ran || o.Resume {
			args = append(args, "--resume", "latest")
		}
		cmd := s.place.start(ctx, o, []string{
			"GEMINI_API_KEY=made-up", "GOOGLE_GEMINI_BASE_URL=" + s.place.Model, "GEMINI_CLI_TRUST_WORKSPACE=true",
		}, append(args, o.Args...)...)
		cmd.Stdin = strings.NewReader(prompt) // a prompt that fills a window is too long for an argument
		r, err := s.place.run(cmd, "gemini")
		all = Result{r.Exit, all.Output + r.Output, all.Errors + r.Errors, all.Took + r.Took}
		if err != nil || r.Exit != 0 {
			return all, err
		}
		s.ran = true
	}
	return all, nil
}

// Write implements Session.
func (s *geminiSession) Write(file, content string) model.Call {
	return model.Call{Tool: "write_file", Input: map[string]any{"file_path": s.place.abs(file), "content": content}}
}

// Read implements Session.
func (s *geminiSession) Read(file string) model.Call {
	return model.Call{Tool: "read_file", Input: map[string]any{"file_path": s.place.abs(file)}}
}

// Shell implements Session.
func (s *geminiSession) Shell(command string) model.Call {
	return model.Call{Tool: "run_shell_command", Input: map[string]any{"command": command, "description": "run a command"}}
}

// Own implements Session.
func (s *geminiSession) Own(tool string, input map[string]any) model.Call {
	return model.Call{Tool: "mcp_idumb_" + tool, Input: input}
}

// Spawn implements Session.
func (s *geminiSession) Spawn(agent, prompt string) model.Call {
	return model.Call{Tool: "invoke_agent", Input: map[string]any{"agent_name": agent, "prompt": prompt}}
}
