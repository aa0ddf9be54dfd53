package hooks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session is told that a task was completed, but not if it completed the task itself.
func TestOwnCompletionIsNotTold(t *testing.T) {
	for name, test := range map[string]struct {
		call hosts.Event
		told bool
	}{
		"a tool":        {hosts.Event{Tool: "mcp__idumb__govern_task", Action: admission.Governance, EndedTask: "task/a"}, false},
		"a command":     {hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "idumb complete a --evidence x"}, false},
		"a run":         {hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "idumb run --complete=a -- make"}, false},
		"another task":  {hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "idumb complete b --evidence x"}, true},
		"a failed call": {hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "idumb complete a --evidence x", Failed: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := chainedHouse(t)
			h.start()
			h.finish("a")
			test.call.Type, test.call.Session, test.call.CallID = hosts.AfterTool, "s", "1"
			told := h.run(test.call).Context + h.ask()
			if test.told {
				assert.Contains(t, told, "COMPLETED: a")
			} else {
				assert.NotContains(t, told, "COMPLETED: a")
				assert.Contains(t, told, "UNBLOCKED: z", "what the agent can do next")
			}
		})
	}
}

// A prompt that only says goodbye gets no context; the next one does.
func TestAFarewellGetsNothing(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.finish("a")
	assert.Empty(t, h.says("Thanks, bye!"))
	assert.Empty(t, h.says("ok, thank you so much"))
	assert.Contains(t, h.says("thanks, and now fix the form"), "COMPLETED: a")
	for _, text := range []string{"", "ok", "good", "bye bye birdie"} {
		assert.False(t, isFarewell(text), text)
	}
}
