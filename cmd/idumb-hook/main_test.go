package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var binary string

// TestMain builds the binary: these tests run it as a host does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "main" {
		main() // keeps the program in this binary: cached results must not outlive a change of it
	}
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		canned(os.Args[2])
	}
	os.Exit(withBinary(m))
}

func withBinary(m *testing.M) int {
	dir, err := os.MkdirTemp("", "idumb-hook-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "idumb-hook")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// project is a repository in which a host's client runs.
type project struct {
	t    *testing.T
	root string
	env  []string
}

// newProject makes a repository with a plan, a task that waits for another one, and
// one that is free.
func newProject(t *testing.T) *project {
	p := &project{t: t, root: t.TempDir()}
	p.write(".idumb/workplans/user-auth.json", `{"spec": {"title": "User authentication", "acceptance": ["one can log in"], "state": "active"}}`)
	p.write(".idumb/tasks/db-schema.json", `{"spec": {"workPlan": "user-auth", "title": "Database schema", "expectedOutput": "a migration"}}`)
	p.write(".idumb/tasks/login-form.json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "a form", "dependsOn": ["db-schema"]}}`)
	return p
}

func (p *project) write(name, text string) {
	file := filepath.Join(p.root, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(p.t, os.WriteFile(file, []byte(text), 0o644))
}

func (p *project) read(name string) string {
	text, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
	require.NoError(p.t, err)
	return string(text)
}

// start claims a task by editing its file.
func (p *project) start(task string) {
	name := ".idumb/tasks/" + task + ".json"
	p.write(name, strings.Replace(p.read(name), `"workPlan"`, `"state": "active", "workPlan"`, 1))
}

// answer is what a run of the hook came to.
type answer struct {
	stdout, stderr string
	code           int
	decision       string
	reason         string
	context        string
	hold           string
}

// ask sends an event; fields come on top of what the client always sends.
func (p *project) ask(event string, fields map[string]any) answer {
	input := map[string]any{
		"session_id": "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01", "transcript_path": "/t.jsonl", "cwd": p.root,
		"hook_event_name": event, "permission_mode": "acceptEdits", "prompt_id": "p1",
	}
	for name, value := range fields {
		input[name] = value
	}
	text, err := json.Marshal(input)
	require.NoError(p.t, err)
	return p.send(string(text))
}

func (p *project) send(input string) answer {
	cmd := exec.Command(binary, "claude")
	cmd.Dir = p.root
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.root, "home"), "CLAUDE_PROJECT_DIR=" + p.root, "IDUMB_AUTOSTART=off", "IDUMB_TRUST=" + p.root}, p.env...)
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	a := answer{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
	if a.code == 0 {
		require.NoError(p.t, err)
	}
	var out struct {
		Decision, Reason string
		Specific         struct {
			PermissionDecision, PermissionDecisionReason, AdditionalContext string
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(stdout.Bytes(), &out) == nil {
		a.decision, a.reason, a.context = out.Specific.PermissionDecision, out.Specific.PermissionDecisionReason, out.Specific.AdditionalContext
		if out.Decision == "block" {
			a.hold = out.Reason
		}
	}
	return a
}

// tool sends a tool event.
func (p *project) tool(event, name string, input map[string]any) answer {
	return p.ask(event, map[string]any{"tool_name": name, "tool_input": input, "tool_use_id": "toolu_1"})
}

// wants to write a file.
func (p *project) wants(file string) answer {
	return p.tool("PreToolUse", "Write", map[string]any{"file_path": filepath.Join(p.root, file), "content": "x"})
}

// bash wants to run a command.
func (p *project) bash(command string) answer {
	return p.tool("PreToolUse", "Bash", map[string]any{"command": command})
}

// silent is the answer of a hook that has no opinion.
func (p *project) silent(a answer) {
	p.t.Helper()
	assert.Equal(p.t, answer{}, a)
}

// A file that was not there before is called created, where the host says so.
func TestCheckpointsOfNewFiles(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for _, tc := range []struct{ kind, want string }{{"create", `"summary":"Created src/x.tsx"`}, {"update", `"summary":"src/x.tsx"`}} {
		require.NoError(t, os.RemoveAll(filepath.Join(p.root, ".idumb/checkpoints/db-schema.jsonl")))
		p.silent(p.ask("PostToolUse", map[string]any{
			"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(p.root, "src/x.tsx"), "content": "x"},
			"tool_response": map[string]any{"type": tc.kind, "filePath": filepath.Join(p.root, "src/x.tsx")},
		}))
		assert.Contains(t, p.read(".idumb/checkpoints/db-schema.jsonl"), tc.want)
	}
}

func TestCheckpoints(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for _, tc := range []struct {
		name, event, command, want string
		extra                      map[string]any
	}{
		{"passed", "PostToolUse", "cd app && go test ./...", `"command":"go test ./...","succeeded":true}`, nil},
		{"failed", "PostToolUseFailure", "npm run build", `"command":"npm run build","succeeded":false}`, nil},
		{"proves nothing", "PostToolUse", "make check | tail -1", `"command":"make check"}`, nil},
		{"in the background", "PostToolUse", "make bg", `"command":"make bg"}`, map[string]any{"tool_response": map[string]any{"backgroundTaskId": "b1"}}},
		{"git", "PostToolUse", "git add -A && git commit -m 'a b'", `"command":"git commit -m \"a b\"","succeeded":true}`, nil},
		{"no secrets", "PostToolUse", "TOKEN=s3cret npm test -- --token=s3cret --password s3cret && git push https://u:s3cret@host/r.git", `"command":"git push https://***@host/r.git"`, nil},
		{"redirected", "PostToolUse", "go build ./... > build.log", `"filesModified":["build.log"]`, nil},
		{"what came out", "PostToolUse", "npm run build && npm test && git commit -qm x && git push", `"summary":"npm test (4 passed, 0 failed)"`, map[string]any{"tool_response": map[string]any{"stdout": "built\n", "stderr": "Tests:       4 passed, 4 total\n"}}},
		{"what came out of git", "PostToolUse", "npm test && git commit -m x", `"summary":"git commit -m x (1 file changed, 2 insertions(+))"`, map[string]any{"tool_response": map[string]any{"stdout": "[main 1a2b3c4] x\n 1 file changed, 2 insertions(+)\n"}}},
		{"what came out of what failed", "PostToolUseFailure", "pytest -q", `"summary":"pytest -q (3 passed, 1 failed)"`, map[string]any{"error": "Exit code 1\n...F\n1 failed, 3 passed in 0.02s"}},
		{"a pipe hides what ran", "PostToolUse", "make check | tail -1", `"summary":"make check"`, map[string]any{"tool_response": map[string]any{"stdout": "4 passed in 0.1s"}}},
		{"no checkpoint", "PostToolUse", "ls -l; git status; cat a", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			log := filepath.Join(p.root, ".idumb/checkpoints/db-schema.jsonl")
			require.NoError(t, os.RemoveAll(log))
			fields := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": tc.command}}
			for k, v := range tc.extra {
				fields[k] = v
			}
			p.silent(p.ask(tc.event, fields))
			if tc.want == "" {
				assert.NoFileExists(t, log)
				return
			}
			got := p.read(".idumb/checkpoints/db-schema.jsonl")
			assert.Contains(t, got, tc.want)
			assert.NotContains(t, got, "s3cret")
		})
	}
}

func TestContext(t *testing.T) {
	p := starting(t)
	p.start("db-schema")
	first := p.ask("SessionStart", map[string]any{"source": "startup"})
	assert.Contains(t, first.context, "db-schema")
	assert.Contains(t, first.context, "<idumb_context>")
	p.silent(p.ask("UserPromptSubmit", map[string]any{"prompt": "hello"}))
	p.write(".idumb/mems/trap.json", `{"spec": {"type": "false_path", "content": "AVOID sqlite BECAUSE it locks INSTEAD postgres"}}`)
	p.silent(p.ask("UserPromptSubmit", map[string]any{"prompt": "<task-notification>done</task-notification>"}))
	assert.Contains(t, p.ask("UserPromptSubmit", map[string]any{"prompt": "and now?"}).context, "AVOID sqlite")
	assert.Contains(t, p.ask("SessionStart", map[string]any{"source": "compact"}).context, "AVOID sqlite")
	assert.Contains(t, p.ask("PreCompact", map[string]any{"trigger": "auto"}).stdout, `active iDumb task is "db-schema"`)
}

func TestContextStaysWithinTheHostsLimit(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for i := range 200 {
		p.write(fmt.Sprintf(".idumb/mems/m%d.json", i), fmt.Sprintf(`{"spec": {"content": "database schema migration fact %d \U0001F600 %s"}}`, i, strings.Repeat("word ", 30)))
	}
	got := p.ask("SessionStart", map[string]any{"source": "startup"}).context
	assert.NotEmpty(t, got)
	assert.LessOrEqual(t, len([]rune(got)), 10000)
}

func TestStop(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/tasks/db-schema.json", `{"spec": {"workPlan": "user-auth", "state": "active", "expectedOutput": "a migration", "evidence": [{"file": "db/**"}, {"command": "go test ./...", "succeeds": true}]}}`)
	p.silent(p.ask("Stop", nil)) // it has only answered a question
	p.silent(p.wants("db/1.sql"))
	p.tool("PostToolUse", "Write", map[string]any{"file_path": "db/1.sql"})

	p.silent(p.ask("Stop", map[string]any{"background_tasks": []any{map[string]any{"id": "x"}}}))
	held := p.ask("Stop", map[string]any{"stop_hook_active": false})
	assert.NotContains(t, held.hold, "db/**", "it was seen")
	assert.Contains(t, held.hold, "- command \"go test ./...\" with exit code 0\nExpected: a migration\nUSE INSTEAD: In the shell, `idumb run --complete db-schema -- go test ./...`")
	assert.Contains(t, held.hold, "mcp__idumb__govern_task {\"action\":\"fail\",\"task\":\"db-schema\"")
	p.silent(p.ask("Stop", map[string]any{"stop_hook_active": true})) // once in a turn
	p.ask("UserPromptSubmit", map[string]any{"prompt": "<task-notification>a subagent ended</task-notification>"})
	p.silent(p.ask("Stop", map[string]any{"stop_hook_active": false}))

	turn := func(said string) string {
		p.ask("UserPromptSubmit", map[string]any{"prompt": "and now?"})
		return p.ask("Stop", map[string]any{"last_assistant_message": said}).hold
	}
	assert.Empty(t, turn("It is half past two."), "it did nothing for the task")
	assert.NotEmpty(t, turn("All is done now."))
	assert.Empty(t, turn("That is not done yet."))
	assert.Empty(t, turn("The schema is done.\n\nShall I add an index?"), "it asks the user")

	p.ask("UserPromptSubmit", map[string]any{"prompt": "test it"})
	p.tool("PostToolUse", "Bash", map[string]any{"command": "go test ./..."})
	seen := p.ask("Stop", nil).hold
	assert.Contains(t, seen, `task "db-schema" has all of its evidence`)
	assert.Contains(t, seen, "`mcp__idumb__govern_task {\"action\":\"complete\",\"task\":\"db-schema\"")
	assert.NotContains(t, seen, "Not seen")
	p.silent(p.ask("SubagentStop", map[string]any{"agent_type": ""}))
}

func TestSubagents(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/roles/executor.json", `{"spec": {"paths": {"write": ["src/**"]}}}`)
	p.start("db-schema")
	write := func(file string, agent any) answer {
		return p.ask("PreToolUse", map[string]any{
			"tool_name": "Write", "tool_input": map[string]any{"file_path": file}, "agent_id": "a1", "agent_type": agent,
		})
	}
	p.silent(write("src/a.go", "executor"))
	assert.Contains(t, write("docs/a.md", "executor").reason, `role "executor"`)
	assert.Contains(t, write("docs/a.md", map[string]any{"name": "executor", "prompt": "..."}).reason, `role "executor"`, "the whole definition in place of a name")
	assert.Contains(t, write("docs/a.md", "general-purpose").reason, `No role names the agent "general-purpose"`)
	p.write(".idumb/config.json", `{"spec": {"unknownAgents": "default"}}`)
	p.silent(write("docs/a.md", "general-purpose"))
	assert.Contains(t, p.read(".idumb/sessions/5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01.a1.json"), `"parent": "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01"`)
}

func TestAdviceOnceWhileNobodyPlans(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/workplans/user-auth.json", `{"spec": {"title": "t", "acceptance": ["a"]}}`)
	assert.Contains(t, p.wants("a").context, "no plan is active")
	p.silent(p.wants("a"))
	p.write(".idumb/config.json", `{"spec": {"requirePlan": true}}`)
	assert.Equal(t, "deny", p.wants("a").decision)
}

func TestInputThatMakesNoSense(t *testing.T) {
	p := newProject(t)
	for _, tc := range []struct {
		name, input string
		code        int
	}{
		{"not JSON, a gate", `{"hook_event_name":"PreToolUse","tool_name":`, 2},
		{"not JSON, no gate", `{"hook_event_name":"Stop",`, 1},
		{"empty", ``, 1},
		{"a tool without an event", `{"tool_name":"Write","tool_input":{"file_path":"a"}}`, 2},
		{"a tool that reads, without an event", `{"tool_name":"Read","tool_input":{"file_path":"a"}}`, 1},
		{"a read, cut off", `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_`, 1},
		{"a gate without a tool", `{"hook_event_name":"PreToolUse"}`, 2},
		{"an event that is not ours", `{"hook_event_name":"Notification"}`, 0},
		{"a prompt that is no text", `{"hook_event_name":"Stop","prompt":{"a":1}}`, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := p.send(tc.input)
			assert.Equal(t, tc.code, got.code)
			assert.Empty(t, got.stdout)
			assert.Equal(t, tc.code != 0, got.stderr != "")
		})
	}
	t.Run("a write without a path", func(t *testing.T) {
		got := p.tool("PreToolUse", "Write", map[string]any{"file_path": 7})
		assert.Equal(t, "deny", got.decision)
	})
	t.Run("a path that goes in circles", func(t *testing.T) {
		require.NoError(t, os.Symlink("loop", filepath.Join(p.root, "loop")))
		assert.Equal(t, "deny", p.wants("loop/x").decision)
	})
}

func TestNothingGovernedHere(t *testing.T) {
	p := &project{t: t, root: t.TempDir()}
	p.silent(p.wants("a"))
	p.silent(p.send("nonsense PreToolUse"))
	p.silent(p.ask("SessionStart", nil))
	assert.NoDirExists(t, filepath.Join(p.root, ".idumb"))
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"emacs"}, {"claude", "x"}} {
		out, err := exec.Command(binary, args...).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(out), "claude")
	}
}
