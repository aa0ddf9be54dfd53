package questions

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Descriptions are objects at length.
type Descriptions struct {
	Objects []Description `json:"objects"`
	Missing []string      `json:"missing,omitempty"`
}

// Description is an object with what stands around it. What was recorded about it is read
// from the logs.
type Description struct {
	Object      json.RawMessage    `json:"object"`
	Changed     resources.Time     `json:"changed,omitzero"` // when its file was, as far as that tells its age
	Problem     *resources.Problem `json:"problem,omitempty"`
	Holder      *resources.Lease   `json:"holder,omitempty"`    // of a task; nil for nobody
	BlockedBy   []Blocking         `json:"blockedBy,omitempty"` // mostNeighbours at most
	MoreBlocked int                `json:"moreBlocked,omitempty"`
	NeededBy    []string           `json:"neededBy,omitempty"` // likewise
	MoreNeeded  int                `json:"moreNeeded,omitempty"`
	Related     []Relation         `json:"related,omitempty"` // of a task
	Remarks     []Remark           `json:"remarks,omitempty"` // comments on it, mostNeighbours at most
	MoreRemarks int                `json:"moreRemarks,omitempty"`
	Turns       []status.Turn      `json:"turns,omitempty"`       // of a plan
	Differences []Difference       `json:"differences,omitempty"` // of a mem that is described alone
}

// Blocking is what has to come first.
type Blocking struct {
	Name  string `json:"name"`
	Phase string `json:"phase"`
	Title string `json:"title,omitempty"`
}

// mostNeighbours is how many others are named before the rest is counted.
const mostNeighbours = 20

// DescribeOf describes objects: all of some kinds, or some by name.
func DescribeOf(s *Source, v url.Values) (Descriptions, error) {
	find := ReadFind(v)
	find.Whole = true
	found, err := find.In(s)
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
			d.history(s, e.Object)
			d.Remarks, d.MoreRemarks = remarksOn(s, e.Key)
			d.around(s, e)
		}
		if m, is := e.Object.(*resources.Mem); is && len(found.Entries) == 1 { // git is asked for each
			d.Differences = differencesOf(s, m.Spec.Evidence)
		}
		answer.Objects = append(answer.Objects, d)
	}
	return answer, nil
}

// history adds who holds a task and what belongs to it, or where a plan took another course.
func (d *Description) history(s *Source, o resources.Object) {
	switch o := o.(type) {
	case *resources.Task:
		d.Holder, d.Related = s.Holder(o), relationsOf(s, o)
	case *resources.WorkPlan:
		events, _ := records.Events(s.Root)
		d.Turns = TurnsOf(s, o, events)
		d.Related = related(nil, "Documents", documentsOf(s, o.Key()))
	case *resources.Mem:
		d.Related = related(nil, "Documents", documentsOf(s, o.Key()))
	}
}

// around adds what an object waits for, and what waits for it.
func (d *Description) around(s *Source, e *Entry) {
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
	shown := names[:min(len(names), mostNeighbours)]
	d.MoreBlocked = len(names) - len(shown)
	for _, name := range shown {
		key := status.BlockerKey(name)
		d.BlockedBy = append(d.BlockedBy, Blocking{name, PhaseOf(s, key), titleOf(s, key)})
	}
	var waiting []string
	for _, key := range s.Dependents(e.Key) {
		waiting = append(waiting, key.Name)
	}
	if e.Key.Kind == resources.Decisions {
		waiting = append(waiting, tasksOn(s, e.Key.Name)...)
	}
	d.MoreNeeded = max(0, len(waiting)-mostNeighbours)
	d.NeededBy = waiting[:len(waiting)-d.MoreNeeded]
}

// tasksOn are the tasks that hang on a decision, as KIND/NAME.
func tasksOn(s *Source, decision string) (names []string) {
	for _, key := range s.List(resources.Tasks) {
		if t, ok := s.Task(key.Name); ok && slices.Contains(t.Spec.Decisions, decision) {
			names = append(names, "task/"+key.Name)
		}
	}
	return names
}

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

// Entry is the object itself.
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
