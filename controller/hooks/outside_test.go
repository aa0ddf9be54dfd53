package hooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// foreignPlans knows of every file that it belongs to a framework that does not rule.
type foreignPlans struct{ asked [][]string }

func (*foreignPlans) Code(string, func(Snippet) bool) []Snippet { return nil }
func (*foreignPlans) Broke([]string) []Snippet                  { return nil }
func (*foreignPlans) Warm()                                     {}
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
