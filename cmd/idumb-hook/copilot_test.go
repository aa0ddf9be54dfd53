package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// copilotEvents are what Copilot CLI 1.0.102 sends to the hooks of .claude/settings.json.
var copilotEvents = []string{
	`{"hook_event_name":"PreToolUse","session_id":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":"2026-11-28T23:07:04.407Z","cwd":"ROOT","tool_name":"Write","tool_input":{"path":"ROOT/x.txt","file_text":"hi\n"}}`,
	`{"hook_event_name":"PreToolUse","session_id":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":"2026-11-28T23:07:04.407Z","cwd":"ROOT","tool_name":"Bash","tool_input":{"command":"ls >x","description":"x"}}`,
	`{"hookName":"permissionRequest","sessionId":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":1795907224444,"cwd":"ROOT","toolName":"edit","toolInput":{"file_path":"ROOT/x.txt","diff":"x"},"permissionSuggestions":[]}`,
	`{"hook_event_name":"PostToolUse","session_id":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":"2026-11-28T23:07:04.507Z","cwd":"ROOT","tool_name":"Write","tool_input":{"path":"ROOT/x.txt","file_text":"hi\n"},"tool_result":{"result_type":"success","text_result_for_llm":"Created file"}}`,
	`{"hook_event_name":"SessionStart","session_id":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":"2026-11-28T23:07:02.880Z","cwd":"ROOT","source":"new","initial_prompt":"fix it"}`,
	`{"hook_event_name":"UserPromptSubmit","session_id":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":"2026-11-28T23:07:03.219Z","cwd":"ROOT","prompt":"fix it"}`,
	`{"sessionId":"870b466e-9270-48d7-bc5d-b1bdc67f4cd5","timestamp":1795907225098,"cwd":"ROOT","transcriptPath":"/h/.copilot/session-state/s/events.jsonl","agentName":"general-purpose","agent_id":"b","agent_type":"general-purpose","parent_agent_id":"8"}`,
	`{"hook_event_name":"SubagentStop","session_id":"8","timestamp":"2026-11-28T23:07:05.219Z","cwd":"ROOT","agent_id":"b","agent_type":"general-purpose","parent_agent_id":"8","transcript_path":"/h/.copilot/session-state/s/events.jsonl","agent_name":"general-purpose","last_assistant_message":"done","stop_reason":"end_turn","stop_hook_active":false}`,
	`{"hook_event_name":"Stop","session_id":"8","timestamp":"2026-11-28T23:07:05.301Z","cwd":"ROOT","transcript_path":"/h/.copilot/session-state/s/events.jsonl","stop_reason":"end_turn","stop_hook_active":false}`,
	`{"hook_event_name":"SessionEnd","session_id":"8","timestamp":"2026-11-28T23:07:05.313Z","cwd":"ROOT","reason":"complete"}`,
}

// TestCopilotIsAnsweredNothing: Copilot runs Claude Code's entries, and has no adapter.
func TestCopilotIsAnsweredNothing(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	for _, event := range copilotEvents {
		p.silent(p.send(strings.ReplaceAll(event, "ROOT", p.root)))
	}
	assert.NoDirExists(t, p.root+"/.idumb/sessions", "nothing is recorded of a session that is not held")
}

// TestClaudeStaysGovernedInCopilotsShell: the variables of Copilot decide nothing, and nor does a
// member that Claude Code may send one day.
func TestClaudeStaysGovernedInCopilotsShell(t *testing.T) {
	p := newProject(t)
	p.env = []string{"COPILOT_CLI=1", "COPILOT_PROJECT_DIR=" + p.root}
	assert.Equal(t, "deny", p.wants("a.go").decision)
	assert.NotEmpty(t, p.ask("SessionStart", map[string]any{"source": "startup"}).context)
	for _, member := range []string{"timestamp", "sessionId", "hookName", "parent_agent_id"} {
		text, err := json.Marshal(map[string]any{
			member: "2026-11-28T23:07:04.407Z", "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t.jsonl", "cwd": p.root,
			"permission_mode": "default", "tool_use_id": "t", "tool_name": "Write", "tool_input": map[string]any{"file_path": "a.go", "content": "x"},
		})
		require.NoError(t, err)
		assert.Equal(t, "deny", p.send(string(text)).decision, member)
	}
}

// TestNoArgument: Copilot drops the arguments of entries that earlier versions installed, and takes
// a failure for a denial.
func TestNoArgument(t *testing.T) {
	for _, input := range []string{"", copilotEvents[0], strings.Repeat("x", 1<<20)} {
		cmd := exec.Command(binary)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err)
		assert.Empty(t, out)
	}
}

// TestHooksOfEarlierVersionsAreTold: the user is told once a session of entries with "args".
func TestHooksOfEarlierVersionsAreTold(t *testing.T) {
	p := newProject(t)
	start := func(source string) string { return p.ask("SessionStart", map[string]any{"source": source}).stdout }
	assert.NotContains(t, start("startup"), "Copilot")
	for _, file := range []string{".claude/settings.local.json", ".claude/settings.json"} {
		p.write(file, `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "sh", "args": ["-c", "{ idumb-hook claude <&3; }"]}]}]}}`)
		assert.Contains(t, start("startup"), file)
		assert.Contains(t, start("startup"), "idumb doctor")
		assert.NotContains(t, start("compact"), "idumb doctor")
	}
	p.write(".idumb/config.json", `{"spec": {"mode": "log"}}`)
	p.env = []string{"IDUMB_TRUST="}
	assert.Contains(t, start("startup"), "idumb doctor", "a repository that is not trusted is the one that needs it")
}
