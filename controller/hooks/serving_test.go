package hooks

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// governed is a repository with an active plan and no active task: nothing may be written.
func governed(t *testing.T) (layout.Root, []string) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".idumb/workplans/p.json": `{"spec": {"title": "P", "acceptance": ["a"], "state": "active"}}`,
		".idumb/tasks/a.json":     `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return layout.Root(root), []string{"HOME=" + filepath.Join(root, "home"), "IDUMB_TRUST=" + root}
}

// An agent that was started below OpenCode's lasting process inherits its variable.
func TestOnlyTheLastingHostsEventsAreLines(t *testing.T) {
	root, env := governed(t)
	s := NewServer(root, Backend{})
	write := []byte(`{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "` + string(root) + `", "tool_name": "Write", "tool_use_id": "t", "tool_input": {"file_path": "a.go", "content": "x"}}`)
	for _, host := range []string{"claude", "codex"} {
		if host == "codex" {
			write = []byte(`{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "` + string(root) + `", "tool_name": "apply_patch", "tool_use_id": "t", "tool_input": {"command": "*** Begin Patch\n*** Add File: a.go\n+x\n*** End Patch"}}`)
		}
		a, answered := s.Answer(Request{Host: host, Cwd: string(root), Env: append(env, lastingVariable+"=1.a"), Event: write, Now: time.Now()})
		assert.True(t, answered)
		assert.Contains(t, string(a.Stdout), `"permissionDecision":"deny"`, host)
	}
	line := []byte(`{"id": 7, "hook": "tool.before", "session": "s", "directory": "` + string(root) + `", "tool": "write", "call": "c", "args": {"filePath": "a.go", "content": "x"}}`)
	a, answered := s.Answer(Request{Host: "opencode", Cwd: string(root), Env: append(env, lastingVariable+"=1.a"), Event: line, Now: time.Now()})
	assert.True(t, answered)
	assert.Contains(t, string(a.Stdout), `"id":7`)
	assert.Contains(t, string(a.Stdout), `"deny":"GOVERNANCE BLOCK`)
}

// Who packs for long may be too late: the hook answers by then, and nobody was given that pack.
func TestWhatComesTooLateIsNotKnown(t *testing.T) {
	root, env := governed(t)
	s := NewServer(root, Backend{Contexts: openPacking(root, env, time.Now()).contexts})
	start := []byte(`{"hook_event_name": "SessionStart", "session_id": "s", "cwd": "` + string(root) + `", "source": "startup"}`)
	prompt := []byte(`{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "` + string(root) + `", "prompt": "go on"}`)
	asked := Request{Host: "claude", Cwd: string(root), Env: env, Now: time.Now()}
	for _, late := range []bool{true, false} {
		asked.Event, asked.Late = start, func() bool { return late }
		_, answered := s.Answer(asked)
		require.True(t, answered)
		asked.Event, asked.Late = prompt, nil
		a, _ := s.Answer(asked)
		assert.Equal(t, late, strings.Contains(string(a.Stdout), "<idumb_context>"), "%s", a.Stdout)
		require.NoError(t, os.RemoveAll(root.Abs(layout.HookDir)))
	}
}

func TestProcessesThatLastAreForgotten(t *testing.T) {
	s := NewServer(layout.Root(t.TempDir()), Backend{})
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	first := s.watchedBy("first", at)
	for i := range 10 * maxWatching {
		at = at.Add(time.Second)
		s.watchedBy(strconv.Itoa(i), at)
		require.LessOrEqual(t, len(s.watchers), maxWatching)
		assert.Same(t, first, s.watchedBy("first", at), "it is heard of all the time")
	}
	assert.NotContains(t, s.watchers, "0")
}
