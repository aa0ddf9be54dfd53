package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeniedThenStartedThenWritten(t *testing.T) {
	p := newProject(t)
	denied := p.wants("src/a.go")
	assert.Equal(t, "deny", denied.decision)
	assert.Contains(t, denied.reason, "USE INSTEAD: Call `mcp__idumb__govern_task {\"action\":\"start\",\"task\":\"db-schema\"}`")
	assert.NotContains(t, denied.reason, "again: follow USE INSTEAD")
	assert.Contains(t, p.wants("src/a.go").reason, "again: follow USE INSTEAD before you repeat the call")

	p.silent(p.bash("idumb start db-schema"))
	p.start("db-schema")
	p.silent(p.tool("PostToolUse", "Bash", map[string]any{"command": "idumb start db-schema"}))
	p.silent(p.wants("src/a.go"))
	p.silent(p.tool("PostToolUse", "Write", map[string]any{"file_path": filepath.Join(p.root, "src/a.go")}))
	assert.Contains(t, p.read(".idumb/checkpoints/db-schema.jsonl"), `"filesModified":["src/a.go"]`)
	session := p.read(".idumb/sessions/5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01.json")
	assert.Contains(t, session, `"activeTask": "db-schema"`)
	assert.Contains(t, session, `"denials": 2`)
	assert.Contains(t, p.read(".idumb/checkpoints/db-schema.jsonl"), `"tool":"write"`)
}

func TestBlockedTask(t *testing.T) {
	p := newProject(t)
	p.start("login-form")
	got := p.wants("src/form.tsx")
	assert.Equal(t, "deny", got.decision)
	assert.Contains(t, got.reason, `WHY: It depends on "db-schema" (Database schema), which is planned.`)
	assert.Contains(t, got.reason, "  login-form [blocked]  <- your task")
}

func TestNeverAllowsAForeignTool(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for _, tool := range []string{"Write", "Edit", "Bash", "Read", "mcp__github__create_issue", "mcp__idumbx__start", "Agent", "Unheard"} {
		t.Run(tool, func(t *testing.T) {
			got := p.tool("PreToolUse", tool, map[string]any{"file_path": "src/a", "command": "idumb next"})
			assert.Empty(t, got.stdout)
		})
	}
	assert.Equal(t, "allow", p.tool("PreToolUse", "mcp__idumb__govern_task", map[string]any{}).decision)
}

// TestPlansThatCannotBeReadAreNotNone: where anything but plans stands in their place,
// nobody may take it for a repository in which nothing is planned.
func TestPlansThatCannotBeReadAreNotNone(t *testing.T) {
	for _, broken := range []string{".idumb", ".idumb/workplans"} {
		p := newProject(t)
		require.NoError(t, os.RemoveAll(filepath.Join(p.root, broken)))
		require.NoError(t, os.WriteFile(filepath.Join(p.root, broken), nil, 0o644))
		got := p.wants("src/form.tsx")
		assert.Equal(t, "deny", got.decision, broken)
		assert.Contains(t, got.reason, "The plans cannot be read")
		assert.NotEqual(t, "deny", p.tool("PreToolUse", "Read", map[string]any{"file_path": "src/a"}).decision)
	}
}

// TestOtherToolsThatWriteAreGated: not only the ones that every session has.
func TestOtherToolsThatWriteAreGated(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for tool, input := range map[string]map[string]any{
		"Monitor":            {"command": "rm .idumb/config.json"},
		"PowerShell":         {"command": "rm .idumb/config.json"},
		"mcp__fs__copy_file": {"source": "a", "destination": ".idumb/config.json"},
	} {
		assert.Equal(t, "deny", p.tool("PreToolUse", tool, input).decision, tool)
	}
	assert.Empty(t, p.tool("PreToolUse", "Monitor", map[string]any{"command": "tail -f log"}).stdout)
}

// TestCommandsStayThePersonsToPermit: our tool that runs a command line is no way around
// what the person said of the host's own shell.
func TestCommandsStayThePersonsToPermit(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for _, tool := range []string{"mcp__idumb__govern_shell", "mcp__plugin_idumb_idumb__govern_shell"} {
		assert.Empty(t, p.tool("PreToolUse", tool, map[string]any{"action": "run", "command": "true"}).stdout)
	}
}

