// Package callers identifies who calls an MCP tool or runs a command: the session
// and the agent.
//
// The process of the MCP server does not know sessions and subagents, but the
// gate, which runs just before each call, does. The gate writes a record under
// the host's id of the call, and the server takes it (Record, Take). The id of a
// call without one is made of its arguments.
//
// A command in an agent's shell is below the process of the agent's host. Hooks
// record which session acts in that process (RecordAgent, AgentOf).
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

// Dir holds a record for each call that the gate has judged and the server has
// not received. It may be deleted at any time: calls without a record count as
// calls of an unnamed caller.
const Dir = layout.RunDir + "/calls"

// MaxAge is the validity period of a record. A person may take time to permit a
// call, but ids are not kept indefinitely.
const MaxAge = 24 * time.Hour

// maxRecord is the maximum size of a record that is read, in bytes.
const maxRecord = 64 << 10

// Caller is the caller of a tool, as the host sent it to the gate.
type Caller struct {
	Host     string    `json:"host,omitempty"`     // "claude", "opencode", "codex"
	Session  string    `json:"session,omitempty"`  // the name of the session's record in .idumb/sessions
	Agent    string    `json:"agent,omitempty"`    // the agent's name in the host
	Subagent string    `json:"subagent,omitempty"` // the host's id of the subagent; empty in the main agent
	Role     string    `json:"role,omitempty"`     // the role that the gate found for it; empty if it did not look
	Time     time.Time `json:"time"`               // when the gate saw the call
}

// Record writes the caller of the call that the host calls id, replacing an
// earlier record of the same id. It creates missing folders, but not .idumb.
func Record(root layout.Root, id string, c Caller) error {
	if id == "" {
		return errors.New("record the caller of a tool: the host gave the call no id")
	}
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("record the caller of call %q: %w", id, err)
	}
	return root.Replace(Dir+"/"+fileOf(id), append(data, '\n'))
}

// CallID returns an id for a call of a host that gives its calls none. It is
// equal for calls of a tool with equal arguments, so that the callers of two
// equal calls at once may be confused. It is empty if the arguments are not JSON.
func CallID(tool string, args map[string]json.RawMessage) string {
	text, err := json.Marshal(args)
	if err != nil {
		return ""
	}
	return "arguments of " + tool + " " + string(text)
}

// Take returns the caller of the call that the host calls id, and removes the
// record. Only one of several concurrent calls of Take gets the record. It returns
// false if the record is missing, unreadable, or older than MaxAge.
func Take(root layout.Root, id string) (Caller, bool) { return take(root, id, time.Now()) }

// take is Take with the current time as an argument.
func take(root layout.Root, id string, now time.Time) (Caller, bool) {
	if id == "" {
		return Caller{}, false
	}
	d, err := root.Open(Dir)
	if err != nil {
		return Caller{}, false
	}
	defer d.Close()
	mine := layout.TempName() // the rename makes this the only owner
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

// Sweep removes the records of calls that are unreadable or older than MaxAge:
// no server has taken them. It also removes the records of processes that have
// ended. It ignores errors.
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

// fileOf returns the file name of a call's record. It is a hash, because an id
// of the host may contain any characters.
func fileOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16]) + ".json"
}
