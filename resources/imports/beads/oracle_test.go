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

// readyByTheBook returns the ids of the open issues, epics apart, all of whose
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
	ready := []string{}
	for id, r := range rows {
		if r.Status == "open" && r.Type != "epic" && !blocked(id) {
			ready = append(ready, id)
		}
	}
	slices.Sort(ready)
	return ready
}
