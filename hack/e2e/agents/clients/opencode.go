package clients

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// OpenCode is OpenCode.
type OpenCode struct{}

// Host implements Client.
func (OpenCode) Host() string { return "opencode" }

// Package implements Client.
func (OpenCode) Package() string { return "opencode-ai" }

// Version implements Client.
func (OpenCode) Version() string { return "1.18.33" }

// Required implements Client.
func (OpenCode) Required() bool { return true }

func (OpenCode) binary() string { return "node_modules/opencode-*-*/bin/opencode*" }

// defaultWindow is the model's context window in tokens where a scenario names none.
const defaultWindow = 100_000

// Open implements Client.
func (OpenCode) Open(p Place) (Session, error) {
	s := &openCodeSession{place: p}
	window := p.Window
	if window == 0 {
		window = defaultWindow
	}
	config, err := json.Marshal(map[string]any{
		"model": "scripted/scripted", "small_model": "scripted/scripted", "share": "disabled", "autoupdate": false,
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
			"options": map[string]any{"baseURL": p.Model + "/v1", "apiKey": "made-up"},
			"models":  map[string]any{"scripted": map[string]any{"name": "scripted", "limit": map[string]any{"context": window, "output": 4000}}},
		}},
	})
	if err != nil {
		return nil, err
	}
	s.config = string(config)
	return s, errors.Join(p.prepare(), stubPlugins(filepath.Join(p.Home, ".config", "opencode")))
}

// stubPlugins makes a folder look as if OpenCode had installed its plugin package
// there: else it asks npm for it at every start.
func stubPlugins(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o700); err != nil {
		return err
	}
	lock := `{"name":"stub","lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}`
	return os.WriteFile(filepath.Join(dir, "package-lock.json"), []byte(lock), 0o600)
}

type openCodeSession struct {
	place  Place
	config string
	ran    bool
}

// Run implements Session. Each prompt gets a process of its own, which goes on with
// the project's last conversation.
func (s *openCodeSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	env := []string{
		"OPENCODE_CONFIG_CONTENT=" + s.config,
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_CLAUDE_CODE=1",
	}
	var all Result
	for _, prompt := range prompts {
		args := []string{"run", "--format", "json", "--print-logs"}
		if s.ran || o.Resume {
			args = append(args, "--continue")
		}
		r, err := s.place.run(s.place.start(ctx, o, env, append(append(args, o.Args...), prompt)...), "opencode")
		all = Result{r.Exit, all.Output + r.Output, all.Errors + r.Errors, all.Took + r.Took}
		if err != nil || r.Exit != 0 {
			return all, err
		}
		s.ran = true
	}
	return all, nil
}

func (s *openCodeSession) abs(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.place.Project, filepath.FromSlash(file))
}

// Write implements Session.
func (s *openCodeSession) Write(file, content string) model.Call {
	return model.Call{Tool: "write", Input: map[string]any{"filePath": s.abs(file), "content": content}}
}

// Read implements Session.
func (s *openCodeSession) Read(file string) model.Call {
	return model.Call{Tool: "read", Input: map[string]any{"filePath": s.abs(file)}}
}

// Shell implements Session.
func (s *openCodeSession) Shell(command string) model.Call {
	return model.Call{Tool: "bash", Input: map[string]any{"command": command, "description": "run a command"}}
}

// Own implements Session.
func (s *openCodeSession) Own(tool string, input map[string]any) model.Call {
	return model.Call{Tool: "idumb_" + tool, Input: input}
}

// Spawn implements Session.
func (s *openCodeSession) Spawn(agent, prompt string) model.Call {
	return model.Call{Tool: "task", Input: map[string]any{"description": "do a part", "subagent_type": agent, "prompt": prompt}}
}
