package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/admission"
)

func TestOpenCodeEvents(t *testing.T) {
	main := Event{Host: "opencode", Session: "ses_1", Agent: "build", Cwd: "/p"}
	with := func(change func(*Event)) Event { e := main; change(&e); return e }
	call := func(change func(*Event)) Event {
		return with(func(e *Event) { e.Type, e.CallID = BeforeTool, "ses_1/c"; change(e) })
	}
	tests := []struct {
		name, fields string
		want         Event
	}{
		{"a prompt", `"hook":"message","text":"hi"`, with(func(e *Event) { e.Type, e.Text = Prompt, "hi" })},
		{"a subagent's prompt", `"hook":"message","parent":"ses_0","text":"hi"`, with(func(e *Event) { e.Type, e.Parent, e.Text = SubagentStart, "ses_0", "hi" })},
		{"a subagent's end", `"hook":"idle","parent":"ses_0"`, with(func(e *Event) { e.Type, e.Parent = SubagentStop, "ses_0" })},
		{"an aborted turn", `"hook":"idle","ended":true`, with(func(e *Event) { e.Type, e.Waiting = Stop, true })},
		{"a session that goes on", `"hook":"session","resumed":true`, with(func(e *Event) { e.Type, e.Resumed = SessionStart, true })},
		{"a write", `"hook":"tool.before","call":"ses_1/c","tool":"write","args":{"filePath":"a","content":"b"}`,
			call(func(e *Event) { e.Tool, e.Action, e.Paths = "write", admission.Write, []string{"a"} })},
		{"a write without a file", `"hook":"tool.before","call":"ses_1/c","tool":"write","args":{"wrong":"args"}`,
			call(func(e *Event) {
				e.Tool, e.Action, e.UnreadReason = "write", admission.Write, "The call names no file as a text (filePath)."
			})},
		{"a patch", `"hook":"tool.before","call":"ses_1/c","tool":"apply_patch","args":{"patchText":"*** Begin Patch\n*** Delete File: a\n*** Add File: b\n+x\n*** End Patch"}`,
			call(func(e *Event) {
				e.Tool, e.Action, e.Paths = "apply_patch", admission.Write, []string{"a", "b"}
				e.Patch = "*** Begin Patch\n*** Delete File: a\n*** Add File: b\n+x\n*** End Patch"
			})},
		{"a command elsewhere", `"hook":"tool.before","call":"ses_1/c","tool":"bash","args":{"command":"make","workdir":"sub"}`,
			call(func(e *Event) { e.Tool, e.Action, e.Command, e.Cwd = "bash", admission.Shell, "make", "/p/sub" })},
		{"a subagent", `"hook":"tool.before","call":"ses_1/c","tool":"task","args":{"prompt":"go","subagent_type":"general"}`,
			call(func(e *Event) { e.Tool, e.Action, e.DelegateTo, e.Text = "task", admission.Delegate, "general", "go" })},
		{"one of ours", `"hook":"tool.before","call":"ses_1/c","tool":"idumb_govern_task","args":{"action":"start","task":"t"}`,
			call(func(e *Event) {
				e.Tool, e.Action, e.Own, e.StartedTasks = "idumb_govern_task", admission.Governance, true, []string{"t"}
			})},
		{"a foreign server's write", `"hook":"tool.before","call":"ses_1/c","tool":"fs_write_file","args":{"path":"a"}`,
			call(func(e *Event) {
				e.Tool, e.Action, e.Paths, e.UnknownTool = "fs_write_file", admission.Write, []string{"a"}, true
			})},
		{"what is no tool", `"hook":"tool.before","call":"ses_1/c","tool":"invalid","args":{"tool":"write"}`,
			call(func(e *Event) { e.Tool, e.Action = "invalid", admission.Ask })},
		{"a command that failed", `"hook":"tool.after","tool":"bash","args":{"command":"make"},"exit":2`,
			with(func(e *Event) {
				e.Type, e.Tool, e.Action, e.Command, e.Failed = AfterTool, "bash", admission.Shell, "make", true
			})},
		{"a command that was stopped", `"hook":"tool.after","tool":"bash","args":{"command":"make"},"exit":null`,
			with(func(e *Event) {
				e.Type, e.Tool, e.Action, e.Command, e.OutcomeUnknown = AfterTool, "bash", admission.Shell, "make", true
			})},
		{"a turn that the user stopped", `"hook":"idle","ended":true,"cancelled":true,"text":"bye"`,
			with(func(e *Event) { e.Type, e.Waiting, e.Cancelled, e.Text = Stop, true, true, "bye" })},
		{"a prompt says nothing of how a turn ended", `"hook":"message","cancelled":true,"text":"hi"`,
			with(func(e *Event) { e.Type, e.Text = Prompt, "hi" })},
		{"something aside", `"hook":"tail"`, main},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := OpenCode{}.Parse([]byte(`{"id":1,"session":"ses_1","agent":"build","directory":"/p",` + tt.fields + `}`))
			got.parsed = nil // what Command says, again
			require.NoError(t, err)
			got.Args = nil // as they came
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestOpenCodeEventsThatAreNone(t *testing.T) {
	for _, input := range []string{``, `[]`, `{}`, `{"hook":5}`, `{"hook":"tool.before"}`, `{"hook":"tool.before","tool":7}`} {
		_, err := OpenCode{}.Parse([]byte(input))
		assert.Error(t, err, input)
	}
	assert.True(t, OpenCode{}.GuessGate([]byte(`{"hook":"tool.before", ...`)))
}
