package questions

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Dash is what a dashboard shows at first, of one moment: so it asks one question for each change.
type Dash struct {
	Overview
	Version  uint64     `json:"version,omitempty"` // that a controller counts, to wait for what is newer; 0: there is none
	Sessions []Top      `json:"sessions"`          // that are live
	Tasks    []DashTask `json:"tasks"`             // all, by name
	Memory   []Doubt    `json:"memory"`            // what a review of the memory finds, the most urgent first
	Avoid    []Doubt    `json:"avoid,omitempty"`   // the false paths that agents are told, the surest first, mostAvoided at most
}

// DashTask is what a dashboard shows of each task.
type DashTask struct {
	Name     string   `json:"name"`
	Plan     string   `json:"plan,omitempty"`
	Title    string   `json:"title"` // its name where it has none
	Phase    string   `json:"phase"`
	Ready    bool     `json:"ready,omitempty"`
	Stage    string   `json:"stage,omitempty"` // of the plan
	Priority string   `json:"priority,omitempty"`
	Holder   string   `json:"holder,omitempty"` // who works on it, where that is not simply the person that looks
	Needs    []string `json:"needs,omitempty"`  // the tasks that come first
	Gate     string   `json:"gate,omitempty"`   // the one of them that is a gate
	Waits    []string `json:"waits,omitempty"`  // what it waits for now: tasks, decision/NAME, workplan/NAME

	Labels map[string]string `json:"labels,omitempty"`
}

// Doubt is something of the memory that somebody should look at.
type Doubt struct {
	About      string `json:"about"` // mem/NAME or anchor/NAME
	Confidence int    `json:"confidence,omitempty"`
	Reason     string `json:"reason"`
	What       string `json:"what"`
}

// DashOf answers with what a dashboard shows to somebody in an environment (WithEnv).
func DashOf(s *Source, v url.Values) (Dash, error) {
	_, version := s.statuses.entries(nil, nil) // before all else: what comes meanwhile is told again
	overview, err := OverviewOf(s, v)
	d := Dash{Overview: overview, Version: version, Tasks: dashTasks(s), Memory: []Doubt{}}
	if err != nil {
		return d, err
	}
	for _, c := range Review(s) {
		if kind, known := resources.KindOf(c.Key.Kind); known {
			d.Memory = append(d.Memory, Doubt{kind.Singular + "/" + c.Key.Name, c.Confidence, c.Reason, c.What})
		}
	}
	d.Avoid = falsePaths(s)
	d.Sessions, err = TopOf(s, url.Values{})
	return d, err
}

// mostAvoided is how many false paths a dashboard shows.
const mostAvoided = 100

// falsePaths are the mems that say what not to do, as far as they are told.
func falsePaths(s *Source) (all []Doubt) {
	entries, _ := s.Entries([]string{resources.Mems}, nil, false)
	for _, e := range entries {
		m, _ := e.Object.(*resources.Mem)
		st, _ := e.Status.(*resources.MemStatus)
		if m != nil && st != nil && m.Spec.Type == resources.FalsePath && !memory.Hidden(st.Phase) {
			all = append(all, Doubt{"mem/" + e.Key.Name, st.Confidence, st.Phase, m.Spec.Content})
		}
	}
	slices.SortStableFunc(all, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.About, b.About))
	})
	return all[:min(len(all), mostAvoided)]
}

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
