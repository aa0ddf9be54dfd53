package hooks

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/memory"
)

// A turn that made as many calls as a trigger allows is halted: reading stays open, a changed file
// lifts nothing, the person's next prompt does.
func TestATurnsCallsAreLimited(t *testing.T) {
	h := triggeredHouse(t, map[string]string{"limit": `"event": "calls", "count": 5, "action": "halt"`})
	h.ask()
	for i := range 5 {
		require.Empty(t, h.sh(fmt.Sprint("ls ", i)).Deny, "call %d", i)
	}
	denied := h.sh("ls 5").Deny
	assert.Contains(t, denied, `trigger "limit" halted it`)
	assert.Contains(t, denied, "5 calls or more went by since the user's last prompt")
	assert.Contains(t, denied, "USE INSTEAD: Review your results and report them: only reading is allowed.")
	h.wrote("a.go")
	assert.Contains(t, h.sh("ls 6").Deny, "halted it")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Read", Action: admission.Read, Paths: []string{"a.go"}}).Deny)
	assert.Equal(t, []string{"limit"}, h.session("s").Raised)
	assert.NoDirExists(t, h.root.Abs(".idumb/anchors"), "the task is stuck at nothing")
	h.ask()
	assert.Empty(t, h.sh("ls 7").Deny, "the user spoke")
	assert.Empty(t, h.session("s").Raised)

	for i := range 5 {
		h.sh(fmt.Sprint("ls -a ", i))
	}
	require.Contains(t, h.sh("ls -b").Deny, "halted it")
	Backend{}.OpenGate(h.root, callers.Caller{Session: "s"}, trusting(h.root), h.now).BeginTurn()
	assert.Empty(t, h.sh("ls -c").Deny, "the user lifted it")
}

func TestATurnsWritesAndMinutesAreLimited(t *testing.T) {
	h := triggeredHouse(t, map[string]string{"writes": `"event": "writes", "count": 2, "action": "warn"`, "minutes": `"event": "minutes", "count": 30, "action": "halt"`})
	h.ask()
	h.wrote("a.go")
	assert.Empty(t, h.sh("ls 1").Context)
	h.wrote("b.go")
	assert.Contains(t, h.sh("ls 2").Context, "GOVERNANCE WARNING (writes): 2 writes or more went by")
	h.now = h.now.Add(31 * time.Minute)
	assert.Contains(t, h.sh("ls 3").Deny, `trigger "minutes" halted it`)
	h.ask()
	assert.Empty(t, h.sh("ls 4").Deny)
}

// A delegation deeper than three is denied, and is an emergency halt: with an export and a checkpoint
// of the task, once. The agent continues itself.
func TestADelegationTooDeepIsAHalt(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	for i, parent := range []string{"", "s0", "s1", "s2"} {
		h.file(fmt.Sprint("sessions/s", i), fmt.Sprintf(`{"spec": {"parent": %q, "activeTask": "a"}}`, parent))
	}
	spawn := hosts.Event{Type: hosts.BeforeTool, Session: "s3", Tool: "Agent", Action: admission.Delegate, DelegateTo: "general-purpose", Text: "task/a go"}
	shallow := spawn
	shallow.Session = "s2"
	assert.Empty(t, h.run(shallow).Deny)
	halts := func() int {
		log, _ := os.ReadFile(h.root.Abs(".idumb/checkpoints/a.jsonl"))
		return strings.Count(string(log), `"tool":"halt"`)
	}
	require.Zero(t, halts())
	denied := h.run(spawn).Deny
	assert.Contains(t, denied, "the work was delegated 3 times already")
	assert.Contains(t, denied, "This is an emergency halt: its checkpoint is .idumb/sessions/exports/"+lastExport(h.root, "s3"))
	assert.Equal(t, 1, halts())
	assert.Equal(t, memory.ExportHalt, h.lastExport("s3").Reason)
	assert.NotContains(t, h.run(spawn).Deny, "emergency halt", "once")
	assert.Equal(t, 1, halts())
	assert.Empty(t, h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s3", Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}}).Deny)
}
