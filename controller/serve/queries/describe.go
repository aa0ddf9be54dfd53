package queries

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

// Descriptions is the answer of a request to describe objects.
type Descriptions struct {
	Objects []Description `json:"objects"`
	Missing []string      `json:"missing,omitempty"`
}

// Description is an object with its related objects. Recorded history is read
// from the logs.
type Description struct {
	Object      json.RawMessage    `json:"object"`
	Changed     resources.Time     `json:"changed,omitzero"` // modification time of its file, if it determines the age
	Problem     *resources.Problem `json:"problem,omitempty"`
	Holder      *resources.Lease   `json:"holder,omitempty"`    // owner of a task; nil if none
	BlockedBy   []Blocker          `json:"blockedBy,omitempty"` // maxNeighbors at most
	MoreBlocked int                `json:"moreBlocked,omitempty"`
	NeededBy    []string           `json:"neededBy,omitempty"` // maxNeighbors at most
	MoreNeeded  int                `json:"moreNeeded,omitempty"`
	Related     []Relation         `json:"related,omitempty"` // for a task
	Remarks     []Remark           `json:"remarks,omitempty"` // comments on it, maxNeighbors at most
	MoreRemarks int                `json:"moreRemarks,omitempty"`
	Turns       []status.Turn      `json:"turns,omitempty"`       // for a plan
	Differences []Difference       `json:"differences,omitempty"` // for a mem that is the only described object
	// Checkpoints are the last ones of a session, newest first, maxCheckpoints at most. They are read
	// from the logs of all tasks, so only on request (parameter checkpoints).
	Checkpoints []records.Checkpoint `json:"checkpoints,omitempty"`
}

// Blocker is a prerequisite.
type Blocker struct {
	Name  string `json:"name"`
	Phase string `json:"phase"`
	Title string `json:"title,omitempty"`
}

// maxNeighbors is the maximum number of related objects that are listed; the
// others are counted.
const maxNeighbors = 20

// DescribeOf describes objects: all of some kinds, or some by name.
func DescribeOf(s *Source, v url.Values) (Descriptions, error) {
	find := ReadFind(v)
	find.Whole = true
	found, err := find.Run(s)
	if err != nil {
		return Descriptions{}, err
	}
	answer := Descriptions{Missing: Names(found.Missing)}
	for _, e := range found.Entries {
		d := Description{Problem: e.Problem}
		if d.Object, err = e.Line(); err != nil {
			return answer, err
		}
		if e.Object != nil {
			if e.Object.Head().Metadata.CreationTimestamp.IsZero() {
				d.Changed = resources.NewTime(e.Object.Created())
			}
			switch o := e.Object.(type) {
			case *resources.Task:
				d.Holder, d.Related = s.Holder(o), relationsOf(s, o)
			case *resources.WorkPlan:
				events, _ := records.Events(s.Root)
				d.Turns = TurnsOf(s, o, events)
				d.Related = related(nil, "Documents", documentsOf(s, o.Key()))
			case *resources.Mem:
				d.Related = related(nil, "Documents", documentsOf(s, o.Key()))
			}
			d.Remarks, d.MoreRemarks = remarksOn(s, e.Key)
			d.addNeighbors(s, e)
		}
		if m, is := e.Object.(*resources.Mem); is && len(found.Entries) == 1 { // each difference needs git
			d.Differences = differencesOf(s, m.Spec.Evidence)
		}
		if e.Key.Kind == resources.Sessions && v.Has("checkpoints") {
			d.Checkpoints = checkpointsOf(s, e.Key.Name)
		}
		answer.Objects = append(answer.Objects, d)
	}
	return answer, nil
}

// maxCheckpoints is the maximum number of checkpoints of a session.
const maxCheckpoints = 100

// checkpointsOf returns the last checkpoints of a session, newest first.
func checkpointsOf(s *Source, session string) []records.Checkpoint {
	all, _ := records.AllCheckpoints(s.Root) // doctor reports unreadable checkpoints
	all = slices.DeleteFunc(all, func(c records.Checkpoint) bool { return c.Session != session })
	slices.Reverse(all)
	return all[:min(len(all), maxCheckpoints)]
}

// addNeighbors adds the prerequisites and dependents of an object.
func (d *Description) addNeighbors(s *Source, e *Entry) {
	var names []string
	switch st := e.Status.(type) {
	case *resources.TaskStatus:
		names = st.BlockedBy
	case *resources.DecisionStatus:
		names = st.BlockedBy
	case *resources.WorkPlanStatus:
		for _, plan := range st.BlockedBy {
			names = append(names, "workplan/"+strings.TrimPrefix(plan, "workplan/"))
		}
	default:
		return
	}
	shown := names[:min(len(names), maxNeighbors)]
	d.MoreBlocked = len(names) - len(shown)
	for _, name := range shown {
		key := status.BlockerKey(name)
		d.BlockedBy = append(d.BlockedBy, Blocker{name, PhaseOf(s, key), titleOf(s, key)})
	}
	var waiting []string
	for _, key := range s.Dependents(e.Key) {
		waiting = append(waiting, key.Name)
	}
	if e.Key.Kind == resources.Decisions {
		waiting = append(waiting, tasksOn(s, e.Key.Name)...)
	}
	d.MoreNeeded = max(0, len(waiting)-maxNeighbors)
	d.NeededBy = waiting[:len(waiting)-d.MoreNeeded]
}

