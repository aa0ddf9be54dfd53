package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

func TestFilesNamed(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                    nil,
		"go on, e.g. with the tests...":       {"e.g"},
		"look at src/a.go":                    {"src/a.go"},
		"@src/a.go and `./src/b.go:12:3`.":    {"src/a.go", "src/b.go"},
		"(src/a.go), src/a.go; \"README.md\"": {"src/a.go", "README.md"},
		"https://example.com/src/a.go":        nil,
		"/etc/passwd ../../x ./ . .. / //":    nil,
		".idumb/config.json .idumb":           nil,
		"1.2.3 a/b/../c.go":                   {"1.2.3", "a/c.go"},
		"a.1 a.2 a.3 a.4 a.5 a.6 a.7":         {"a.1", "a.2", "a.3", "a.4", "a.5"},
		"src/" + strings.Repeat("x", 400):     nil,
	} {
		assert.Equal(t, want, filesNamed(text, func(string) bool { return true }), text)
	}
	assert.Empty(t, filesNamed("src/a.go", func(string) bool { return false }), "it is not there")
}

func (h *house) source(file string) {
	require.NoError(h.t, os.MkdirAll(filepath.Dir(h.root.Abs(file)), 0o755))
	require.NoError(h.t, os.WriteFile(h.root.Abs(file), []byte("x"), 0o644))
}

// A prompt that names a file gets what is known of it, once.
func TestAPromptThatNamesAFile(t *testing.T) {
	h := chainedHouse(t)
	h.source("src/a.go")
	h.source("src/b.go")
	before := h.now.Add(-time.Hour)
	require.NoError(t, os.Chtimes(h.root.Abs("src/a.go"), before, before))
	h.file("tasks/a", `{"spec": {"workPlan": "p", "title": "First", "expectedOutput": "o", "state": "active", "fileLocks": ["src/*.go"]}}`)
	h.file("tasks/z", `{"spec": {"workPlan": "p", "title": "Last", "expectedOutput": "o", "dependsOn": ["a"], "evidence": [{"file": "src/a.go"}]}}`)
	h.file("anchors/cookies", `{"metadata": {"creationTimestamp": "`+h.now.Add(-time.Minute).UTC().Format(time.RFC3339)+`"}, "spec": {"content": "Tokens are <b>kept</b> in cookies.", "type": "decision", "source": {"file": "src/a.go"}}}`)
	h.file("mems/loops", `{"spec": {"content": "Redirecting in src/a.go loops.", "type": "false_path"}}`)
	h.file("mems/shape", `{"spec": {"content": "src/a.go has the routes.", "type": "architecture"}}`)
	h.file("mems/other", `{"spec": {"content": "Nothing of it."}}`)
	h.start()
	want := "FILE src/a.go:\n" +
		"- false_path: Redirecting in src/a.go loops. (mems/loops)\n" +
		"- architecture: src/a.go has the routes. (mems/shape)\n" +
		"- locked by task \"a\" [active] of plan \"p\"\n" +
		"- expected of task \"z\" [blocked] of plan \"p\"\n" +
		"- decision: Tokens are &lt;b>kept&lt;/b> in cookies. (anchors/cookies)\n"
	got := h.says("please mend @src/a.go")
	assert.Equal(t, want, got[max(0, strings.Index(got, "FILE")):])
	assert.NotContains(t, h.says("and src/a.go again"), "FILE", "it was said")
	assert.Contains(t, h.says("then src/b.go"), "FILE src/b.go:\n- locked by task \"a\"", "another one")
	assert.NotContains(t, h.says("what about it?"), "FILE", "no file is named")
	h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Compacted: true})
	assert.Contains(t, h.says("src/a.go"), "FILE src/a.go", "it was forgotten")

	stranger := (&handler{repo: openPacking(h.root, nil, h.now), event: hosts.Event{Host: "claude", Type: hosts.Prompt, Session: "x", Text: "src/a.go"}, limit: 10000}).handle()
	assert.NotContains(t, stranger.Context, "cookies", "nobody trusts it")
}

// OpenCode asks for the context of each request: what goes with a prompt goes with all
// requests of its turn.
func TestWhatGoesWithATurn(t *testing.T) {
	h := chainedHouse(t)
	h.source("src/a.go")
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "fileLocks": ["src/*.go"]}}`)
	tail := func() string {
		in := hosts.Request{Object: hosts.Object{}, Hook: hosts.HookTail}
		e := hosts.Event{Host: "opencode", Session: "s"}
		r := &hosts.Reply{}
		oh := &opencodeHandler{handler: &handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, limit: 10000}, in: in, watched: newWatchedWork()}
		oh.tail(r)
		return r.Tail
	}
	says := func(text string) {
		e := hosts.Event{Host: "opencode", Type: hosts.Prompt, Session: "s", Text: text}
		require.Empty(t, (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, limit: 10000}).handle().Context)
	}
	h.run(hosts.Event{Host: "opencode", Type: hosts.SessionStart, Session: "s"})
	says("mend src/a.go")
	assert.Contains(t, tail(), "FILE src/a.go:\n- locked by task \"a\"")
	assert.Contains(t, tail(), "FILE src/a.go:", "in each of its requests")
	says("thanks")
	assert.NotContains(t, tail(), "FILE")
	h.now = h.now.Add(3 * time.Hour)
	says("good morning")
	assert.Contains(t, tail(), "This session was resumed: you were away for 3 h.")
}

// An agent that asks what it is about has lost its context, whatever its host says.
func TestAnAgentThatLostItsContext(t *testing.T) {
	h := chainedHouse(t)
	first := h.start()
	stop := func(text string) { h.run(hosts.Event{Type: hosts.Stop, Session: "s", Text: text}) }
	stop("Done. I'll remind you of the tests.")
	assert.Empty(t, h.says("fine, what else is there to be done in this repository today by you and me then, in which order and why"))
	stop("Could you remind me what we were working on? I\u2019ll need you to provide the plan.")
	assert.Equal(t, first, h.says("the login form"))
	assert.Equal(t, resources.StateCompacted, h.session("s").State)
	assert.Zero(t, h.session("s").Counters.Compactions, "a guess is not counted")
	assert.Empty(t, h.says("and now for something that is neither short nor long, because it has twenty words or a few more of them"), "once")
	assert.Equal(t, "Could you remind me what we were working on? I\u2019ll need you to provide the plan.", LastWords(h.root, "s"))
}

func TestToolsAreLogged(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	for range 3 {
		h.sh("ls")
	}
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "mcp__a b\n__x", Action: admission.Other})
	assert.Equal(t, map[string]int{"Bash": 3, "mcp__a_b___x": 1}, ToolsOf(h.root, "s"))
	var counters resources.SessionCounters
	CatchUp(h.root, "s", &counters)
	assert.Equal(t, resources.SessionCounters{ToolCalls: 4}, counters)
}

func FuzzFilesNamed(f *testing.F) {
	f.Add("look at @src/a.go:12 and ../../etc/passwd")
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range filesNamed(text, func(string) bool { return true }) {
			require.True(t, filepath.IsLocal(file), file)
			require.False(t, file == ".idumb" || strings.HasPrefix(file, ".idumb/"))
		}
	})
}
