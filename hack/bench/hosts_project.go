package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// hostProject is a repository for one run of a client.
type hostProject struct {
	*hostBench
	way     way
	scratch string
	dir     string
	place   clients.Place
	session clients.Session
	model   *model.Server
}

// prepare creates the project, its model and the client's home.
func (p *hostProject) prepare() (err error) {
	home := filepath.Join(p.scratch, "home")
	log := filepath.Join(home, "log")
	if err := errors.Join(os.MkdirAll(p.dir, 0o755), os.MkdirAll(log, 0o700)); err != nil {
		return err
	}
	if p.model, err = model.Start(filepath.Join(log, "requests.jsonl")); err != nil {
		return err
	}
	p.place = clients.Place{Binary: p.program, Project: p.dir, Home: home, Bin: p.idumb.Dir, Model: p.model.URL(), Log: log}
	if p.session, err = p.client.Open(p.place); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.dir, "notes.txt"), []byte("notes\n"), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {"git", "commit", "-q", "--allow-empty", "-m", "start"}} {
		if err := p.command(args...); err != nil {
			return err
		}
	}
	return p.hooks()
}

// hooks configures the project's hooks.
func (p *hostProject) hooks() error {
	switch p.way {
	case bare:
		return nil
	case empty:
		return p.hookEmpty()
	case counts:
		if err := errors.Join(p.countStarts(), p.putEcho()); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--agent", p.client.Host()},
		{"create", "workplan", "bench", "--title", "Bench", "--accept", "fast", "--state", "active"},
		{"create", "task", "measure", "--plan", "bench", "--title", "Measure", "--expect", "Figures"},
		{"start", "measure"},
	} {
		if err := p.command(append([]string{p.idumb.Path("idumb")}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program in the project, in the client's environment.
func (p *hostProject) command(args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = p.dir, p.place.Environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// end stops processes that the client may have left running.
func (p *hostProject) end() {
	if p.model != nil {
		_ = p.model.Close()
	}
	if p.way >= ours {
		_ = p.command(p.idumb.Path("idumb"), "controller", "stop") // none may be running
	}
	_ = os.RemoveAll(p.scratch)
}

// emptyPlugin starts a program before each tool call and prompt, like a plugin without a lasting
// child.
const emptyPlugin = `import { spawnSync } from "node:child_process"
export const empty = async () => ({
  "tool.execute.before": async () => { spawnSync(%[1]q) },
  "chat.message": async () => { spawnSync(%[1]q) },
})
`

// hookEmpty configures an empty Go program as the hook of each call and prompt.
func (p *hostProject) hookEmpty() error {
	entry := []any{map[string]any{"matcher": "*", "hooks": []any{map[string]any{"type": "command", "command": p.bin.Path("empty"), "timeout": 10}}}}
	settings, err := json.Marshal(map[string]any{"hooks": map[string]any{"PreToolUse": entry, "UserPromptSubmit": entry}})
	if err != nil {
		return err
	}
	files := map[string]map[string]string{
		"claude":   {".claude/settings.json": string(settings)},
		"codex":    {".codex/hooks.json": string(settings)},
		"opencode": {".opencode/plugin/empty.js": fmt.Sprintf(emptyPlugin, p.bin.Path("empty"))},
	}
	for name, text := range files[p.client.Host()] {
		file := filepath.Join(p.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// echoPlugin sends a line through an idle lasting child before each tool call, and records the
// duration: the cost of such an exchange in OpenCode's event loop.
const echoPlugin = `import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
export const echo = async () => {
  const child = spawn("cat", [], { stdio: ["pipe", "pipe", "ignore"] })
  let heard = () => {}
  child.stdout.on("data", () => heard())
  return { "tool.execute.before": async () => {
    const began = performance.now()
    await new Promise((done) => { heard = done; child.stdin.write("x\n") })
    appendFileSync(process.env.IDUMB_SHIM_LOG, JSON.stringify({ hook: "echo", ms: performance.now() - began }) + "\n")
  }, dispose: async () => { child.kill() } }
}
`

// putEcho adds the plugin to idumb's in OpenCode.
func (p *hostProject) putEcho() error {
	if p.client.Host() != (clients.OpenCode{}).Host() {
		return nil
	}
	file := filepath.Join(p.dir, ".opencode", "plugin", "echo.js")
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(echoPlugin), 0o644))
}

// countStarts puts a script before the hook's program that records each start.
func (p *hostProject) countStarts() error {
	bin := filepath.Join(p.scratch, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"idumb", "idumb-mcp", "idumb-controller"} {
		if err := os.Symlink(p.idumb.Path(name), filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	script := fmt.Sprintf("#!/bin/sh\necho >> '%s'\nexec '%s' \"$@\"\n", p.startsFile(), p.idumb.Path("idumb-hook"))
	p.place.Bin = bin
	var err error
	if p.session, err = p.client.Open(p.place); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(bin, "idumb-hook"), []byte(script), 0o755)
}

func (p *hostProject) startsFile() string { return filepath.Join(p.scratch, "starts") }

// started returns the number of starts of the hook.
func (p *hostProject) started() int {
	data, err := os.ReadFile(p.startsFile())
	if err != nil {
		return 0
	}
	return len(data)
}
