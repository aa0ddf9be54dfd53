package hooks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// The document's line tells how much of the context no longer holds: what failed, what
// others changed since, and what belongs to work that is over.
func TestOutputsInContext(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	counts := func() [2]int {
		h.ask()
		c := h.session("s").Counters
		return [2]int{c.Outputs, c.StaleOutputs}
	}
	call := func(e hosts.Event) {
		e.Session = "s"
		e.Type = hosts.BeforeTool
		h.run(e)
		e.Type = hosts.AfterTool
		h.run(e)
		h.now = h.now.Add(1234 * time.Millisecond)
	}
	change := func(file string, at time.Time) {
		full := filepath.Join(string(h.root), file)
		require.NoError(t, os.WriteFile(full, []byte("package a\n"), 0o644))
		require.NoError(t, os.Chtimes(full, at, at))
	}
	assert.Equal(t, [2]int{0, 0}, counts())

	change("a.go", h.now.Add(-time.Hour))
	call(hosts.Event{Tool: "Read", Action: admission.Read, Paths: []string{"a.go"}})
	assert.Equal(t, [2]int{1, 0}, counts())
	change("a.go", h.now.Add(ownWrite+time.Second))
	assert.Equal(t, [2]int{1, 1}, counts(), "another changed the file that was read")

	call(hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "go vet ./...", Failed: true, Output: "a.go:1: broken"})
	assert.Equal(t, [2]int{2, 2}, counts(), "a failed call")

	change("b.go", h.now.Add(time.Minute))
	call(hosts.Event{Tool: "Write", Action: admission.Write, Paths: []string{"b.go"}})
	change("b.go", h.now.Add(time.Second))
	assert.Equal(t, [2]int{3, 2}, counts(), "the session's own write")

	h.file("tasks/a", `{"spec": {"workPlan": "p", "title": "First", "expectedOutput": "o", "state": "completed"}}`)
	assert.Equal(t, [2]int{3, 3}, counts(), "the task that the calls were for has ended")

	call(hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "go vet ./b"})
	assert.Equal(t, [2]int{4, 3}, counts(), "an output that failed before the end counts once")

	h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Compacted: true})
	h.now = h.now.Add(time.Second)
	assert.Equal(t, [2]int{0, 0}, counts(), "the compaction left nothing in the context")
}

// A denial states what the session recorded, as its documents ask.
func TestDenialCountsAnchors(t *testing.T) {
	h := newHouse(t)
	h.file("anchors/mine", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"content": "x"}}`)
	h.file("anchors/other", `{"metadata": {"annotations": {"idumb.dev/made-by": "t"}}, "spec": {"content": "x"}}`)
	h.start()
	denied := h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}}).Deny
	assert.Contains(t, denied, "\nDRIFT: low (0); 1 anchor, 0 checkpoints recorded in this session\nPOISONING LEVEL: low (0 tool outputs in context, 0 stale)")
}
