package queries

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Dash is the initial content of a dashboard, as a consistent snapshot. A
// dashboard asks this one question after each change.
type Dash struct {
	Overview
	Version  uint64          `json:"version,omitempty"` // resource version, to wait for changes; 0 without a controller
	Sessions []Top           `json:"sessions"`          // live sessions
	Tasks    []DashTask      `json:"tasks"`             // all tasks, by name
	Memory   []MemoryFinding `json:"memory"`            // findings of a memory review, most urgent first
	Avoid    []MemoryFinding `json:"avoid,omitempty"`   // active false paths, highest confidence first, maxAvoided at most
}

// DashTask is a task as a dashboard shows it.
type DashTask struct {
	Name     string   `json:"name"`
	Plan     string   `json:"plan,omitempty"`
	Title    string   `json:"title"` // name if the task has no title
	Phase    string   `json:"phase"`
	Ready    bool     `json:"ready,omitempty"`
	Stage    string   `json:"stage,omitempty"` // phase of the plan
	Priority string   `json:"priority,omitempty"`
	Holder   string   `json:"holder,omitempty"` // owner of the task; empty for the current user
	Needs    []string `json:"needs,omitempty"`  // prerequisite tasks
	Gate     string   `json:"gate,omitempty"`   // prerequisite that is a gate
	Waits    []string `json:"waits,omitempty"`  // open prerequisites: tasks, decision/NAME, workplan/NAME

	Labels map[string]string `json:"labels,omitempty"`
}

// MemoryFinding is a memory entry that needs attention.
type MemoryFinding struct {
	Object     string `json:"about"` // mem/NAME or anchor/NAME
	Confidence int    `json:"confidence,omitempty"`
	Reason     string `json:"reason"`
	Text       string `json:"what"`
}

// DashOf returns the content of a dashboard for a user with an environment
// (WithEnv).
func DashOf(s *Source, v url.Values) (Dash, error) {
	_, version := s.statuses.entries(nil, nil) // first: later changes are reported again
	overview, err := OverviewOf(s, v)
	d := Dash{Overview: overview, Version: version, Tasks: dashTasks(s), Memory: []MemoryFinding{}}
	if err != nil {
		return d, err
	}
	for _, c := range Review(s) {
		if kind, known := resources.KindOf(c.Key.Kind); known {
			d.Memory = append(d.Memory, MemoryFinding{kind.Singular + "/" + c.Key.Name, c.Confidence, c.Reason, c.What})
		}
	}
	d.Avoid = falsePaths(s)
	d.Sessions, err = TopOf(s, url.Values{})
	return d, err
}

// maxAvoided is the maximum number of false paths on a dashboard.
const maxAvoided = 100

// falsePaths returns the active mems that warn of a false path.
func falsePaths(s *Source) (all []MemoryFinding) {
	entries, _ := s.Entries([]string{resources.Mems}, nil, false)
	for _, e := range entries {
		m, _ := e.Object.(*resources.Mem)
		st, _ := e.Status.(*resources.MemStatus)
		if m != nil && st != nil && m.Spec.Type == resources.FalsePath && !memory.IsHidden(st.Phase) {
			all = append(all, MemoryFinding{"mem/" + e.Key.Name, st.Confidence, st.Phase, m.Spec.Content})
		}
	}
	slices.SortStableFunc(all, func(a, b MemoryFinding) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Object, b.Object))
	})
	return all[:min(len(all), maxAvoided)]
}

// dashTasks returns all tasks for a dashboard, including unreadable ones.
func dashTasks(s *Source) []DashTask {
	all := []DashTask{}
	for _, key := range s.List(resources.Tasks) {
		row := DashTask{Name: key.Name, Title: key.Name, Phase: resources.PhaseInvalid}
		if st, _ := s.Derived(key).(*resources.TaskStatus); st != nil {
			row.Phase, row.Ready, row.Waits = cmp.Or(st.Phase, row.Phase), st.Ready, st.BlockedBy
		}
		if t, found := s.Task(key.Name); found {
			row.Plan, row.Title, row.Stage, row.Priority = t.Spec.WorkPlan, cmp.Or(t.Spec.Title, key.Name), t.Spec.Phase, t.Spec.Priority
			row.Labels = t.Metadata.Labels
			row.Holder, row.Needs = s.Worker(t), resources.ComesFirst(t)
			if t.Spec.TemporalGate != nil {
				row.Gate = t.Spec.TemporalGate.After
			}
		}
		all = append(all, row)
	}
	return all
}
