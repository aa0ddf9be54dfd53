package hooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// told gives a host's hook what the host sends, and returns what its hook answers.
func (h *house) told(host, payload string) string {
	h.t.Helper()
	p, known := hosts.ByName(host)
	require.True(h.t, known)
	e, err := p.Parse([]byte(payload))
	require.NoError(h.t, err, payload)
	if e.Type == hosts.Ignored {
		return ""
	}
	return string(p.Encode(e, h.run(e)))
}

// What each host says when its agent waits, as its hooks send it, and what ends that.
func TestASessionWaits(t *testing.T) {
	const claude, codex, openCode = "claude", "codex", "opencode"
	for _, test := range []struct {
		name, host string
		payloads   []string // the last one makes it wait
		waitsFor   string
		asks       string
		then       string // ends it
	}{
		{"a permission", claude, []string{`{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash","tool_input":{"command":"git push origin main"},"permission_suggestions":[]}`},
			"permission", "Bash git push origin main", `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"git push origin main"},"tool_response":{}}`},
		{"a permission, and the notification of it", claude, []string{`{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Write","tool_input":{"file_path":"a.go","content":"x"}}`,
			`{"hook_event_name":"Notification","session_id":"s","notification_type":"permission_prompt","message":"Claude needs your permission to use Write"}`},
			"permission", "Write a.go", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"no"}`},
		{"the notification alone, of a version without types", claude, []string{`{"hook_event_name":"Notification","session_id":"s","message":"Claude needs your permission to use Bash"}`},
			"permission", "Claude needs your permission to use Bash", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{"file_path":"a.go"}}`},
		{"a question", claude, []string{`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Valid 24 hours,\n or until used?","options":[]}]}}`},
			"answer", "Valid 24 hours, or until used?", `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"AskUserQuestion","tool_input":{},"tool_response":{}}`},
		{"a turn that ends with a question", claude, []string{`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"go"}`,
			`{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"I read it.\n\n**Valid 24 hours, or until used?**\n"}`,
			`{"hook_event_name":"Notification","session_id":"s","notification_type":"idle_prompt","message":"Claude is waiting for your input"}`},
			"answer", "**Valid 24 hours, or until used?", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"24 hours"}`},
		{"a turn that ends", claude, []string{`{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"Done."}`}, "input", "", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"and now"}`},
		{"a permission of Codex", codex, []string{`{"hook_event_name":"PermissionRequest","session_id":"s","turn_id":"t","model":"m","tool_name":"Bash","tool_input":{"command":"make"}}`},
			"permission", "Bash make", `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"ok"}`},
		{"a permission of OpenCode", openCode, []string{`{"hook":"seen","session":"s","permission":"bash","patterns":["git push *"]}`}, "permission", "bash git push *", `{"hook":"tool.after","session":"s","tool":"bash","args":{"command":"git push"},"exit":0}`},
		{"a turn of OpenCode that ends", openCode, []string{`{"hook":"idle","session":"s","text":"Done.","used":120345}`}, "input", "", `{"hook":"message","session":"s","text":"go"}`},
		{"a secret in a command", claude, []string{`{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash","tool_input":{"command":"GITHUB_TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz0 make"}}`},
			"permission", "Bash GITHUB_TOKEN=*** make", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"no"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := chainedHouse(t)
			h.start()
			var since resources.Time
			for _, payload := range test.payloads {
				if out := h.told(test.host, payload); strings.Contains(payload, "Permission") || strings.Contains(payload, "Notification") {
					assert.Empty(t, out, "nothing is decided by it")
				}
				if s := h.session("s"); since.IsZero() {
					since = s.Since
				}
				h.now = h.now.Add(2 * time.Second)
			}
			s := h.session("s")
			assert.Equal(t, [3]string{resources.StateWaiting, test.waitsFor, test.asks}, [3]string{s.State, s.WaitsFor, s.Asks})
			assert.False(t, since.IsZero())
			assert.Equal(t, since, s.Since, "what is said of it again begins nothing anew")
			h.told(test.host, test.then)
			s = h.session("s")
			assert.Equal(t, [3]string{resources.StateWorking, "", ""}, [3]string{s.State, s.WaitsFor, s.Asks})
			assert.True(t, s.Since.IsZero())
		})
	}
}

func TestTokensAreThoseThatTheHostReports(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	assert.Zero(t, h.session("s").Tokens)
	h.told("opencode", `{"hook":"idle","session":"s","used":120345}`)
	assert.Equal(t, 120345, h.session("s").Tokens)
	h.told("opencode", `{"hook":"message","session":"s","text":"go"}`)
	assert.Equal(t, 120345, h.session("s").Tokens, "who does not say takes nothing back")
}

// A call that changes nothing of what a session waits for writes no record.
func TestCallsOfASessionThatWaitsForNobodyWriteNoRecord(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.says("go")
	read := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Read", Action: admission.Read, Paths: []string{"a.go"}}
	h.run(read)
	file := h.root.Abs(".idumb/sessions/s.json")
	before, err := os.Stat(file)
	require.NoError(t, err)
	for range 10 {
		h.run(read)
	}
	after, err := os.Stat(file)
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after), "it is replaced by each write")
}

func TestLastCall(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	assert.Nil(t, LastCallOf(h.root, "s"))
	shell := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "go test ./..."}
	last := func() string {
		h.now = h.now.Add(time.Second)
		c := LastCallOf(h.root, "s")
		require.NotNil(t, c)
		c.At = resources.Time{}
		data, err := json.Marshal(c)
		require.NoError(t, err)
		return string(data)
	}
	h.run(shell)
	assert.Equal(t, `{"tool":"Bash","target":"go test ./...","at":null}`, last(), "it runs")
	shell.Type = hosts.AfterTool
	h.run(shell)
	assert.Equal(t, `{"tool":"Bash","target":"go test ./...","at":null,"ok":true}`, last())
	shell.Type = hosts.BeforeTool
	h.run(shell)
	shell.Type, shell.Failed = hosts.AfterTool, true
	h.run(shell)
	assert.Equal(t, `{"tool":"Bash","target":"go test ./...","at":null,"ok":false}`, last())
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "git push --force"})
	assert.Equal(t, `{"tool":"Bash","target":"git push --force","at":null,"ok":false}`, last(), "it was denied")
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Read", Action: admission.Read, Paths: []string{"a.go"}})
	assert.Equal(t, `{"tool":"Read","target":"a.go","at":null}`, last(), "nobody says how a look went")
}
