package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// A file of a host is told with what is wrong with it: it cannot be read, lacks something, or was edited.
func TestAgentFiles(t *testing.T) {
	x := &examination{}
	x.agentFiles(agents.State{Host: agents.Host{Name: "claude", Title: "Claude Code"}, Files: []agents.FileState{
		{File: "whole.json", Present: true},
		{File: "torn.json", Err: errors.New("torn.json: line 3: no value")},
		{File: "old.json", Missing: []string{"Stop", "PreToolUse"}},
		{File: "own.md", Edited: []string{"executor.md"}},
	}})
	assert.Equal(t, []resources.Problem{
		{File: "torn.json", Reason: "line 3: no value", Remedy: "fix the file; Claude Code reads it as well"},
		{File: "old.json", Reason: "lacks Stop, PreToolUse", Remedy: `run "idumb hook install claude"`},
	}, x.report.Problems)
	assert.Equal(t, []string{`own.md: executor.md is edited and is not updated; "idumb hook install claude --renew" replaces it`}, x.report.Notices)
}

// A host that hides its to-do list is named, unless a setting shows the list. Nothing is changed.
func TestHiddenTodos(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"CLAUDE_CODE_ENABLE_TODO_TOOLS", "CLAUDE_CONFIG_DIR", "CODEX_HOME"} {
		t.Setenv(name, "")
	}
	x := &examination{root: layout.Root(t.TempDir())}
	assert.Equal(t, "its agents get a to-do list only with tools.update_plan.enabled=true; otherwise iDumb sees accepted plans and goals", x.hiddenTodos("codex"))
	assert.Contains(t, x.hiddenTodos("claude"), "only with CLAUDE_CODE_ENABLE_TODO_TOOLS=1")
	assert.Empty(t, x.hiddenTodos("opencode"))
	write := func(file, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write(x.root.Abs(".claude/settings.json"), `{"env": {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}}`)
	write(filepath.Join(home, ".codex/config.toml"), "[tools.update_plan]\nenabled = true\n")
	assert.Empty(t, x.hiddenTodos("claude"))
	assert.Empty(t, x.hiddenTodos("codex"))
	t.Setenv("CODEX_HOME", t.TempDir())
	assert.NotEmpty(t, x.hiddenTodos("codex"), "the settings are elsewhere")
}

// A conflict of the user's is told with the command that settles it.
func TestToldMark(t *testing.T) {
	for want, m := range map[string]exchange.Mark{
		"a conflict with the team names an unknown kind: idumb sync conflicts":                                                               {Kind: "nothing", Name: "t", Reason: "r"},
		"task/t: both deleted it; your version is saved: idumb sync resolve task/t --ours, --theirs or --edit":                               {Kind: resources.Tasks, Name: "t", Reason: "both deleted it"},
		"task/t: spec.title, spec.notes differs, theirs by Ben; your version is saved: idumb sync resolve task/t --ours, --theirs or --edit": {Kind: resources.Tasks, Name: "t", Reason: "r", Author: "Ben", Fields: []exchange.Conflict{{Field: "spec.title"}, {Field: "spec.notes"}}},
	} {
		assert.Equal(t, want, conflictText(m))
	}
}

// The queued commands that nobody has carried out are counted, by line.
func TestWaiting(t *testing.T) {
	x := &examination{root: layout.Root(t.TempDir())}
	assert.Zero(t, x.waiting(), "there is no queue")
	file := x.root.Abs(queue.File)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("{}\n{}\n"), 0o600))
	assert.Equal(t, 2, x.waiting())
}

// Statuses are outdated only if a controller runs that should have written them.
func TestCheckStatuses(t *testing.T) {
	x := &examination{findings: &objectchecks.Findings{Outdated: 3}}
	x.checkStatuses()
	assert.Empty(t, x.report.Notices)
	x.alive = true
	x.checkStatuses()
	assert.Equal(t, []string{"missing or outdated statuses: 3; the controller is busy or hangs; see idumb controller status"}, x.report.Notices)
}

func TestSpaceLeft(t *testing.T) {
	assert.Contains(t, spaceLeft(0, 100, 50), "the disk is full, 0 KB are free")
	assert.Contains(t, spaceLeft(1<<19, 100, 50), "512 KB are free")
	assert.Contains(t, spaceLeft(1<<30, 100, 0), "no free inodes")
	assert.Empty(t, spaceLeft(1<<30, 100, 50))
	assert.Empty(t, spaceLeft(1<<30, 0, 0), "there is no limit of files")
	assert.Empty(t, diskLimits(t.TempDir()))
	assert.Empty(t, diskLimits("/no such folder"))
}
