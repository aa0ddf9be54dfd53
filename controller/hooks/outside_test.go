package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// foreignPlans knows of every file that it belongs to a framework that does not rule.
type foreignPlans struct{ asked [][]string }

func (*foreignPlans) Code(string, func(Snippet) bool) []Snippet { return nil }
func (*foreignPlans) Broke([]string) []Snippet                  { return nil }
func (*foreignPlans) FirstScan(time.Duration)                   {}
func (*foreignPlans) Radius(file string) string                 { return "" }

func (f *foreignPlans) NotRuling(files []string) []Snippet {
	f.asked = append(f.asked, files)
	return []Snippet{{ID: "framework/bmad", Truncated: true, Text: files[0] + " belongs to bmad."}}
}

// After a write into a framework that does not rule its writer is told so, once a session.
func TestAForeignPlanIsToldOnce(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	code := &foreignPlans{}
	wrote := func(session string, action admission.Action, file string) string {
		h.now = h.now.Add(time.Second)
		repo := openPacking(h.root, trusting(h.root), h.now)
		repo.code = code
		e := hosts.Event{Host: "claude", Type: hosts.AfterTool, Session: session, Tool: "Write", Action: action, Paths: []string{file}, Cwd: string(h.root)}
		return (&handler{repo: repo, event: e, limit: 10000}).handle().Context
	}
	assert.Contains(t, wrote("s", admission.Write, "_bmad-output/prd.md"), "PLANNING:\n_bmad-output/prd.md belongs to bmad.\n")
	assert.NotContains(t, wrote("s", admission.Write, "_bmad-output/epic.md"), "PLANNING", "once")
	assert.Contains(t, wrote("other", admission.Write, "_bmad-output/epic.md"), "PLANNING", "another session")
	assert.Len(t, code.asked, 3)
	assert.NotContains(t, wrote("third", admission.Read, "_bmad-output/epic.md"), "PLANNING", "it wrote nothing")
}

// brokenExport knows of one file that it lost a name that others import.
type brokenExport struct{ foreignPlans }

func (*brokenExport) Broke(files []string) []Snippet {
	if !slices.Contains(files, "src/a.go") {
		return nil
	}
	return []Snippet{{ID: "src/src/a.go", TextHash: "gone", Text: "src/a.go no longer has Open, which 1 place imports still: src/b.go:3."}}
}

// At the end of a turn that worked on a task without required evidence, the checklist names the task
// and what is open for its files, once a turn.
func TestTheChecklistOfATaskWithoutEvidence(t *testing.T) {
	h := newHouse(t)
	h.git("init", "-q")
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "a form", "state": "active"}}`)
	h.file("artifacts/notes", `{"spec": {"path": "docs/notes.md"}}`)
	h.file("artifacts/covering", `{"spec": {"path": "docs/covering.md", "covers": ["workplans/p"]}}`)
	h.file("artifacts/ended", `{"spec": {"path": "docs/ended.md", "state": "abandoned", "reason": "x"}}`)
	h.file("artifacts/lost", `{"spec": {"path": "docs/lost.md", "covers": ["task/a"]}}`)
	code := &brokenExport{}
	ask := func(e hosts.Event) hosts.Answer {
		h.now = h.now.Add(time.Second)
		repo := openPacking(h.root, trusting(h.root), h.now)
		repo.code = code
		e.Host, e.Session, e.Cwd = "claude", "s", string(h.root)
		defer h.drain()
		return (&handler{repo: repo, event: e, limit: 10000}).handle()
	}
	stop := hosts.Event{Type: hosts.Stop, Text: "I wrote a few files."}
	write := func(file string, exists bool) {
		if exists {
			require.NoError(t, os.MkdirAll(filepath.Dir(h.root.Abs(file)), 0o700))
			require.NoError(t, os.WriteFile(h.root.Abs(file), []byte("x"), 0o600))
		}
		ask(hosts.Event{Type: hosts.AfterTool, Tool: "Write", Action: admission.Write, Paths: []string{file}})
	}
	h.file("sessions/s", `{"spec": {"activeTask": "a", "role": "executor"}}`)
	ask(hosts.Event{Type: hosts.Prompt, Text: "what is this?"})
	assert.Empty(t, ask(stop).Hold, "it did nothing for the task")

	ask(hosts.Event{Type: hosts.Prompt, Text: "go on"})
	write("src/c.go", true)
	held := ask(stop).Hold
	assert.Equal(t, "GOVERNANCE: task \"a\" is still active.\nExpected: a form\nUSE INSTEAD: If the expected output exists: "+
		"`mcp__idumb__govern_task {\"action\":\"complete\",\"task\":\"a\",\"evidence\":\"...\"}`; the tasks that depend on it can start then. If work is left, report it and end your turn.", held)
	assert.Empty(t, ask(stop).Hold, "once a turn")

	ask(hosts.Event{Type: hosts.Prompt, Text: "go on"})
	write("src/c.go", true)
	assert.Empty(t, ask(stop).Hold, "nothing is broken, and the session was held for it once")

	ask(hosts.Event{Type: hosts.Prompt, Text: "go on"})
	for _, file := range []string{"src/a.go", "docs/notes.md", "docs/covering.md", "docs/ended.md"} {
		write(file, true)
	}
	write("docs/lost.md", false)
	for i := range 6 {
		write(fmt.Sprintf("src/d%d.go", i), true)
	}
	question := stop
	question.Text = "I wrote a few files.\nShall I go on?"
	assert.Empty(t, ask(question).Hold)
	assert.Contains(t, ask(stop).Hold, "GOVERNANCE: task \"a\" is still active.\n"+
		"- src/a.go no longer has Open, which 1 place imports still: src/b.go:3.\n"+
		"- artifact lost is not saved: docs/lost.md does not exist.\n"+
		"- artifact notes is not linked: `idumb artifact adopt docs/notes.md --covers task/a`.\n"+
		"- 11 files written for it are not committed: commit finished changes, if the user lets you.\n"+
		"Expected: a form\n")

	ask(hosts.Event{Type: hosts.Prompt, Text: "and?"})
	assert.Empty(t, ask(stop).Hold)
	ask(hosts.Event{Type: hosts.Prompt, Text: "and?"})
	assert.NotEmpty(t, ask(hosts.Event{Type: hosts.Stop, Text: "All is done."}).Hold, "it calls the task done")
}
