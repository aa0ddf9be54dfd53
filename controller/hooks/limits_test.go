package hooks

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
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
