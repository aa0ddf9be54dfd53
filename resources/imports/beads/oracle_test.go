package beads

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// row is what the oracle reads of an issue: it shares no code with the import.
type row struct {
	ID           string `json:"id"`
	Status       string `json:"status"`
	Type         string `json:"issue_type"`
	Dependencies []struct {
		On   string `json:"depends_on_id"`
		Type string `json:"type"`
	} `json:"dependencies"`
}

// readyByTheBook returns the ids of the open issues, molecules and epics with open children apart, all of whose
// blockers are closed or deleted. With inherit, an issue that stands below a
// blocked one is blocked too, as bd ready has it.
func readyByTheBook(t *testing.T, export []byte, inherit bool) []string {
	t.Helper()
	rows := map[string]row{}
	for s := bufio.NewScanner(bytes.NewReader(export)); s.Scan(); {
		var r row
		require.NoError(t, json.Unmarshal(s.Bytes(), &r))
		rows[r.ID] = r
	}
	over := func(id string) bool { return rows[id].Status == "closed" || rows[id].Status == "tombstone" }
	var blocked func(id string) bool
	blocked = func(id string) bool {
		for _, d := range rows[id].Dependencies {
			if d.Type == "blocks" && !over(d.On) {
				return true
			}
			if inherit && d.Type == "parent-child" && !over(d.On) && blocked(d.On) {
				return true
			}
		}
		return false
	}
	parted := map[string]bool{}
	for id, r := range rows {
		for _, d := range r.Dependencies {
			parted[d.On] = parted[d.On] || d.Type == "parent-child" && !over(id)
		}
	}
	ready := []string{}
	for id, r := range rows {
		switch {
		case r.Status != "open" || r.Type == "molecule" || blocked(id):
		case r.Type != "epic":
			ready = append(ready, id)
		case !parted[id]:
			ready = append(ready, id+" (epic)")
		}
	}
	slices.Sort(ready)
	return ready
}
