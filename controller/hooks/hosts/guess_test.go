package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGuessGate(t *testing.T) {
	for input, want := range map[string]bool{
		`{"hook_event_name":"PreToolUse","tool_name":`:                                   true,
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file`:        true,
		`{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file`:         false,
		`{"hook_event_name":"PreToolUse","tool_name" : "AskUserQuestion",`:               false,
		`{"hook_event_name":"PreToolUse","tool_name":"mcp__idumb__govern_task","tool_in`: true,
		`{"tool_name":"Write","tool_input":{"file_path":"a"}}`:                           true,
		`{"tool_input":{"file_path":"a"}}`:                                               true,
		`{"hook_event_name":7,"tool_name":"Bash","tool_input":{"command":"x"}}`:          true,
		`{"tool_name":"Read","tool_input":{"file_path":"a"}}`:                            false,
		`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input"`:              false,
		`{"hook_event_name":"Stop",`:                                                     false,
		`{"hook_event_name":"SomethingNew","tool_name":"Write"`:                          false,
		`{"session_id":"s"}`: false,
		``:                   false,
		`[]`:                 false,
	} {
		t.Run(input, func(t *testing.T) {
			assert.Equal(t, want, claude.GuessGate([]byte(input)))
		})
	}
	assert.False(t, codex.GuessGate([]byte(`{"tool_name":"view_image"`)))
	assert.True(t, codex.GuessGate([]byte(`{"tool_name":"apply_patch"`)))
}
