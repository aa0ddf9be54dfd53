package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

func (h *house) says(text string) string {
	return h.run(hosts.Event{Type: hosts.Prompt, Session: "s", Text: text}).Context
}

func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

func TestPromptPoints(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 30: 0, 31: 3, 99: 9, 200: 20, 5000: mostPoints} {
		assert.Equal(t, want, promptPoints(n), n)
	}
}

// A short prompt gets a line about the work, after some with which nothing went.
func TestAShortPromptGetsTheFlow(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	const flow = "FLOW: task \"a\" [active] of plan \"p\".\n"
	for range 3 {
		for range 3 {
			assert.Empty(t, h.says("go on"))
		}
		assert.Equal(t, flow, h.says("go on"))
	}
	for range 9 {
		assert.Empty(t, h.says(words(25)), "neither short nor long")
		assert.Empty(t, h.says(""))
	}
	assert.Equal(t, flow, h.says("and now?"))
	h.says("ok")
	h.finish("a")
	assert.Contains(t, h.says("next"), "<context_update")
	for range 3 {
		assert.Empty(t, h.says("next"), "an update counts")
	}
	assert.Equal(t, "FLOW: no task is yours and active; ready: z.\n", h.says("next"))
}

// Long prompts bring the whole pack again, when they have come to a hundred points.
func TestLongPromptsBringThePackAgain(t *testing.T) {
	h := chainedHouse(t)
	first := h.start()
	for round := range 3 {
		for i := range 4 {
			require.Empty(t, h.says(words(200)), "round %d, prompt %d", round, i)
		}
		assert.Equal(t, first, h.says(words(200)), "20 points five times")
	}
	assert.Empty(t, h.says(words(5000)), "one alone does not")
	assert.Equal(t, first, h.says(words(5000)))
}

// What a host says in the person's place after a compaction counts as one.
func TestACompactionThatNobodyTellsOf(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	assert.Contains(t, h.says("This session is being continued from a previous conversation that ran out of context. Summary: ..."), "<idumb_context>")
	assert.Equal(t, 1, h.session("s").Counters.Compactions)
	assert.NotContains(t, h.says("Tell me: was this session being continued from a previous conversation?"), "<idumb_context>")
	assert.Equal(t, 1, h.session("s").Counters.Compactions)
}

func FuzzPrompt(f *testing.F) {
	f.Add("## Summary of our conversation")
	f.Fuzz(func(t *testing.T, text string) {
		_ = looksCompacted(text)
		require.LessOrEqual(t, promptPoints(len(strings.Fields(text))), mostPoints)
	})
}

// The states that a session goes through, each noticed by what happens in it.
func TestStatesOfASession(t *testing.T) {
	h := chainedHouse(t)
	is := func(want, why string) {
		t.Helper()
		assert.Equal(t, want, h.session("s").State, why)
	}
	h.start()
	is(resources.StateNew, "it began")
	h.says("do it")
	is(resources.StateWorking, "a prompt")
	h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "make", OutcomeUnknown: true, Cancelled: true})
	is(resources.StateStopped, "the user stopped a call")
	h.says("go on")
	is(resources.StateWorking, "and said something")
	h.run(hosts.Event{Type: hosts.Stop, Session: "s"})
	is(resources.StateWaiting, "the turn ended")
	h.run(hosts.Event{Type: hosts.Stop, Session: "s", Waiting: true})
	is(resources.StateBetweenTurns, "and something goes on")
	h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Compacted: true})
	is(resources.StateCompacted, "the host says so")
	h.says("Here is a summary of our conversation: ...")
	is(resources.StateCompacted, "or it does not")
	h.now = h.now.Add(3 * time.Hour)
	h.says("good morning")
	is(resources.StateResumed, "after a pause")
	h.run(hosts.Event{Type: hosts.Stop, Session: "s"})
	h.now = h.now.Add(40 * time.Hour)
	assert.Contains(t, h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Resumed: true}).Context, "you were away for 40 h")
	is(resources.StateResumed, "taken up by its host")
}
