package hooks

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

func TestDenialsAreReadBack(t *testing.T) {
	house := newHouse(t)
	require.NoError(t, house.root.Replace(layout.NotesPath("other", ""), nil))
	h := &handler{repo: openPacking(house.root, nil, house.now), event: hosts.Event{Session: "s"}}
	at := time.Date(2026, 11, 21, 12, 0, 0, 123456789, time.UTC)
	for i, call := range []string{"Write <a>", "Bash \"b\"", "Write <a>", "Write"} {
		h.recordDenial(admission.Denial{Call: call, Rule: "r", Time: at.Add(time.Duration(i) * time.Second)})
	}
	assert.Equal(t, &admission.Denial{Call: "Write <a>", Rule: "r", Time: at.Add(2 * time.Second)}, h.lastDenial("Write <a>"))
	assert.Equal(t, &admission.Denial{Call: "Bash \"b\"", Rule: "r", Time: at.Add(time.Second)}, h.lastDenial("Bash \"b\""))
	assert.Nil(t, h.lastDenial("rite"))
	assert.Nil(t, h.lastDenial("r"))
	var d admission.Denial
	line, _, _ := strings.Cut(string(h.readNotes(notesDenials)), "\n")
	require.NoError(t, json.Unmarshal([]byte(line), &d))
	assert.Equal(t, at, d.Time)
}

// host is the host of that name.
func host(name string) hosts.Host {
	h, _ := hosts.ByName(name)
	return h
}

// A write is counted at once, and rewrites no record: that catches up when the turn ends.
func TestWritesAreCounted(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.wrote("src/a.go")
	before := h.session("s")
	h.wrote("src/b.go")
	assert.Equal(t, before, h.session("s"))
	var counters resources.SessionCounters
	CatchUp(h.root, "s", &counters)
	assert.Equal(t, 2, counters.Writes)
	h.run(hosts.Event{Type: hosts.Stop, Session: "s"})
	assert.Equal(t, 2, h.session("s").Counters.Writes)
}
