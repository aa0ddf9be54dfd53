package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a call said that failed is told as each host gives it, and of one that did not nothing.
func TestWhatAFailedCallSaid(t *testing.T) {
	const (
		claudeAfter = `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":`
		codexAfter  = claudeAfter
		openAfter   = `{"hook":"tool.after","session":"s","tool":`
	)
	for _, test := range []struct{ host, event, want string }{
		{"claude", `{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"error":"Exit code 2\nno rule"}`, "Exit code 2\nno rule"},
		{"claude", claudeAfter + `"Bash","tool_input":{"command":"make"},"tool_response":{"stdout":"error","stderr":"error","interrupted":false}}`, ""},
		{"claude", claudeAfter + `"mcp__idumb__govern_shell","tool_input":{"command":"make"},"tool_response":"{\"exitCode\":2,\"output\":\"no rule\"}"}`, "no rule"},
		{"claude", claudeAfter + `"mcp__idumb__govern_shell","tool_input":{"command":"make"},"tool_response":"{\"exitCode\":0,\"output\":\"isError\"}"}`, ""},
		{"claude", claudeAfter + `"Write","tool_input":{"file_path":"a"},"tool_response":{"content":"isError: Exit code: 1"}}`, ""},
		{"codex", codexAfter + `"Bash","tool_input":{"command":"make"},"tool_response":"no rule\n"}`, "no rule\n"},
		{"codex", codexAfter + `"apply_patch","tool_input":{"command":""},"tool_response":"Exit code: 1\nOutput:\nno such file"}`, "Output:\nno such file"},
		{"codex", codexAfter + `"apply_patch","tool_input":{"command":""},"tool_response":"Exit code: 0\nOutput:\nfine"}`, ""},
		{"codex", codexAfter + `"mcp__x__y","tool_input":{},"tool_response":{"content":[{"type":"text","text":"down"}],"isError":true}}`, "down"},
		{"opencode", openAfter + `"bash","args":{"command":"make"},"exit":2,"output":"no rule"}`, "no rule"},
		{"opencode", openAfter + `"bash","args":{"command":"make"},"exit":0,"output":"error"}`, ""},
		{"opencode", openAfter + `"idumb_govern_shell","args":{"command":"make"},"output":{"content":[{"type":"text","text":"{\"exitCode\":2,\"output\":\"no rule\"}"}],"isError":false}}`, "no rule"},
	} {
		host, _ := ByName(test.host)
		e, err := host.Parse([]byte(test.event))
		require.NoError(t, err, test.event)
		assert.Equal(t, test.want, e.Output, test.event)
	}
}

// A client drops an answer that names another event than it asked about.
func TestAnAnswerNamesItsEvent(t *testing.T) {
	for _, event := range []string{"PostToolUse", "PostToolUseFailure"} {
		e, err := claude.Parse([]byte(`{"hook_event_name":"` + event + `","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"}}`))
		require.NoError(t, err)
		assert.Contains(t, string(claude.Encode(e, Answer{Context: "x"})), `"hookEventName":"`+event+`"`)
	}
}
