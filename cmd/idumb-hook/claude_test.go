package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChangedSettingsWaitForTheNextSession(t *testing.T) {
	p := newProject(t)
	for source, refused := range map[string]bool{
		"project_settings": true, "local_settings": true, "user_settings": true, "policy_settings": false, "skills": false,
	} {
		t.Run(source, func(t *testing.T) {
			got := p.ask("ConfigChange", map[string]any{"source": source, "file_path": p.root + "/.claude/settings.local.json"})
			if !refused {
				p.silent(got)
				return
			}
			var out struct{ Decision, Reason, SystemMessage string }
			require.NoError(t, json.Unmarshal([]byte(got.stdout), &out))
			assert.Equal(t, "block", out.Decision)
			assert.Contains(t, out.Reason, ".claude/settings.local.json")
			assert.Contains(t, out.Reason, "from the next session")
			assert.Equal(t, out.Reason, out.SystemMessage, "the user is told as well")
		})
	}
	p.write(".idumb/config.json", `{"spec": {"mode": "log"}}`)
	p.silent(p.ask("ConfigChange", map[string]any{"source": "project_settings", "file_path": "x"}))
}

// TestTheSummariserIsNoSubagent: what ends without a type has never begun, and leaves
// no record.
func TestTheSummariserIsNoSubagent(t *testing.T) {
	p := newProject(t)
	p.silent(p.ask("SubagentStop", map[string]any{"agent_id": "a9", "agent_type": ""}))
	sessions, err := os.ReadDir(filepath.Join(p.root, ".idumb", "sessions"))
	if err == nil {
		assert.Empty(t, sessions)
	}
}

func TestStopWaitsForSubagentsOnly(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/tasks/db-schema.json", `{"spec": {"workPlan": "user-auth", "state": "active", "expectedOutput": "a migration", "evidence": [{"file": "db/**"}]}}`)
	p.wants("a")
	p.tool("PostToolUse", "Write", map[string]any{"file_path": "a"})
	running := func(kind string) map[string]any {
		return map[string]any{"background_tasks": []any{map[string]any{"id": "b1", "type": kind, "status": "running"}}}
	}
	p.silent(p.ask("Stop", running("subagent")))
	assert.NotEmpty(t, p.ask("Stop", running("shell")).hold, "a server runs for as long as the session")
}

func TestClaudesOwnToolsLeaveTheirCaller(t *testing.T) {
	for _, mode := range []string{"enforce", "log", "off"} {
		t.Run(mode, func(t *testing.T) {
			p := newProject(t)
			p.write(".idumb/config.json", `{"spec": {"mode": "`+mode+`"}}`)
			call := map[string]any{"tool_name": "mcp__idumb__govern_task", "tool_input": map[string]any{"action": "start", "task": "db-schema"}, "tool_use_id": "toolu_7", "agent_id": "a1", "agent_type": "builder"}
			p.ask("PreToolUse", call)
			records, err := filepath.Glob(filepath.Join(p.root, ".idumb/run/calls/*.json"))
			require.NoError(t, err)
			require.Len(t, records, 1, "who calls is said whatever the mode")

			p.start("db-schema")
			p.ask("PostToolUse", call)
			assert.Contains(t, p.read(".idumb/sessions/5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01.a1.json"), `"activeTask": "db-schema"`)
		})
	}
	t.Run("a call that failed started nothing", func(t *testing.T) {
		p := newProject(t)
		p.start("db-schema")
		p.ask("PostToolUseFailure", map[string]any{"tool_name": "mcp__idumb__govern_task", "tool_input": map[string]any{"action": "start", "task": "db-schema"}, "tool_use_id": "toolu_7"})
		_, err := os.ReadFile(filepath.Join(p.root, ".idumb/sessions/5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01.json"))
		assert.ErrorIs(t, err, os.ErrNotExist)
	})
}

// TestNobodyIsStuck: what a denial says to run is not denied itself, in no shipped
// role.
func TestNobodyIsStuck(t *testing.T) {
	p := newProject(t)
	for name, spec := range map[string]string{
		"solo": `{}`, "reader": `{"tools": {"allow": ["Read"]}, "paths": {"write": ["nothing/**"]}}`, "toolless": `{"tools": {"deny": ["*"]}}`,
	} {
		p.write(".idumb/roles/"+name+".json", `{"spec": `+spec+`}`)
	}
	for _, agent := range []string{"", "solo", "reader", "toolless"} {
		for _, command := range []string{"idumb start db-schema", "idumb describe task db-schema", "idumb fail db-schema --reason \"cannot\"", "idumb complete db-schema --evidence \"done\"", "idumb next | head -3"} {
			t.Run(agent+" "+command, func(t *testing.T) {
				fields := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_use_id": "t"}
				if agent != "" {
					fields["agent_type"] = agent
				}
				assert.Empty(t, p.ask("PreToolUse", fields).reason)
			})
		}
	}
}
