package memory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ExportSchema says which form an export of a session has. A file of another one is not read.
const ExportSchema = resources.Group + "/session-export/v1"

// Export is what is kept of a session in .idumb/sessions/exports/<record>-<unixms>.json
// when it rests, is split, or was halted. It is local to a machine, as sessions are.
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

	// Tasks are those of the plan that the session did something for, its own first, each with
	// what it is a part of.
	Tasks    []ExportTask   `json:"tasks,omitempty"`
	Complete bool           `json:"complete"`            // nothing of what it worked on is left to be done
	Issues   []string       `json:"issues,omitempty"`    // why not
	Tools    map[string]int `json:"tools,omitempty"`     // that were called, and how often
	Anchors  []string       `json:"anchors,omitempty"`   // that are live: what outlasts a compaction
	Mems     []string       `json:"mems,omitempty"`      // that came of its task while it lasted
	Said     string         `json:"lastWords,omitempty"` // what its agent said last

	Files    []string               `json:"files,omitempty"`    // written for the task
	Commands []ExportCommand        `json:"commands,omitempty"` // run for it
	Last     []resources.Checkpoint `json:"last,omitempty"`     // the newest checkpoints of the task
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

// ExportView is what an export is made from.
type ExportView interface {
	status.View
	PlanTasks(plan string) []string
}

// ExportCommand is a command line that was run for a task.
type ExportCommand struct {
	Line      string `json:"line"`
	Succeeded bool   `json:"succeeded"` // ever
}

// Reasons of an export.
const (
	ExportIdle  = "idle"  // nothing was heard of the session for a while, or it ended
	ExportSplit = "split" // it goes on in a new session
	ExportHalt  = "halt"  // a trigger halted a call of it
)

// exportReasons is the table of them.
var exportReasons = [...]string{ExportIdle, ExportSplit, ExportHalt}

// ExportOf says what is to be kept of a session.
func ExportOf(s *resources.Session, v ExportView, reason string) Export {
	spec := &s.Spec
	f := status.FiguresOf(s, v)
	e := Export{
		Schema: ExportSchema, Reason: reason, ExportedAt: resources.NewTime(v.Now()), StaleAfter: cmp.Or(v.Settings().SessionStaleAfter, "48h"),
		Host: spec.Host, Record: s.Metadata.Name, Agent: spec.Agent, Role: spec.Role, Parent: spec.Parent, Delegation: spec.Delegation,
		StartedAt: spec.StartedAt, LastSeenAt: spec.LastSeenAt, Counters: spec.Counters, Drift: f.Drift(), Health: f.Health(),
		Triggers: slices.Clone(spec.Raised),
	}
	if !spec.LastSeenAt.IsZero() {
		e.StalenessHours = max(0, int(v.Now().Sub(spec.LastSeenAt.Time)/time.Hour))
	}
	e.Complete = true
	if t, ok := v.Task(spec.ActiveTask); ok {
		status, _ := status.DeriveTask(t, v)
		e.worked(s, t, v)
		seen := v.Evidence(t.Metadata.Name)
		e.Task, e.Plan, e.TaskPhase = t.Metadata.Name, t.Spec.WorkPlan, status.Phase
		e.Files, e.Last = slices.Clone(seen.Files), slices.Clone(seen.Last)
		for _, c := range seen.Commands {
			e.Commands = append(e.Commands, ExportCommand(c))
		}
	}
	return e
}

// maxExportTasks bounds what an export tells of a plan.
const maxExportTasks = 50

// worked fills in what the session did something for, and what is left of that.
func (e *Export) worked(s *resources.Session, own *resources.Task, v ExportView) {
	e.addTask(own, v)
	for _, name := range v.PlanTasks(own.Spec.WorkPlan) {
		if name == own.Metadata.Name || len(e.Tasks) == maxExportTasks {
			continue
		}
		by := func(c resources.Checkpoint) bool { return c.Session == s.Metadata.Name }
		if t, ok := v.Task(name); ok && slices.ContainsFunc(v.Evidence(name).Last, by) {
			e.addTask(t, v)
		}
	}
}

func (e *Export) addTask(t *resources.Task, v status.View) {
	st, _ := status.DeriveTask(t, v)
	name := t.Metadata.Name
	e.Tasks = append(e.Tasks, ExportTask{Name: name, Parent: t.Spec.Parent, Stage: t.Spec.Phase, Phase: st.Phase})
	if st.Phase == resources.TaskCompleted {
		return
	}
	e.Complete = false
	for _, item := range status.MissingEvidence(t, v.Evidence(name)) {
		e.Issues = append(e.Issues, fmt.Sprintf("task %s: not seen: %s", name, item))
	}
	for _, by := range st.BlockedBy {
		e.Issues = append(e.Issues, fmt.Sprintf("task %s: blocked by %s", name, by))
	}
	for _, c := range st.Conditions {
		if c.Status == resources.True && (c.Type == resources.Stale || c.Type == resources.ChainBroken || c.Type == resources.Orphaned) {
			e.Issues = append(e.Issues, fmt.Sprintf("task %s: %s: %s", name, c.Type, c.Message))
		}
	}
}

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
	case e.Schema != ExportSchema:
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
