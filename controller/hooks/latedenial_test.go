package hooks

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// governedWrite is a call that nobody's agent may make.
func governedWrite(kind hosts.EventType, call string) hosts.Event {
	return hosts.Event{Type: kind, Session: "s", CallID: call, Tool: "Write", Action: admission.Write, Paths: []string{".idumb/config.json"}}
}

func reasonsOf(t *testing.T, h *house) []string {
	t.Helper()
	found, err := records.Violations(h.root)
	require.NoError(t, err)
	var reasons []string
	for _, e := range found {
		reasons = append(reasons, e.Reason)
	}
	return reasons
}

func TestLogModeTellsAfterTheFact(t *testing.T) {
	h := chainedHouse(t)
	h.file("config", `{"spec": {"mode": "log"}}`)
	h.start()
	require.Equal(t, hosts.Answer{}, h.run(governedWrite(hosts.BeforeTool, "t1")), "nothing before it ran")
	answer := h.run(governedWrite(hosts.AfterTool, "t1"))
	assert.Contains(t, answer.Context, "GOVERNANCE (mode log): this call ran, and mode enforce would have denied it.\n\nWHAT: You tried to use \"Write\" on .idumb/config.json")
	assert.Contains(t, answer.Context, "USE INSTEAD:")
	assert.Empty(t, answer.LateReason, "its result stays")
	assert.Equal(t, hosts.Answer{}, h.run(governedWrite(hosts.AfterTool, "t2")), "another call")
	assert.Equal(t, []string{resources.ReasonWouldDeny}, reasonsOf(t, h), "counted once")

	h.file("config", `{"spec": {"mode": "off"}}`)
	assert.Equal(t, hosts.Answer{}, h.run(governedWrite(hosts.AfterTool, "t1")), "off is silent")
}

func TestWhatGotThroughIsAnswered(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	answer := h.run(governedWrite(hosts.AfterTool, "t1"))
	assert.Contains(t, answer.LateReason, "GOVERNANCE: this call ran although it breaks the rules: the gate was not asked, or its answer came too late.\n\nWHAT: You tried to use \"Write\" on .idumb/config.json")
	assert.Contains(t, answer.LateReason, "tell the user")
	require.NotEmpty(t, h.run(governedWrite(hosts.BeforeTool, "t2")).Deny)
	answer = h.run(governedWrite(hosts.AfterTool, "t2"))
	assert.Contains(t, answer.LateReason, "the host did not heed the denial")
	assert.Equal(t, []string{resources.ReasonGotThrough, resources.ReasonDenied, resources.ReasonGotThrough}, reasonsOf(t, h))
	assert.Equal(t, 2, h.session("s").Counters.Violations)
	failed := governedWrite(hosts.AfterTool, "t3")
	failed.Failed = true
	assert.Equal(t, hosts.Answer{}, h.run(failed), "it did nothing")
}

// Some hosts give several calls one id.
func TestAnIdThatComesAgain(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	require.NotEmpty(t, h.run(governedWrite(hosts.BeforeTool, "t")).Deny)
	other := hosts.Event{Type: hosts.AfterTool, Session: "s", CallID: "t", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}}
	assert.Empty(t, h.run(other).LateReason, "another call")
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "planned"}}`)
	write := hosts.Event{Type: hosts.BeforeTool, Session: "s", CallID: "t", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}}
	require.NotEmpty(t, h.run(write).Deny)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	require.Empty(t, h.run(write).Deny, "it may now")
	assert.Empty(t, h.run(other).LateReason, "the gate let it pass when it was asked again")
}

// A call that the gate let pass is not blamed for what has changed since, and one that it was
// not asked about not for being in order.
func TestWhatTheGateLetPassStays(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	write := func(kind hosts.EventType, file string) hosts.Answer {
		return h.run(hosts.Event{Type: kind, Session: "s", CallID: file, Tool: "Write", Action: admission.Write, Paths: []string{file}})
	}
	build := func(kind hosts.EventType) hosts.Answer {
		return h.run(hosts.Event{Type: kind, Session: "s", CallID: "b", Tool: "Bash", Action: admission.Shell, Command: "make > log.txt"})
	}
	require.Empty(t, build(hosts.BeforeTool).Deny)
	require.Empty(t, write(hosts.BeforeTool, "a.go").Deny)
	assert.Empty(t, write(hosts.AfterTool, "a.go").LateReason)
	assert.Empty(t, write(hosts.AfterTool, "b.go").LateReason, "not asked about, and in order")
	h.ask()
	for _, name := range []string{"a", "b", "c"} {
		h.file("tasks/"+name, `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "planned"}}`)
	}
	assert.Empty(t, build(hosts.AfterTool).LateReason, "the task ended meanwhile")
	assert.NotEmpty(t, write(hosts.AfterTool, "c.go").LateReason, "that is against the rules now")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.AfterTool, Session: "stranger", CallID: "x", Tool: "Write", Action: admission.Write, Paths: []string{"c.go"}}).LateReason, "of a session that is not known nothing can be told")
}

func TestLateIsBounded(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	for i := range 200 {
		require.NotEmpty(t, h.run(governedWrite(hosts.BeforeTool, fmt.Sprint("t", i))).Deny)
	}
	info, err := os.Stat(h.root.Abs(layout.NotesPath("s", notesLate)))
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(maxLate+4096))
}

func TestHostsAreToldAfterTheFact(t *testing.T) {
	e := hosts.Event{Type: hosts.AfterTool}
	late, beside := hosts.Answer{LateReason: "no"}, hosts.Answer{Context: "hm"}
	for _, host := range []hosts.Host{host("claude"), host("codex")} {
		assert.JSONEq(t, `{"decision": "block", "reason": "no"}`, string(host.Encode(e, late)), host.Name())
		assert.JSONEq(t, `{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "hm"}}`, string(host.Encode(e, beside)), host.Name())
		assert.Empty(t, host.Encode(e, hosts.Answer{}))
	}
	assert.JSONEq(t, `{"output": "no"}`, string(hosts.OpenCode{}.Encode(e, late)))
	assert.JSONEq(t, `{"note": "hm"}`, string(hosts.OpenCode{}.Encode(e, beside)))
	assert.Empty(t, hosts.OpenCode{}.Encode(e, hosts.Answer{}))
}
