package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// ExportSchema identifies the format of an export. Files in earlierSchema can be read too,
// because all their fields still exist.
const (
	ExportSchema  = resources.Group + "/session-export/v2"
	earlierSchema = resources.Group + "/session-export/v1"
)

// Export is the record of a session in .idumb/sessions/exports/<record>-<unixms>.json. It
// is written when a turn of the session ends, when the session is compacted, idle, ended,
// split or halted, or on request. Like sessions, it is local to a machine. It only contains
// the work of this session, not of other sessions on the same task.
type Export struct {
	Schema     string         `json:"schema"` // ExportSchema
	Reason     string         `json:"reason"` // ExportIdle, ...
	ExportedAt resources.Time `json:"exportedAt"`
	StaleAfter string         `json:"staleAfter"` // lifetime of the content, counted from lastSeenAt
	// StalenessHours is the number of full hours from the last activity of the session to
	// the export.
	StalenessHours int `json:"stalenessHours,omitempty"`

	Host       string `json:"host,omitempty"`
	Session    string `json:"session,omitempty"` // the host's conversation ID
	Record     string `json:"record"`            // name of the session's record
	Agent      string `json:"agent,omitempty"`
	Role       string `json:"role,omitempty"`
	Parent     string `json:"parent,omitempty"`
	Delegation string `json:"delegation,omitempty"`
	Plan       string `json:"plan,omitempty"`
	Task       string `json:"task,omitempty"`
	TaskPhase  string `json:"taskPhase,omitempty"`

	StartedAt  resources.Time            `json:"startedAt,omitzero"`
	LastSeenAt resources.Time            `json:"lastSeenAt,omitzero"`
	Counters   resources.SessionCounters `json:"counters,omitzero"`
	Drift      int                       `json:"drift,omitempty"`
	Health     int                       `json:"health,omitempty"`
	Triggers   []string                  `json:"triggers,omitempty"` // triggers that fired

	// Previous is the previous export file of the same session.
	Previous string `json:"previous,omitempty"`
	// Chain lists the objects that contain the session's task, outermost first:
	// workplan/shop, phase/build, task/pay and its subtasks. The task itself is last.
	Chain []string `json:"chain,omitempty"`
	// Tasks lists the tasks of the plan on which the session worked, its own task first.
	Tasks       []ExportTask   `json:"tasks,omitempty"`
	Complete    bool           `json:"complete"`            // all tasks it worked on are completed
	Issues      []string       `json:"issues,omitempty"`    // reasons why not, and missing or stale references
	Tools       map[string]int `json:"tools,omitempty"`     // number of calls by tool
	Calls       []ExportCall   `json:"calls,omitempty"`     // latest calls
	Anchors     []string       `json:"anchors,omitempty"`   // valid anchors; after a compaction, the anchors that are still valid
	Mems        []string       `json:"mems,omitempty"`      // mems that it created
	Findings    []string       `json:"found,omitempty"`     // findings in the agent's messages
	LastMessage string         `json:"lastWords,omitempty"` // last message of the agent
	Notes       []ExportNote   `json:"notes,omitempty"`     // notes that a user or agent added

	Files     []string          `json:"files,omitempty"`     // files that it wrote
	Commands  []ExportCommand   `json:"commands,omitempty"`  // commands that it ran
	Delegated []ExportDelegated `json:"delegated,omitempty"` // sessions that it started
	// Last contains the session's newest checkpoints of its task.
	Last []resources.Checkpoint `json:"last,omitempty"`
	// Messages is the conversation of a split session, in the host's format.
	Messages json.RawMessage `json:"messages,omitempty"`
}

// ExportTask is a task on which a session worked.
type ExportTask struct {
	Name   string `json:"name"`
	Parent string `json:"parent,omitempty"`
	Stage  string `json:"stage,omitempty"` // phase of the plan that contains it
	Phase  string `json:"phase"`
}

