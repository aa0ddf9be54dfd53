package admission

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func looping(c Call) Call {
	c.Loop = &Loop{Trigger: "runaway-loop", Event: resources.TriggerCall, Text: "you made the same call 10 times or more without writing a file in between: its answer will not change; make a different call", Count: 10}
	return c
}

// A call that goes on with a loop is halted, whatever it does; governance and questions never.
func TestHalted(t *testing.T) {
	for _, test := range []struct {
		name string
		call Call
		want bool
	}{
		{"a read", looping(tool("Read", Read)), true},
		{"a command", looping(Call{Tool: "Bash", Action: Shell, Command: "make", Runs: runs("make")}), true},
		{"a subagent", looping(tool("Agent", Delegate)), true},
		{"a foreign tool", looping(tool("mcp__x__y", Other)), true},
		{"governance", looping(tool("mcp__idumb__govern_task", Governance)), false},
		{"a question", looping(tool("AskUserQuestion", Ask)), false},
		{"the same read, not looping", tool("Read", Read), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			v := Decide(test.call, w)
			assert.Equal(t, test.want, v.Outcome == Deny, v.Reason.Text())
			if test.want {
				assert.Equal(t, "halted", v.Reason.Rule)
			}
		})
	}
}

func TestHaltedText(t *testing.T) {
	w := newWorld()
	got := Decide(looping(Call{Tool: "Bash", Action: Shell, Command: "make", Runs: runs("make")}), w).Reason.Text() + "\n"
	const file = "testdata/halted.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}
