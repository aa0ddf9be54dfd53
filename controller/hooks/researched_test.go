package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session of a host that was started for a delegation acts in its role from its first event
// on, whatever its prompt says, and is stopped when that is recalled.
func TestAChildOfADelegationIsHeldToIt(t *testing.T) {
	h := newHouse(t)
	h.file("roles/investigator", `{"spec": {"paths": {"write": [".idumb/mems/*.json"]}}}`)
	h.hand("dig", "a", "investigator", "")
	child := func(e hosts.Event) hosts.Answer {
		h.now = h.now.Add(time.Second)
		e.Cwd, e.Host, e.Session = string(h.root), "claude", "child"
		env := append(trusting(h.root), admission.DelegationVariable+"=dig")
		return (&handler{repo: openPacking(h.root, env, h.now), env: env, event: e, limit: 10000}).handle()
	}
	write := hosts.Event{Type: hosts.BeforeTool, Tool: "Write", CallID: "1", Action: admission.Write, Paths: []string{h.root.Abs("src/a.go")}}
	assert.Contains(t, child(write).Deny, "investigator", "even as the first event that is seen")
	assert.Equal(t, "dig", h.session("child").Delegation)
	read := hosts.Event{Type: hosts.BeforeTool, Tool: "Read", CallID: "2", Action: admission.Read, Paths: []string{h.root.Abs("src/a.go")}}
	assert.Empty(t, child(read).Deny)
	child(hosts.Event{Type: hosts.Prompt, Text: "take delegation/other"})
	assert.Equal(t, "dig", h.session("child").Delegation)
	h.hand("dig", "a", "investigator", `, "state": "recalled"`)
	assert.Contains(t, child(hosts.Event{Type: hosts.BeforeTool, Tool: "WebFetch", CallID: "3", Action: admission.Other}).Deny, "was recalled")
}

// What became of research is told to the session that asked, once, and to no other.
func TestResearchIsToldOnce(t *testing.T) {
	h := newHouse(t)
	prompt := hosts.Event{Type: hosts.Prompt, Session: "s", Text: "go on"}
	h.run(hosts.Event{Type: hosts.SessionStart, Session: "s"})
	for _, line := range []string{"iDumb: delegation/dig completed: 1 mems", "iDumb: delegation/sink failed:\x1b[2J no"} {
		require.NoError(t, h.root.AppendLine(layout.NotesPath("s", layout.ResearchNotes), []byte(line)))
	}
	other := prompt
	other.Session = "o"
	assert.NotContains(t, h.run(other).Context, "delegation/dig")
	told := h.run(prompt).Context
	assert.Contains(t, told, "delegation/dig completed: 1 mems.\n")
	assert.Contains(t, told, "delegation/sink failed:")
	assert.NotContains(t, told, "\x1b")
	assert.NotContains(t, h.run(prompt).Context, "delegation/dig")
}

// The results of tasks that subagents completed come with the next prompt, each once, and not those
// of a call that returned after the task's end.
func TestResultsOfSubagentsAreGathered(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	for _, task := range []string{"back", "front", "other"} {
		h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	}
	h.hand("d", "back", "executor", "")
	complete := func(task, evidence string) {
		h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed", "result": {"evidence": "`+evidence+`"}}}`)
	}
	spawn := func(call, text string) hosts.Event {
		e := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Agent", Action: admission.Delegate, DelegateTo: "executor", CallID: call, Text: text}
		require.Empty(t, h.run(e).Deny)
		e.Type = hosts.AfterTool
		return e
	}
	prompt := func() string {
		return h.run(hosts.Event{Type: hosts.Prompt, Session: "s", Text: "and now?"}).Context
	}
	h.run(spawn("c1", "delegation/d in the background"))
	foreground := spawn("c2", "task/front")
	assert.NotContains(t, prompt(), "RESULT")
	complete("front", "the call says it")
	h.run(foreground)
	complete("back", "three <places> "+strings.Repeat("x", 300))
	complete("other", "of somebody else")
	told := prompt()
	assert.Contains(t, told, "RESULT of task back: three ")
	assert.Contains(t, told, "x... (`idumb describe task back`)\n")
	assert.NotContains(t, told, "RESULT of task front")
	assert.NotContains(t, told, "RESULT of task other")
	assert.NotContains(t, prompt(), "RESULT", "once")
}
