package queries

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graphlayout"
)

// Graph is the layout of a plan's tasks, as an object without spec.
type Graph struct {
	Metadata GraphMetadata     `json:"metadata"`
	Status   graphlayout.Graph `json:"status"`
}

// GraphMetadata names the plan.
type GraphMetadata struct {
	Name string `json:"name"`
}

// Graphs holds the layouts of plans, by name.
type Graphs struct {
	Items []Graph `json:"items"`
}

// GraphsOf lays out the named plans (name), or all plans. If not everything
// fits, it keeps the neighbors of a task (selected) and the opened groups
// (open) visible. It returns a NotFound error for an unknown plan.
func GraphsOf(s *Source, v url.Values) (Graphs, error) {
	answer, names := Graphs{Items: []Graph{}}, v["name"]
	if len(names) == 0 {
		for _, key := range s.List(resources.WorkPlans) {
			names = append(names, key.Name)
		}
	}
	o := graphlayout.Options{Selected: v.Get("selected"), Open: v["open"]}
	for _, name := range names {
		name = strings.TrimPrefix(name, "workplan/")
		key := resources.Key{Kind: resources.WorkPlans, Name: name}
		if EntryOf(s, key) == nil {
			return answer, apierrors.NotFound(key)
		}
		answer.Items = append(answer.Items, Graph{GraphMetadata{name}, graphlayout.Make(DrawnTasks(s, name), o)})
	}
	return answer, nil
}

// DrawnTasks returns the tasks of a plan in the form of package graphlayout.
func DrawnTasks(s *Source, plan string) (tasks []graphlayout.Task) {
	for _, name := range s.PlanTasks(plan) {
		t, found := s.Task(name)
		if !found {
			continue
		}
		st, _ := s.Derived(t.Key()).(*resources.TaskStatus)
		if st == nil {
			st = &resources.TaskStatus{}
		}
		drawn := graphlayout.Task{
			Name: name, Title: cmp.Or(t.Spec.Title, name), Phase: st.Phase, Stage: t.Spec.Phase,
			Holder: s.Worker(t), Needs: resources.ComesFirst(t),
		}
		if t.Spec.TemporalGate != nil {
			drawn.Gate = t.Spec.TemporalGate.After
		}
		tasks = append(tasks, drawn)
	}
	return tasks
}
