package hooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// knowing knows who imports some files.
type knowing map[string]string

func (k knowing) Code(string, func(Snippet) bool) []Snippet { return nil }
func (k knowing) Broke([]string) []Snippet                  { return nil }
func (knowing) NotRuling([]string) []Snippet                { return nil }
func (knowing) FirstScan(time.Duration)                     {}
func (k knowing) Radius(file string) string                 { return k[file] }

// A denial because of a path, a lock or another task has one line of what hangs on the file, and of the task that
// covers it if the denial does not name that; one for another cause has none, nor one where nobody knows.
func TestADenialSaysWhatHangsOnAFile(t *testing.T) {
	h := chainedHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "title": "First", "expectedOutput": "o", "state": "active", "paths": ["docs/**"]}}`)
	h.file("tasks/z", `{"spec": {"workPlan": "p", "title": "Last", "expectedOutput": "o", "fileLocks": ["web/b.ts"], "evidence": [{"file": "src/a.ts"}]}}`)
	denied := func(file string, code Code) string {
		h.now = h.now.Add(time.Hour)
		repo := openPacking(h.root, trusting(h.root), h.now)
		repo.code = code
		e := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Tool: "Edit", Action: admission.Write, Paths: []string{file}, Cwd: string(h.root)}
		return (&handler{repo: repo, event: e, limit: 10000}).handle().Deny
	}
	knows := knowing{"src/a.ts": "12 files import it (api 9, web 3)", "web/b.ts": "nothing imports it", ".idumb/tasks/a.json": "never"}
	assert.Contains(t, denied("src/a.ts", knows), `spec.paths = "docs/**"; src/a.ts: 12 files import it (api 9, web 3), expected of task z [planned] of plan p`)
	assert.NotContains(t, denied("src/a.ts", knowing{}), "import")
	assert.NotContains(t, denied("src/a.ts", nil), "import")
	lock := denied("web/b.ts", knows)
	assert.Contains(t, lock, "; web/b.ts: nothing imports it")
	assert.NotContains(t, denied(".idumb/tasks/a.json", knows), "never", "another cause")
}
