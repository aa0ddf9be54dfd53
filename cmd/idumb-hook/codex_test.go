package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const codexSession = "01a1ff02-6bba-7d91-9da9-8ebafd21e332"

// codex sends an event as Codex does: without a variable that names the project.
func (p *project) codex(event string, fields map[string]any) answer {
	input := map[string]any{
		"session_id": codexSession, "turn_id": "01a1ff02-6bdb", "transcript_path": "/none.jsonl", "cwd": p.root,
		"hook_event_name": event, "model": "gpt-5.5", "permission_mode": "bypassPermissions",
	}
	for name, value := range fields {
		input[name] = value
	}
	text, err := json.Marshal(input)
	require.NoError(p.t, err)
	return p.codexText(string(text))
}

func (p *project) codexText(input string) answer {
	cmd := exec.Command(binary, "codex")
	cmd.Dir = p.root
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.root, "home"), "IDUMB_AUTOSTART=false", "IDUMB_TRUST=" + p.root}, p.env...)
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	a := answer{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
	if stdout.Len() == 0 {
		return a
	}
	var out struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Notice   string `json:"systemMessage"`
		Specific struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
			Context  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields() // an unknown field makes the client drop the answer
	require.NoError(p.t, d.Decode(&out))
	require.Contains(p.t, []string{"", event(input)}, out.Specific.Event)
	a.decision, a.reason, a.context = out.Specific.Decision, out.Specific.Reason, out.Specific.Context
	if out.Decision == "block" {
		a.hold = out.Reason
	}
	return a
}

func event(input string) string {
	var e struct {
		Name string `json:"hook_event_name"`
	}
	_ = json.Unmarshal([]byte(input), &e)
	return e.Name
}

func (p *project) patch(event, text string) answer {
	return p.codex(event, map[string]any{"tool_name": "apply_patch", "tool_input": map[string]any{"command": text}, "tool_use_id": "call_1"})
}

func (p *project) codexBash(event, command string) answer {
	return p.codex(event, map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_use_id": "call_2"})
}

const addHello = "*** Begin Patch\n*** Add File: src/hello.txt\n+hi\n*** End Patch\n"

func TestCodexDeniedThenStartedThenWritten(t *testing.T) {
	p := newProject(t)
	denied := p.patch("PreToolUse", addHello)
	assert.Equal(t, "deny", denied.decision)
	assert.Contains(t, denied.reason, `"apply_patch" on src/hello.txt`)
	assert.Contains(t, denied.reason, "`mcp__idumb__govern_task {\"action\":\"start\",\"task\":\"db-schema\"}`")
	assert.Contains(t, p.patch("PreToolUse", addHello).reason, "again: follow USE INSTEAD before you repeat the call")
	assert.Equal(t, "deny", p.codexBash("PreToolUse", "echo hi > src/hello.txt").decision)
	assert.Equal(t, "deny", p.codexBash("PreToolUse", "apply_patch <<'EOF'\n"+addHello+"EOF").decision)

	assert.Equal(t, answer{}, p.codexBash("PreToolUse", "idumb start db-schema"))
	p.start("db-schema")
	assert.Equal(t, answer{}, p.codexBash("PostToolUse", "idumb start db-schema"))
	assert.Equal(t, answer{}, p.patch("PreToolUse", addHello), "never an allow: the client drops it")
	assert.Equal(t, answer{}, p.patch("PostToolUse", addHello))
	assert.Contains(t, p.read(".idumb/checkpoints/db-schema.jsonl"), `"filesModified":["src/hello.txt"]`)
	assert.Contains(t, p.read(".idumb/sessions/"+codexSession+".json"), `"activeTask": "db-schema"`)
}

func TestCodexGovernedPaths(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for name, text := range map[string]string{
		"its hooks":       "*** Begin Patch\n*** Delete File: .codex/hooks.json\n*** End Patch",
		"moved onto them": "*** Begin Patch\n*** Update File: a\n*** Move to: .codex/hooks.json\n@@\n-a\n+b\n*** End Patch",
		"a second file":   "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** Update File: .idumb/config.json\r\n@@\r\n+x\r\n*** End Patch",
		"unreadable":      "*** Begin Patch\n*** Rename File: .codex/hooks.json\n*** End Patch",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, "deny", p.patch("PreToolUse", text).decision)
		})
	}
}

func TestCodexCommandsProveNothing(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	p.codexBash("PostToolUse", "go test ./...")
	log := p.read(".idumb/checkpoints/db-schema.jsonl")
	assert.Contains(t, log, `"command":"go test ./..."`)
	assert.NotContains(t, log, "succeeded", "the client does not say how it ended")
}

