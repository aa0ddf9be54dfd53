package hooks

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// ownHouse has one task for anybody, and one that nobody works on.
func ownHouse(t *testing.T) *house {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	return h
}

func (h *house) wants(session string) hosts.Answer {
	return h.run(hosts.Event{Type: hosts.BeforeTool, Session: session, Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}})
}

// Of two sessions to which a task falls, one has it before either has written.
func TestATaskFallsToOneSession(t *testing.T) {
	h := ownHouse(t)
	assert.Empty(t, h.wants("one").Deny)
	assert.Contains(t, h.wants("two").Deny, `"a": it is held by session "one"`)
	assert.Empty(t, h.wants("one").Deny)
}

// A session that is heard of keeps all that it holds, not only what it is on.
func TestAllThatASessionHoldsIsRenewed(t *testing.T) {
	h := ownHouse(t)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	book := leases.Open(h.root)
	for _, name := range []string{"a", "b"} {
		task, ok := openPacking(h.root, trusting(h.root), h.now).Task(name)
		require.True(t, ok)
		_, err := book.Claim(task, book.Session("one", nil), false, h.now)
		require.NoError(t, err)
	}
	h.now = h.now.Add(20 * time.Minute)
	h.run(hosts.Event{Type: hosts.Prompt, Session: "one"})
	all, _ := book.All()
	require.Len(t, all, 2)
	for _, l := range all {
		assert.Equal(t, h.now.Unix(), l.Spec.RenewTime.Unix(), l.Metadata.Name)
	}
}

// What a shell writes counts for the task whose file it is, as what a tool writes does, and is kept
// from who must not write it.
func TestAShellsWriteCountsForTheTaskOfTheFile(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "evidence": [{"file": "src/b.go"}]}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o", "paths": ["src/c.go"], "dependsOn": ["a"]}}`)
	h.file("tasks/d", `{"spec": {"workPlan": "p", "expectedOutput": "o", "paths": ["src/d.go"]}}`)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "a"}}`)
	require.NoError(t, os.MkdirAll(h.root.Abs("src"), 0o755))
	for _, file := range []string{"b", "c", "d"} {
		require.NoError(t, os.WriteFile(h.root.Abs("src/"+file+".go"), nil, 0o644))
	}
	shell := func(kind hosts.EventType, line string) hosts.Answer {
		return h.run(hosts.Event{Type: kind, Host: "codex", Session: "s", CallID: line, Tool: "Bash", Action: admission.Shell, Command: line})
	}
	checkpoints := func(task string) string {
		data, _ := os.ReadFile(h.root.Abs(layout.CheckpointPath(task)))
		return string(data)
	}
	for line, task := range map[string]string{
		"cat > src/b.go <<'X'\npackage b\nX": "b", "sed -i s/x/y/ src/d.go": "d", "echo x > src/own": "a",
	} {
		require.Empty(t, shell(hosts.BeforeTool, line).Deny, line)
		shell(hosts.AfterTool, line)
		file, _, _ := strings.Cut(line[strings.Index(line, "src/"):], " ")
		assert.Contains(t, checkpoints(task), `"`+file+`"`, line)
		if task != "a" {
			assert.NotContains(t, checkpoints("a"), file, line)
		}
	}
	for _, line := range []string{"sed -i s/x/y/ src/c.go", "cat > src/c.go <<'X'\nx\nX", "cp src/b.go src/c.go"} {
		assert.Contains(t, shell(hosts.BeforeTool, line).Deny, `src/c.go is one of the files of "c"`, line)
	}
}