// ExportCall is a tool call that reached the gate. It may have been denied.
type ExportCall struct {
	Time   resources.Time `json:"at"`
	Tool   string         `json:"tool"`
	Agent  string         `json:"agent,omitempty"` // name of the calling agent in the host
	Object string         `json:"what,omitempty"`  // file, command or agent that the call concerns, in one line
}

// ExportCommand is a command line that a session ran.
type ExportCommand struct {
	Line string `json:"line"`
	// Succeeded and ExitCode are the result of the last run. They are nil if the host does
	// not report it.
	Succeeded *bool `json:"succeeded,omitempty"`
	ExitCode  *int  `json:"exitCode,omitempty"`
	Times     int   `json:"times,omitempty"` // number of runs
}

// ExportDelegated is a session that another session started.
type ExportDelegated struct {
	Session    string `json:"session"` // name of its record
	Agent      string `json:"agent,omitempty"`
	Delegation string `json:"delegation,omitempty"`
	Task       string `json:"task,omitempty"`
}

// ExportNote is a note on a session.
type ExportNote struct {
	Time   resources.Time `json:"at"`
	Author string         `json:"by,omitempty"`
	Text   string         `json:"text"`
}

// Reasons of an export.
const (
	ExportIdle       = "idle"       // the session was idle for some time
	ExportEnd        = "end"        // the session ended
	ExportCompaction = "compaction" // just before the conversation was compacted
	ExportTurn       = "turn"       // a turn ended with a message of the agent
	ExportSplit      = "split"      // the session continues in a new session
	ExportHalt       = "halt"       // a trigger halted a call of the session
	ExportAsked      = "asked"      // a user or agent requested it
)

// exportReasons lists the valid reasons.
var exportReasons = [...]string{ExportIdle, ExportEnd, ExportCompaction, ExportTurn, ExportSplit, ExportHalt, ExportAsked}

// StaleAt returns when the content of an export becomes stale. The age counts from the last
// activity of the session, not from the export.
func (e *Export) StaleAt() time.Time {
	seen := e.ExportedAt
	if !e.LastSeenAt.IsZero() && e.LastSeenAt.Before(seen.Time) {
		seen = e.LastSeenAt
	}
	return seen.Add(resources.Duration(e.StaleAfter, 0))
}

// ReadExport decodes an export and rejects unknown fields and invalid values.
func ReadExport(data []byte) (*Export, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var e Export
	if err := d.Decode(&e); err != nil {
		return nil, fmt.Errorf("not an export: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not an export: something follows the object")
	}
	switch {
	case e.Schema != ExportSchema && e.Schema != earlierSchema:
		return nil, fmt.Errorf("unknown schema %q; this version reads %s", e.Schema, ExportSchema)
	case !slices.Contains(exportReasons[:], e.Reason):
		return nil, fmt.Errorf("unknown reason %q", e.Reason)
	case e.ExportedAt.IsZero():
		return nil, errors.New("exportedAt is missing")
	case resources.Duration(e.StaleAfter, 0) == 0:
		return nil, fmt.Errorf("staleAfter %q is no duration", e.StaleAfter)
	}
	if err := resources.CheckName(e.Record); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &e, nil
}

// Missing returns the missing objects that an export refers to, as kind/name. Names are
// untrusted and may be invalid. there reports whether an object exists or is archived.
func (e *Export) Missing(there func(resources.Key) bool) (gone []string) {
	look := func(kind string, names ...string) {
		for _, name := range names {
			key := resources.Key{Kind: kind, Name: name}
			if text := key.String(); name != "" && !slices.Contains(gone, text) && (resources.CheckName(name) != nil || !there(key)) {
				gone = append(gone, text)
			}
		}
	}
	look(resources.WorkPlans, e.Plan)
	look(resources.Tasks, e.Task)
	for _, t := range e.Tasks {
		look(resources.Tasks, t.Name)
	}
	look(resources.Delegations, e.Delegation)
	look(resources.Anchors, e.Anchors...)
	look(resources.Mems, e.Mems...)
	return gone
}