func TestCodexContextAndStop(t *testing.T) {
	p := starting(t)
	p.start("db-schema")
	assert.Contains(t, p.codex("SessionStart", map[string]any{"source": "startup"}).context, "db-schema")
	assert.Contains(t, p.codex("SessionStart", map[string]any{"source": "compact"}).context, "db-schema")
	sub := map[string]any{"agent_id": "01a1ff02-721e", "agent_type": "worker"}
	assert.Contains(t, p.codex("SubagentStart", sub).context, "db-schema")
	assert.Equal(t, answer{}, p.codex("SubagentStop", sub))
	assert.Equal(t, answer{}, p.codex("PreCompact", map[string]any{"trigger": "auto"}))
	assert.Equal(t, answer{}, p.codex("SessionEnd", map[string]any{"reason": "other"}))

	p.write(".idumb/tasks/db-schema.json", `{"spec": {"workPlan": "user-auth", "state": "active", "expectedOutput": "o", "evidence": [{"file": "db/**"}, {"command": "go test", "succeeds": true}]}}`)
	p.patch("PreToolUse", "*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch")
	p.patch("PostToolUse", "*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch")
	held := p.codex("Stop", map[string]any{"stop_hook_active": false}).hold
	assert.Contains(t, held, "db-schema")
	assert.Contains(t, held, "`idumb run -- COMMAND`", "which records how a command ends")
}

func TestCodexInputThatMakesNoSense(t *testing.T) {
	p := newProject(t)
	for input, code := range map[string]int{
		`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_in`: 2,
		`{"tool_name":"apply_patch","tool_input":{"command":"x"}}`:           2,
		`{"hook_event_name":"PreToolUse","tool_name":"view_image","tool_in`:  1,
		`{"hook_event_name":"PostCompact"}`:                                  0,
	} {
		t.Run(input, func(t *testing.T) {
			got := p.codexText(input)
			assert.Equal(t, code, got.code)
			assert.Empty(t, got.stdout)
		})
	}
}

func TestCodexOwnToolsLeaveTheirCaller(t *testing.T) {
	p := newProject(t)
	call := map[string]any{"tool_name": "mcp__idumb__govern_task", "tool_input": map[string]any{"action": "start", "task": "db-schema"}, "tool_use_id": "call_9", "agent_id": "a1", "agent_type": "worker"}
	assert.Equal(t, answer{}, p.codex("PreToolUse", call))
	records, err := filepath.Glob(filepath.Join(p.root, ".idumb/run/calls/*.json"))
	require.NoError(t, err)
	require.Len(t, records, 1)
	text, err := os.ReadFile(records[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), `"host":"codex"`)
	assert.Contains(t, string(text), `"subagent":"a1"`)
	p.start("db-schema")
	assert.Equal(t, answer{}, p.codex("PostToolUse", call))
	assert.Contains(t, p.read(".idumb/sessions/"+codexSession+".a1.json"), `"activeTask": "db-schema"`)
}

// A start that idumb refused does not put the session on the task, although the task is active and the host does not
// report the exit status.
func TestRefusedStartBindsNoSession(t *testing.T) {
	const said = `error: cannot start task "login-form": it is blocked by "db-schema" (planned); complete what comes first`
	for host, event := range map[string]func(p *project){
		"codex": func(p *project) {
			p.codex("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "idumb start login-form"}, "tool_use_id": "t1", "tool_response": said})
		},
		"codex, by MCP": func(p *project) {
			p.codex("PostToolUse", map[string]any{"tool_name": "mcp__idumb__govern_task", "tool_input": map[string]any{"action": "start", "task": "login-form"}, "tool_use_id": "t1",
				"tool_response": map[string]any{"content": []map[string]any{{"type": "text", "text": `{"status":"error"}`}}, "isError": true}})
		},
		"claude": func(p *project) {
			p.ask("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "idumb start login-form"}, "tool_use_id": "t1", "error": "Exit code 1\n" + said})
		},
	} {
		t.Run(host, func(t *testing.T) {
			p := newProject(t)
			p.start("login-form") // active and blocked
			event(p)
			sessions, err := filepath.Glob(filepath.Join(p.root, ".idumb/sessions/*.json"))
			require.NoError(t, err)
			for _, file := range sessions {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.NotContains(t, string(text), "login-form")
			}
			assert.NoDirExists(t, filepath.Join(p.root, ".idumb/run/leases"))
		})
	}
}