func TestEverySpellingOfAPath(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	require.NoError(t, os.MkdirAll(filepath.Join(p.root, "src", "deep"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(p.root, ".idumb"), filepath.Join(p.root, "alias")))
	require.NoError(t, os.Symlink("../.idumb/config.json", filepath.Join(p.root, "src", "innocent.json")))
	require.NoError(t, os.Symlink("src/deep", filepath.Join(p.root, "jump")))
	for _, file := range []string{
		".idumb/config.json", "./.idumb/./config.json", "src/../.idumb/config.json", "src/none/../../.idumb/config.json",
		"alias/config.json", "src/innocent.json", "jump/../../.idumb/config.json", ".idumb//config.json", ".IDUMB/config.json",
		p.root + "/.idumb/config.json", p.root + "/src/../alias/roles/solo.json", "~/.claude/settings.json", ".claude/settings.local.json", ".git/hooks/pre-commit",
	} {
		for _, call := range []func(string) answer{
			func(file string) answer {
				return p.tool("PreToolUse", "Write", map[string]any{"file_path": file, "content": ""})
			},
			func(file string) answer {
				return p.tool("PreToolUse", "MultiEdit", map[string]any{"file_path": file, "edits": []any{}})
			},
			func(file string) answer {
				return p.tool("PreToolUse", "NotebookEdit", map[string]any{"notebook_path": file})
			},
			func(file string) answer { return p.bash("echo x > " + file) },
			func(file string) answer { return p.bash("cd src && cd .. && echo x >> " + file) },
			func(file string) answer {
				return p.tool("PreToolUse", "mcp__fs__write_file", map[string]any{"path": file})
			},
		} {
			got := call(file)
			assert.Equal(t, "deny", got.decision, file)
			assert.Contains(t, got.reason, "governed", file)
		}
	}
	for _, file := range []string{"src/a.go", "src/../b.go", "jump/c.go", ".idumb/tasks/new.json", "alias/mems/m.json", "/tmp/elsewhere", "../outside"} {
		p.silent(p.tool("PreToolUse", "Write", map[string]any{"file_path": file}))
	}
}

func TestShell(t *testing.T) {
	p := newProject(t)
	for command, denied := range map[string]bool{
		"go test ./... 2>&1 | tail": false, "ls > /dev/null 2>&1": false, "echo hi > /tmp/x": false, "cat < src/a": false, "echo 'a > b'": false,
		"echo hi > src/a": true, "cat <<EOF >src/a\nx\nEOF": true, "cd src; echo hi > a": true, "true && (echo > a)": true, "echo hi > $X": false,
		"idumb start db-schema": false, "idumb next | head -1": false,
	} {
		t.Run(command, func(t *testing.T) {
			assert.Equal(t, denied, p.bash(command).decision == "deny")
		})
	}
}

func TestModes(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/config.json", `{"spec": {"mode": "log"}}`)
	p.silent(p.wants("src/a.go"))
	events, err := filepath.Glob(filepath.Join(p.root, ".idumb/events/*.jsonl"))
	require.NoError(t, err)
	require.Len(t, events, 1)
	text, err := os.ReadFile(events[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), "WouldDeny")
	p.env = []string{"IDUMB_ENFORCE=1"}
	assert.Equal(t, "deny", p.wants("src/a.go").decision)
	p.env = []string{"IDUMB_ENFORCE=off"}
	p.silent(p.wants("src/a.go"))
	p.silent(p.ask("SessionStart", nil))
	p.env = nil
	p.silent(p.bash("IDUMB_ENFORCE=off true"))
}

// TestBrokenFilesOpenNoGate: what cannot be read is not taken for what is not there.
func TestBrokenFilesOpenNoGate(t *testing.T) {
	good := `{"problem": {"file": "x", "reason": "r", "remedy": "m"}, "since": "2026-11-21T00:00:00Z", "lastGood": "%s"}`
	t.Run("a task that is being worked on", func(t *testing.T) {
		p := newProject(t)
		p.start("db-schema")
		p.write(".idumb/quarantine/tasks/db-schema.json", fmt.Sprintf(good, base64(p.read(".idumb/tasks/db-schema.json"))))
		p.write(".idumb/tasks/db-schema.json", `{"spec": {`)
		p.silent(p.wants("src/a.go"))
	})
	t.Run("config with mode off in front of a syntax error", func(t *testing.T) {
		p := newProject(t)
		p.write(".idumb/config.json", `{"spec": {"mode": "off"`)
		assert.Equal(t, "deny", p.wants("src/a.go").decision)
	})
	t.Run("the only plan", func(t *testing.T) {
		p := newProject(t)
		p.write(".idumb/quarantine/workplans/user-auth.json", fmt.Sprintf(good, base64(p.read(".idumb/workplans/user-auth.json"))))
		p.write(".idumb/workplans/user-auth.json", "<<<<<<< HEAD")
		assert.Equal(t, "deny", p.wants("src/a.go").decision)
	})
	t.Run("a role", func(t *testing.T) {
		p := newProject(t)
		p.start("db-schema")
		p.write(".idumb/roles/solo.json", "nonsense")
		assert.Contains(t, p.wants("src/a.go").reason, "cannot be read")
	})
}

func base64(text string) string {
	out, _ := json.Marshal([]byte(text))
	return strings.Trim(string(out), `"`)
}

// TestANestedRepositoryOpensNoGate: a clone or a submodule as working folder belongs to the
// session around it.
func TestANestedRepositoryOpensNoGate(t *testing.T) {
	for name, git := range map[string]string{"clone": "nested/.git/HEAD", "submodule": "nested/.git"} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.write(git, "gitdir: ../.git/modules/nested\n")
			p.env = []string{"CLAUDE_PROJECT_DIR="} // as hosts that name no project
			inside := filepath.Join(p.root, "nested")
			got := p.ask("PreToolUse", map[string]any{
				"cwd": inside, "tool_name": "Write", "tool_use_id": "toolu_1",
				"tool_input": map[string]any{"file_path": filepath.Join(inside, "a.go"), "content": "x"},
			})
			assert.Equal(t, "deny", got.decision)
		})
	}
}
