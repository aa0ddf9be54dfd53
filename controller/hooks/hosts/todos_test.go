package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// The events have the form that Claude Code 2.1.332, Codex 0.171 and the shim in OpenCode send.
func TestTodoChanges(t *testing.T) {
	after := func(tool, input, response string) string {
		return `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "` + tool + `", "tool_input": ` + input + `, "tool_response": ` + response + `}`
	}
	whole := &resources.TodoChange{Whole: true, Items: []resources.Todo{{Text: "Read", State: "done"}, {Text: "Write", State: "active"}, {Text: "Test", State: "pending"}}}
	for _, c := range []struct {
		name, event string
		host        Host
		want        *resources.TodoChange
	}{
		{"create", after("TaskCreate", `{"subject": "Read", "description": "all of it"}`, `{"task": {"id": "3", "subject": "Read"}}`), claude, &resources.TodoChange{Items: []resources.Todo{{ID: "3", Text: "Read", State: "pending"}}}},
		{"create without a result", after("TaskCreate", `{"subject": "Read"}`, `"no"`), claude, nil},
		{"update", after("TaskUpdate", `{"taskId": "3", "status": "in_progress", "addBlocks": ["4"], "addBlockedBy": ["1", "2"]}`, `{"success": true}`), claude,
			&resources.TodoChange{Items: []resources.Todo{{ID: "3", State: "active", BlockedBy: []string{"1", "2"}}}, Blocks: []string{"4"}}},
		{"delete", after("TaskUpdate", `{"taskId": "3", "status": "deleted"}`, `{"success": true}`), claude, &resources.TodoChange{Removed: []string{"3"}}},
		{"list", after("TodoWrite", `{"todos": [{"content": "Read", "status": "completed", "activeForm": "Reading"}, {"content": "Write", "status": "in_progress"}, {"content": "Test", "status": "new"}]}`, `{"oldTodos": []}`), claude, whole},
		{"no list", after("TodoWrite", `{"todos": "all"}`, `{}`), claude, nil},
		{"accepted plan", after("ExitPlanMode", `{}`, `{"plan": "1. Read\n2. Write", "isAgent": false}`), claude, &resources.TodoChange{Plan: "1. Read\n2. Write"}},
		{"before the call", `{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "TodoWrite", "tool_input": {"todos": []}}`, claude, nil},
		{"failed", `{"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": "TodoWrite", "tool_input": {"todos": []}, "error": "no"}`, claude, nil},
		{"another tool", after("Bash", `{"command": "ls"}`, `{"stdout": ""}`), claude, nil},
		{"codex plan", after("update_plan", `{"plan": [{"step": "Read", "status": "completed"}, {"step": "Write", "status": "in_progress"}, {"step": "Test", "status": "pending"}]}`, `"Plan updated"`), codex, whole},
		{"codex goal", after("create_goal", `{"objective": "Ship"}`, `{"goal": {}}`), codex, &resources.TodoChange{Items: []resources.Todo{{ID: "goal", Text: "Ship", State: "active"}}}},
		{"codex goal reached", after("update_goal", `{"status": "complete"}`, `{"goal": {}}`), codex, &resources.TodoChange{Items: []resources.Todo{{ID: "goal", State: "done"}}}},
		{"opencode", `{"hook": "tool.after", "session": "s", "tool": "todowrite", "todos": [{"content": "Read", "status": "completed", "priority": "high"}, {"content": "Write", "status": "in_progress"}, {"content": "Test", "status": "pending"}]}`, OpenCode{}, whole},
	} {
		e, err := c.host.Parse([]byte(c.event))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, e.Todos, c.name)
	}
}
