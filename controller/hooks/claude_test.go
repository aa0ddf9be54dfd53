package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// claudeEventsSeen are events as the real client sends them.
var claudeEventsSeen = []string{
	`{"session_id":"s1","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"x"},"tool_use_id":"t"}`,
	`{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cd x && echo > $(y) > z"}}`,
	`{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"mcp__idumb__x","tool_input":{}}`,
	`{"session_id":"S/../1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test"},"tool_response":{"stdout":""}}`,
	`{"session_id":"s1","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make"},"error":"Exit code 2","is_interrupt":false}`,
	`{"session_id":"s1","agent_id":"a1","agent_type":{"name":"build"},"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"../../b"}}`,
	`{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"hi"}`,
	`{"session_id":"s1","hook_event_name":"SessionStart","source":"compact"}`,
	`{"session_id":"s1","hook_event_name":"Stop","stop_hook_active":true,"background_tasks":[]}`,
	`{"session_id":"s1","hook_event_name":"PreCompact","trigger":"auto"}`,
	`{"session_id":"s1","hook_event_name":"SessionEnd","reason":"clear"}`,
	`{"hook_event_name":"PreToolUse"`, `[]`, `null`, ``,
}

// FuzzClaudeInput: whatever comes in, the hook does not panic, and what goes out is
// nothing, or the strict form that the client knows.
func FuzzClaudeInput(f *testing.F) {
	for _, event := range claudeEventsSeen {
		f.Add([]byte(event))
	}
	for _, input := range sentLines(f, "claude-2.1.329.jsonl") {
		f.Add([]byte(input))
	}
	fuzzHost(f, "claude", func(t *testing.T, out hostAnswer) {
		if out.Specific != nil {
			require.Contains(t, []string{"", "deny", "ask", "allow"}, out.Specific.Decision)
		}
	})
}

// hostAnswer is all that Claude Code, Codex and Gemini CLI may be answered in JSON.
type hostAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Notice   string `json:"systemMessage"`
	Specific *struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
		Context  string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// fuzzHost feeds a host's hook with inputs, in a repository that is governed, and hands
// each answer in JSON to check.
func fuzzHost[T any](f *testing.F, host string, check func(*testing.T, T)) {
	root := f.TempDir()
	for name, text := range map[string]string{
		".idumb/workplans/p.json": `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`,
		".idumb/tasks/t.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "evidence": [{"file": "a"}]}}`,
		".idumb/tasks/u.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["t"]}}`,
		".idumb/config.json":      `{"spec": {"controller": {"autoStart": false}}}`,
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(f, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(f, os.WriteFile(file, []byte(text), 0o644))
	}
	env := []string{"CLAUDE_PROJECT_DIR=" + root, "HOME=" + root}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, grows := range []string{"checkpoints", "events", "sessions", "run"} {
			require.NoError(t, os.RemoveAll(filepath.Join(root, ".idumb", grows)))
		}
		var stdout, stderr bytes.Buffer
		code := Main([]string{host}, bytes.NewReader(input), &stdout, &stderr, env, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), nil)
		require.NotContains(t, stderr.String(), "The hook broke")
		if code != 0 {
			require.Empty(t, stdout.String())
			require.NotEmpty(t, stderr.String())
			return
		}
		if stdout.Len() == 0 || !strings.HasPrefix(stdout.String(), "{") {
			require.True(t, stdout.Len() == 0 || host == "claude", "only Claude Code takes plain text, for PreCompact")
			return
		}
		var out T
		d := json.NewDecoder(&stdout)
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&out))
		check(t, out)
	})
}

// TestSkillsOfTheUsersFolder: the folder that CLAUDE_CONFIG_DIR names is the one of the client that asks.
func TestSkillsOfTheUsersFolder(t *testing.T) {
	h := newHouse(t)
	config := t.TempDir()
	file := filepath.Join(config, "skills", "wipe", "SKILL.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("!`rm -rf $0`\n"), 0o644))
	for skill, denied := range map[string]bool{`"wipe","args":".idumb"`: true, `"wipe","args":"/tmp/x"`: false} {
		input := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":%q,"tool_name":"Skill","tool_input":{"skill":%s}}`, h.root, skill)
		var out, errs bytes.Buffer
		code := Main([]string{"claude"}, strings.NewReader(input), &out, &errs, append(trusting(h.root), "CLAUDE_CONFIG_DIR="+config), h.now, nil)
		assert.Zero(t, code, errs.String())
		assert.Equal(t, denied, strings.Contains(out.String(), `"permissionDecision":"deny"`), out.String())
	}
}