// tasksOn returns the tasks that depend on a decision, as KIND/NAME.
func tasksOn(s *Source, decision string) (names []string) {
	for _, key := range s.mayRefer(resources.Tasks, resources.Key{Kind: resources.Decisions, Name: decision}) {
		if t, ok := s.Task(key.Name); ok && slices.Contains(t.Spec.Decisions, decision) {
			names = append(names, "task/"+key.Name)
		}
	}
	return names
}

// titleOf returns the title of a plan, task or decision. It returns "" for other kinds.
func titleOf(s *Source, key resources.Key) string {
	switch o, _ := s.Get(key); o := o.(type) {
	case *resources.WorkPlan:
		return o.Spec.Title
	case *resources.Task:
		return o.Spec.Title
	case *resources.Decision:
		return o.Spec.Title
	}
	return ""
}

// Entry decodes the described object and its status.
func (d *Description) Entry() (*Entry, error) {
	e, err := Decode(d.Object)
	if err != nil {
		return nil, err
	}
	e.Problem = d.Problem
	if e.Object != nil {
		e.Object.Source().ModTime = d.Changed.Time
	}
	return e, nil
}

// Remark is a comment on an object, as its description shows it.
type Remark struct {
	Name   string         `json:"name"`
	Time   resources.Time `json:"at,omitzero"`
	Author string         `json:"author"`
	Type   string         `json:"type"`
	State  string         `json:"state"` // sessions that received it and when, or the object that settled it
	Body   string         `json:"body"`
}

// remarksOn returns the newest comments on an object for its description, oldest
// first, and the number of older ones that are left out.
func remarksOn(s *Source, key resources.Key) (remarks []Remark, more int) {
	for _, c := range s.CommentsNaming(key) {
		if resources.CommentAbout(c) != key {
			continue
		}
		st, _ := status.DeriveComment(c, s)
		kind := resources.CommentType(c)
		if c.Spec.Hold {
			kind += ", holds"
		}
		remarks = append(remarks, Remark{
			Name: c.Metadata.Name, Time: resources.NewTime(c.Created()), Author: admission.CommentAuthor(c, s), Type: kind, State: commentState(&st), Body: c.Spec.Body,
		})
	}
	more = max(0, len(remarks)-maxNeighbors)
	return remarks[more:], more
}

// Warnings holds the warnings of chain rules about a user's command.
type Warnings struct {
	Warnings []string `json:"warnings"`
}

// WarningsOf checks a command against the chain rules. The values of the
// parameter "word" are its words.
func WarningsOf(s *Source, v url.Values) (Warnings, error) {
	gate := s.Gate.OpenGate(s.Root, callers.Caller{}, Env(v), time.Now())
	call := admission.Call{Action: admission.Governance, Runs: []command.Run{command.RunOf(v["word"]...)}}
	return Warnings{admission.ChainWarnings(call, gate.View())}, nil
}

// relatesTo reports whether an object relates to a file or directory at path, or
// below it. That is a task that wrote it, may write it or locks it, or an
// anchor or mem that cites it or applies to it.
func relatesTo(e *Entry, path string) bool {
	return slices.ContainsFunc(filesOf(e), func(file string) bool { return pathsMatch(file, path) })
}

// filesOf returns the files that an object names, some of them as globs.
func filesOf(e *Entry) (files []string) {
	switch o := e.Object.(type) {
	case *resources.Task:
		files = slices.Concat(o.Spec.Paths, o.Spec.FileLocks)
		if o.Spec.Source != nil {
			files = append(files, o.Spec.Source.File)
		}
		if st, ok := e.Status.(*resources.TaskStatus); ok {
			files = append(files, st.Artifacts...)
		}
	case *resources.Anchor:
		if o.Spec.Source != nil {
			files = append(files, o.Spec.Source.File)
		}
	case *resources.Mem:
		if o.Spec.AppliesWhen != nil {
			files = slices.Clone(o.Spec.AppliesWhen.Paths)
		}
		for _, cited := range o.Spec.Evidence {
			files = append(files, cited.Path)
		}
	}
	return files
}

// pathsMatch reports whether a path or glob matches another path or a file below it.
func pathsMatch(file, path string) bool {
	if file == "" {
		return false
	}
	return resources.MatchGlob(file, path) || resources.IsBelow(path, resources.GlobRoot(file))
}
