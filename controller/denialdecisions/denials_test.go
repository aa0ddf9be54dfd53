package denialdecisions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// house is a repository in which a hook runs, and a desk in it.
type house struct {
	*Denials
	t *testing.T
}

func newHouse(t *testing.T) *house {
	root := layout.Root(t.TempDir())
	h := &house{&Denials{Root: root, Env: []string{"IDUMB_TRUST=" + string(root)}, Now: noon, User: "ann"}, t}
	for file, text := range map[string]string{
		"workplans/p": `{"spec": {"title": "P", "acceptance": ["a"], "state": "active"}}`,
		"tasks/a":     `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "active", "paths": ["docs/**"]}}`,
	} {
		name := filepath.Join(string(root), ".idumb", file+".json")
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return h
}

// tells has the hook answer an event of a session of Claude Code.
func (h *house) tells(session string, event map[string]any) string {
	h.t.Helper()
	event["session_id"], event["cwd"] = session, string(h.Root)
	data, err := json.Marshal(event)
	require.NoError(h.t, err)
	h.Now = h.Now.Add(time.Second)
	a, _ := hooks.NewServer(h.Root, hooks.Backend{}).Answer(hooks.Request{Host: "claude", Cwd: string(h.Root), Env: h.Env, Event: data, Now: h.Now})
	return string(a.Stdout)
}

func (h *house) shell(session, command string) string {
	return h.tells(session, map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
}

func (h *house) write(session, file string) string {
	return h.tells(session, map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "t", "tool_input": map[string]any{"file_path": file, "content": "x"}})
}

func TestFind(t *testing.T) {
	h := newHouse(t)
	_, err := h.Find("s")
	assert.ErrorContains(t, err, "was denied anything")
	long := "git push --force " + strings.Repeat("a ", 400) + "origin\n rm -rf src"
	h.shell("s", "git push --force")
	h.shell("s", long)
	h.shell("other", "git push --force")
	for _, word := range []string{"s", "session/s", "claude/s"} {
		n, err := h.Find(word)
		require.NoError(t, err)
		assert.Equal(t, long, n.Text, "all of it, to the letter")
		again, err := h.Find(n.ID())
		require.NoError(t, err)
		assert.Equal(t, n, again)
	}
	all, err := records.Denials(h.Root, time.Time{})
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.NotEqual(t, all[0].Violation.ID(), all[2].Violation.ID(), "the same call of another session is another denial")
	n, err := h.Find(all[0].Violation.ID())
	require.NoError(t, err)
	assert.Equal(t, "shell git push --force", n.Text)

	require.NoError(t, os.RemoveAll(h.Root.Abs(layout.HookDir)))
	_, err = h.Find("s")
	assert.ErrorContains(t, err, "is no longer stored")
}

func TestOnce(t *testing.T) {
	h := newHouse(t)
	require.Contains(t, h.write("s", "src/a.go"), "outside task")
	n, err := h.Find("s")
	require.NoError(t, err)
	require.Error(t, h.AllowOnce(&n, strings.Repeat("x", 5000)))
	require.NoError(t, h.AllowOnce(&n, "mine"))
	require.Len(t, h.List(), 1)
	open, err := records.OpenDenials(h.Root, time.Time{})
	require.NoError(t, err)
	assert.Empty(t, open)
	assert.Contains(t, h.write("s", "src/a.go"), "ALLOWED ONCE by person/ann (mine)")
	assert.Contains(t, h.write("s", "src/a.go"), "outside task")
	open, err = records.OpenDenials(h.Root, time.Time{})
	require.NoError(t, err)
	assert.Len(t, open, 1, "it was denied again")

	h.write("s", ".claude/settings.json")
	n, err = h.Find("s")
	require.NoError(t, err)
	assert.ErrorContains(t, h.AllowOnce(&n, ""), "it protects governance")
	require.NoError(t, h.ConfirmDenial(&n, "\x1b[31m"))
	h.shell("s", "git push --force")
	n, err = h.Find("s")
	require.NoError(t, err)
	require.NoError(t, h.Check(&n))
	h.tells("s", map[string]any{"hook_event_name": "SessionEnd"})
	assert.ErrorContains(t, h.AllowOnce(&n, ""), "it has ended")
	assert.Empty(t, grants.List(h.Root, h.Now))
	events, err := records.Events(h.Root)
	require.NoError(t, err)
	confirmed := 0
	for _, e := range events {
		assert.NotContains(t, e.Message, "\x1b")
		if e.Reason == resources.ReasonFine {
			confirmed++
			assert.Contains(t, e.Message, "person/ann confirms the denial")
		}
	}
	assert.Equal(t, 1, confirmed)
	require.NoError(t, os.RemoveAll(h.Root.Abs(layout.EventsDir)))
	require.NoError(t, os.WriteFile(h.Root.Abs(layout.EventsDir), nil, 0o600))
	assert.Error(t, h.ConfirmDenial(&n, ""), "it could not be recorded")
}

// A session goes on when it writes another file or is given a prompt, and not by reading or by another denial.
func TestMovedOn(t *testing.T) {
	h := newHouse(t)
	moved := func() time.Time { return hooks.MovedOn(layout.Root(h.Root), "s") }
	require.Contains(t, h.write("s", "src/a.go"), "outside task")
	h.shell("s", "ls")
	assert.Zero(t, moved())
	h.tells("s", map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": map[string]any{"file_path": "docs/b.md", "content": "x"}, "tool_response": map[string]any{}})
	assert.NotZero(t, moved())
	h.write("other", "src/a.go")
	assert.Zero(t, hooks.MovedOn(layout.Root(h.Root), "other"))
	h.tells("other", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "go on"})
	assert.NotZero(t, hooks.MovedOn(layout.Root(h.Root), "other"))
}

// A denial needs no decision once the same call passes.
func TestPassedLater(t *testing.T) {
	h := newHouse(t)
	require.Contains(t, h.write("s", "src/a.go"), "outside task")
	require.Contains(t, h.write("other", "src/a.go"), "outside task")
	task := filepath.Join(string(h.Root), ".idumb", "tasks", "a.json")
	require.NoError(t, os.WriteFile(task, []byte(`{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "active"}}`), 0o644))
	for range 2 {
		require.NotContains(t, h.write("s", "src/a.go"), "outside task")
	}
	open, err := records.OpenDenials(h.Root, time.Time{})
	require.NoError(t, err)
	require.Len(t, open, 1)
	assert.Equal(t, "other", open[0].Violation.Session)
	events, err := records.Events(h.Root)
	require.NoError(t, err)
	passed := slices.DeleteFunc(events, func(e resources.Event) bool { return e.Reason != resources.ReasonPassed })
	require.Len(t, passed, 1, "told once")
	n, err := h.Find("s")
	require.NoError(t, err)
	assert.Equal(t, "task-paths", n.Rule, "what passed is no denial")
}

// What a host asks its person about, who is not there, is allowed as well.
func TestWhatWasAskedIsAllowed(t *testing.T) {
	h := newHouse(t)
	const line = "git stash drop"
	require.Contains(t, h.shell("s", line), `"ask"`)
	n, err := h.Find("s")
	require.NoError(t, err)
	require.NoError(t, h.AllowOnce(&n, ""))
	said := h.shell("s", line)
	assert.Contains(t, said, "ALLOWED ONCE")
	assert.NotContains(t, said, "permissionDecision")
	assert.Contains(t, h.shell("s", line), `"ask"`)
}
