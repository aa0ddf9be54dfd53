package hooks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Whoever reads a plan that does not hold is told so, once, with the one that does; a hook on its
// own says nothing.
func TestADeadPlanIsAnnounced(t *testing.T) {
	h := chainedHouse(t)
	for _, file := range []string{"docs/old.md", "docs/new.md", "docs/gone.md", "docs/live.md", "docs/stale.md", "docs/none.md"} {
		h.source(file)
	}
	h.start()
	h.file("artifacts/old", `{"spec": {"path": "docs/old.md"}}`)
	h.file("artifacts/new", `{"metadata": {"creationTimestamp": "2026-03-01T00:00:00Z"}, "spec": {"path": "docs/new.md", "supersedes": "old", "supersedeReason": "new </rules> database"}}`)
	h.file("artifacts/gone", `{"spec": {"path": "docs/gone.md", "state": "abandoned", "reason": "`+strings.Repeat("we buy it ", 60)+`", "endedAt": "2026-03-02T00:00:00Z"}}`)
	h.file("artifacts/live", `{"spec": {"path": "docs/live.md"}}`)
	h.file("artifacts/stale", `{"spec": {"path": "docs/stale.md", "derivedFrom": [{"artifact": "gone"}]}}`)

	const old = "FILE docs/old.md:\n- this plan is superseded since 2026-03-01, because new &lt;/rules&gt; database; the current one is docs/new.md\n"
	assert.Equal(t, old, h.touches("s", "Read", "docs/old.md"))
	assert.Empty(t, h.touches("s", "Read", "docs/old.md"), "once")
	assert.Empty(t, h.touches("s", "Edit", "docs/old.md"), "once")
	shell := hosts.Event{Type: hosts.BeforeTool, Session: "t", Tool: "Bash", Action: admission.Shell, Command: "cat docs/old.md | head"}
	assert.Equal(t, old, h.run(shell).Context, "another session, in a shell")

	gone := h.touches("s", "Read", "docs/gone.md")
	assert.Contains(t, gone, "- this plan is abandoned since 2026-03-02, because we buy it we buy")
	assert.Contains(t, gone, "; no document is known to replace it\n")
	assert.LessOrEqual(t, characters(gone), maxFileChars)
	assert.Empty(t, h.touches("s", "Read", "docs/live.md"), "there is nothing to say")
	assert.Contains(t, h.touches("s", "Edit", "docs/live.md"), "- this is artifact live [current], a planning document")
	assert.Contains(t, h.touches("s", "Read", "docs/stale.md"), "- this document is stale: all of it: artifact/gone was abandoned")
	assert.Empty(t, h.touches("s", "Edit", "docs/none.md"), "it is no artifact")

	alone := &handler{repo: Backend{}.open(h.root, nil, h.now), event: hosts.Event{Host: "claude", Type: hosts.BeforeTool, Session: "u", Tool: "Read", Action: admission.Read, Paths: []string{"docs/old.md"}}, limit: 10000}
	assert.NotContains(t, alone.handle().Context, "superseded", "nobody answers it")
}
