// Package callers tells the MCP server who calls it. The server's own process
// knows nothing of sessions and subagents; the gate, which runs just before
// each call, does. So the gate leaves a record under the host's id of the call,
// and the server takes it. Nothing in it comes from an argument of the model's.
//
// It links nothing but the standard library and the layout, so that the hook
// can use it.
package callers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Dir holds a record for each call that the gate has seen and the server has
// not. It may be deleted at any time: calls without a record are those of an
// unnamed caller.
const Dir = layout.RunDir + "/calls"

// MaxAge is how long a record is worth anything: a person may take their time
// to permit a call, but an id is not kept for ever.
const MaxAge = 24 * time.Hour

// maxRecord is the longest record that is read, in bytes.
const maxRecord = 64 << 10

// Caller is who calls a tool, as the host said it to the gate.
type Caller struct {
	Host     string    `json:"host,omitempty"`     // "claude", "opencode", "codex"
	Session  string    `json:"session,omitempty"`  // the name of the session's record in .idumb/sessions
	Agent    string    `json:"agent,omitempty"`    // the agent's name in the host
	Subagent string    `json:"subagent,omitempty"` // the host's id of the subagent; empty in the main agent
	Role     string    `json:"role,omitempty"`     // the role that the gate found for it; empty if it did not look
	Time     time.Time `json:"time"`               // when the gate saw the call
}

// Record leaves word of who makes the call that the host calls id, over any
// earlier one of the same id. Folders are made as needed, .idumb itself is not.
func Record(root layout.Root, id string, c Caller) error {
	if id == "" {
		return errors.New("who calls a tool cannot be recorded: the host gave the call no id")
	}
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("who makes call %q cannot be recorded: %w", id, err)
	}
	return root.Replace(Dir+"/"+fileOf(id), append(data, '\n'))
}

// Take returns who makes the call that the host calls id, and removes the
// record: of several that ask at once, one is told. False if there is none,
// if it cannot be read, or if it is older than MaxAge.
func Take(root layout.Root, id string) (Caller, bool) { return take(root, id, time.Now()) }

func take(root layout.Root, id string, now time.Time) (Caller, bool) {
	if id == "" {
		return Caller{}, false
	}
	d, err := root.Open(Dir)
	if err != nil {
		return Caller{}, false
	}
	defer d.Close()
	mine := layout.TempName() // whoever renames it has it
	if d.Rename(fileOf(id), d, mine) != nil {
		return Caller{}, false
	}
	data, _, err := d.Read(mine, maxRecord)
	_ = d.Remove(mine)
	var c Caller
	if err != nil || json.Unmarshal(data, &c) != nil || now.Sub(c.Time) > MaxAge {
		return Caller{}, false
	}
	return c, true
}

// Sweep removes the records of calls that never came, those that were denied
// later on, or whose server was gone; and of processes that are gone.
func Sweep(root layout.Root, now time.Time) {
	sweepAgents(root)
	d, err := root.Open(Dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if _, info, err := d.Read(name, maxRecord); err != nil || now.Sub(info.ModTime) > MaxAge {
			_ = d.Remove(name)
		}
	}
}

// fileOf is the name of a call's record. An id is the host's, and may be
// anything: its hash is a file name on every system.
func fileOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16]) + ".json"
}
