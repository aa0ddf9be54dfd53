package clients

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// Copilot drives GitHub Copilot CLI with a model of its own.
type Copilot struct{}

// Host implements Client.
func (Copilot) Host() string { return "copilot" }

// Package implements Client.
func (Copilot) Package() string { return "@github/copilot" }

// Version implements Client.
func (Copilot) Version() string { return "1.0.102" }

// Required implements Client.
func (Copilot) Required() bool { return false }

func (Copilot) binary() string { return "node_modules/@github/copilot-*/copilot*" }

// Open implements Client. The client runs a repository's hooks only in a trusted folder.
func (Copilot) Open(p Place) (Session, error) {
	folder := filepath.Join(p.Home, ".copilot")
	config, err := json.Marshal(map[string]any{"trustedFolders": []string{p.Project, p.Worktree}})
	if err := errors.Join(err, p.prepare(), os.MkdirAll(folder, 0o700)); err != nil {
		return nil, err
	}
	return &copilotSession{place: p}, os.WriteFile(filepath.Join(folder, "config.json"), config, 0o600)
}

type copilotSession struct {
	place Place
	ran   bool
}

func (s *copilotSession) env() []string {
	env := []string{
		"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_MODEL=gpt-5",
		"COPILOT_PROVIDER_BASE_URL=" + s.place.Model + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=made-up",
	}
	if s.place.Window > 0 {
		env = append(env, "COPILOT_PROVIDER_MAX_PROMPT_TOKENS="+strconv.Itoa(s.place.Window))
	}
	return env
}

// Run implements Session. Each prompt runs in its own process, which resumes the conversation.
func (s *copilotSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	var all Result
	for _, prompt := range prompts {
		args := []string{"--allow-all-tools", "--log-dir", filepath.Join(s.place.Log, "copilot"), "--output-format", "json"}
		if s.ran || o.Resume {
			args = append(args, "--continue")
		}
		args = append(args, o.Args...)
		if len(prompt) < maxArgument {
			args = append(args, "-p", prompt)
		}
		cmd := s.place.start(ctx, o, s.env(), args...)
		if len(prompt) >= maxArgument {
			cmd.Stdin = strings.NewReader(prompt)
		}
		r, err := s.place.run(cmd, "copilot")
		all = Result{r.Exit, all.Output + r.Output, all.Errors + r.Errors, all.Took + r.Took}
		if err != nil || r.Exit != 0 {
			return all, err
		}
		s.ran = true
	}
	return all, nil
}

// Write implements Session. The client's tool creates only files that do not exist.
func (s *copilotSession) Write(file, content string) model.Call {
	return model.Call{Tool: "create", Input: map[string]any{"path": s.place.abs(file), "file_text": content}}
}

// Read implements Session.
func (s *copilotSession) Read(file string) model.Call {
	return model.Call{Tool: "view", Input: map[string]any{"path": s.place.abs(file)}}
}

// Shell implements Session.
func (s *copilotSession) Shell(command string) model.Call {
	return model.Call{Tool: "bash", Input: map[string]any{"command": command, "description": "run a command", "mode": "sync"}}
}

// Own implements Session.
func (s *copilotSession) Own(tool string, input map[string]any) model.Call {
	return model.Call{Tool: "idumb-" + tool, Input: input}
}

// Spawn implements Session.
func (s *copilotSession) Spawn(agent, prompt string) model.Call {
	return model.Call{Tool: "task", Input: map[string]any{"name": "part", "description": "do a part", "agent_type": agent, "prompt": prompt, "mode": "sync"}}
}
