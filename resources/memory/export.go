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

// ExportSchema says which form an export of a session has. Of files of another one only those of
// earlierSchema are read, whose fields are all known still.
const (
	ExportSchema  = resources.Group + "/session-export/v2"
	earlierSchema = resources.Group + "/session-export/v1"
)

// Export is what is kept of a session in .idumb/sessions/exports/<record>-<unixms>.json
// when it is compacted, rests, ends, is split or halted, or when somebody asks. It is local to a
// machine, as sessions are. It tells what this session did, and nothing of others at the same task.
type Export struct {
	Schema     string         `json:"schema"` // ExportSchema
	Reason     string         `json:"reason"` // ExportIdle, ...
	ExportedAt resources.Time `json:"exportedAt"`
	StaleAfter string         `json:"staleAfter"` // how long what it says is to be relied on, from lastSeenAt
	// StalenessHours is how many whole hours nothing had been heard of the session when it was exported.
	StalenessHours int `json:"stalenessHours,omitempty"`

	Host       string `json:"host,omitempty"`
	Session    string `json:"session,omitempty"` // the host's id of the conversation
	Record     string `json:"record"`            // the name of the session's record
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
	Triggers   []string                  `json:"triggers,omitempty"` // that were set off

	// Previous is the file of the export before this one of the same session.
	Previous string `json:"previous,omitempty"`
	// Chain is what the session's task stands in, the outermost first: workplan/shop, phase/build,
	// task/pay and its parts, the task itself last.
	Chain []string `json:"chain,omitempty"`
	// Tasks are those of the plan that the session did something for, its own first, each with
	// what it is a part of.
	Tasks    []ExportTask   `json:"tasks,omitempty"`
	Complete bool           `json:"complete"`            // nothing of what it worked on is left to be done
	Issues   []string       `json:"issues,omitempty"`    // why not, and what it refers to that is gone or stale
	Tools    map[string]int `json:"tools,omitempty"`     // that were called, and how often
	Calls    []ExportCall   `json:"calls,omitempty"`     // the latest of them
	Anchors  []string       `json:"anchors,omitempty"`   // that it holds: after a compaction those that outlasted it
	Mems     []string       `json:"mems,omitempty"`      // that it made
	Found    []string       `json:"found,omitempty"`     // sentences in which its agent told what it found
	Said     string         `json:"lastWords,omitempty"` // what its agent said last
	Notes    []ExportNote   `json:"notes,omitempty"`     // what somebody wanted kept

	Files     []string          `json:"files,omitempty"`     // that it wrote
	Commands  []ExportCommand   `json:"commands,omitempty"`  // that it ran
	Delegated []ExportDelegated `json:"delegated,omitempty"` // to whom it gave work
	// Last are the newest checkpoints of its task that are its own.
	Last []resources.Checkpoint `json:"last,omitempty"`
	// Messages is the conversation as its host tells it, of a split session.
	Messages json.RawMessage `json:"messages,omitempty"`
}

// ExportTask is a task that a session did something for.
type ExportTask struct {
	Name   string `json:"name"`
	Parent string `json:"parent,omitempty"`
	Stage  string `json:"stage,omitempty"` // the phase of the plan that it belongs to
	Phase  string `json:"phase"`
}

// ExportCall is a call of a tool that reached the gate, whether it was let pass or not.
type ExportCall struct {
	At    resources.Time `json:"at"`
	Tool  string         `json:"tool"`
	Agent string         `json:"agent,omitempty"` // by whom, as the host names it
	What  string         `json:"what,omitempty"`  // the file, command or agent that it was about, in one line
}

// ExportCommand is a command line that a session ran.
type ExportCommand struct {
	Line string `json:"line"`
	// Succeeded is how it ended the last time, nil where the host does not tell, and ExitCode with what.
	Succeeded *bool `json:"succeeded,omitempty"`
	ExitCode  *int  `json:"exitCode,omitempty"`
	Times     int   `json:"times,omitempty"` // how often it was run
}

// ExportDelegated is a session that a session started.
type ExportDelegated struct {
	Session    string `json:"session"` // the name of its record
	Agent      string `json:"agent,omitempty"`
	Delegation string `json:"delegation,omitempty"`
	Task       string `json:"task,omitempty"`
}

// ExportNote is a line that somebody wanted kept of a session.
type ExportNote struct {
	At   resources.Time `json:"at"`
	By   string         `json:"by,omitempty"`
	Text string         `json:"text"`
}

// Reasons of an export.
const (
	ExportIdle       = "idle"       // nothing was heard of the session for a while
	ExportEnd        = "end"        // it ended
	ExportCompaction = "compaction" // its conversation was cut, just before
	ExportSplit      = "split"      // it goes on in a new session
	ExportHalt       = "halt"       // a trigger halted a call of it
	ExportAsked      = "asked"      // somebody asked for it
)

// exportReasons is the table of them.
var exportReasons = [...]string{ExportIdle, ExportEnd, ExportCompaction, ExportSplit, ExportHalt, ExportAsked}

// StaleAt is until when what an export says is to be relied on: it is as old as what was last
// heard of the session, whenever it was written.
func (e *Export) StaleAt() time.Time {
	seen := e.ExportedAt
	if !e.LastSeenAt.IsZero() && e.LastSeenAt.Before(seen.Time) {
		seen = e.LastSeenAt
	}
	return seen.Add(resources.Duration(e.StaleAfter, 0))
}

// ReadExport reads an export, strictly. The error says what is wrong with it.
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
		return nil, fmt.Errorf("schema %q is not known; this version reads %s", e.Schema, ExportSchema)
	case !slices.Contains(exportReasons[:], e.Reason):
		return nil, fmt.Errorf("reason %q is not known", e.Reason)
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

// Gone names what an export refers to of which there is nothing any more, as kind/name, where the name may
// be anything that somebody wrote; there reports whether there is an object, set aside or not.
func (e *Export) Gone(there func(resources.Key) bool) (gone []string) {
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
