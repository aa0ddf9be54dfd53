package clients

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// OpenCode drives OpenCode.
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

// These values describe the scripted model in OpenCode's configuration.
const (
	openCodeProvider = "scripted" // the name of the provider and of its model
	openCodeWindow   = 100_000    // tokens, the default if a scenario sets no window
	openCodeOutput   = 4000       // tokens
	// openCodeDepth is the depth to which OpenCode itself lets subagents nest. It is larger than
	// idumb's limit, so that idumb refuses first.
	openCodeDepth = 6
)

// Open implements Client.
func (OpenCode) Open(p Place) (Session, error) {
	window := p.Window
	if window == 0 {
		window = openCodeWindow
	}
	return &openCodeSession{place: p, window: window}, p.prepare()
}

type openCodeSession struct {
	place  Place
	window int
	ran    bool
}

// config returns the user's configuration. Requests for titles go to the model but are not part of
// the conversation, so they are enabled only for scenarios about titles.
func (s *openCodeSession) config(titles bool) string {
	name := openCodeProvider + "/" + openCodeProvider
	config, err := json.Marshal(map[string]any{
		"model": name, "small_model": name, "share": "disabled", "autoupdate": false, "subagent_depth": openCodeDepth,
		"agent": map[string]any{
			"title":   map[string]any{"disable": !titles},
			"general": map[string]any{"permission": map[string]any{"task": "allow"}}, // otherwise OpenCode starts no subagents
		},
		"provider": map[string]any{openCodeProvider: map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
			"options": map[string]any{"baseURL": s.place.Model + "/v1", "apiKey": "made-up"},
			"models": map[string]any{openCodeProvider: map[string]any{
				"name": openCodeProvider, "limit": map[string]any{"context": s.window, "output": openCodeOutput},
			}},
		}},
	})
	if err != nil { // cannot happen: the value contains only strings, numbers and booleans
		panic(err)
	}
	return configVariable + "=" + string(config)
}

// configVariable is the environment variable for a configuration that is merged over all files.
const configVariable = "OPENCODE_CONFIG_CONTENT"

// env returns the environment variables for OpenCode.
func (s *openCodeSession) env() []string {
	return []string{
		s.config(false),
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_CLAUDE_CODE=1",
	}
}

// Run implements Session. Each prompt runs in its own process, which continues the project's last
// conversation. If a prompt is a slash command, which the command line does not support, all
// prompts go to a server. The same applies if there are many prompts, because starting a process
// takes seconds.
func (s *openCodeSession) Run(ctx context.Context, o Options, prompts ...string) (Result, error) {
	slash := func(prompt string) bool { return strings.HasPrefix(prompt, "/") }
	if len(prompts) > manyPrompts || slices.ContainsFunc(prompts, slash) {
		return s.runServed(ctx, o, prompts)
	}
	var all Result
	for _, prompt := range prompts {
		r, err := s.place.run(s.process(ctx, o, prompt), "opencode")
		all = Result{r.Exit, all.Output + r.Output, all.Errors + r.Errors, all.Took + r.Took}
		if err != nil || r.Exit != 0 {
			return all, err
		}
		s.ran = true
	}
	return all, nil
}

// manyPrompts is larger than the number of prompts in any scenario about processes.
const manyPrompts = 5

// maxArgument is the largest size of a prompt that is passed as an argument, in bytes. The limit of
// Linux is 128 KB. A longer prompt is sent to standard input.
const maxArgument = 100_000

func (s *openCodeSession) process(ctx context.Context, o Options, prompt string) *exec.Cmd {
	args := s.args(o)
	if len(prompt) <= maxArgument {
		return s.place.start(ctx, o, s.env(), append(args, prompt)...)
	}
	cmd := s.place.start(ctx, o, s.env(), args...)
	cmd.Stdin = strings.NewReader(prompt)
	return cmd
}

func (s *openCodeSession) args(o Options) []string {
	args := []string{"run", "--format", "json"}
	if s.ran || o.Resume {
		args = append(args, "--continue")
	}
	if o.Unguarded {
		args = append(args, "--auto")
	}
	return append(args, o.Args...)
}

// Write implements Session.
func (s *openCodeSession) Write(file, content string) model.Call {
	return model.Call{Tool: "write", Input: map[string]any{"filePath": s.place.abs(file), "content": content}}
}

// Read implements Session.
func (s *openCodeSession) Read(file string) model.Call {
	return model.Call{Tool: "read", Input: map[string]any{"filePath": s.place.abs(file)}}
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
