package status

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// A Step is a point in the work on an object that other work waits for: that the object is done,
// or, if Start is set, that nothing but its own parts keeps it from being started.
type Step struct {
	Key   resources.Key
	Start bool
}

// Order gives the objects between which "comes before" is defined.
type Order interface {
	Lookup
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
}

// An Edge leads from one step to a step that has to come first.
type Edge struct {
	To    Step
	Field string // the field that says so
}

// Precedence returns the steps that have to come before a step. It is the one definition of
// "comes before", with all kinds of edges: dependencies, temporal gates, parents and plans.
// Blockers follow the same edges one at a time. Tasks that are completed, failed or abandoned
// and plans that are closed wait for nothing.
func Precedence(s Step, o Order) []Edge {
	object, found := o.Get(s.Key)
	if !found {
		return nil
	}
	switch object := object.(type) {
	case *resources.Task:
		return taskPrecedence(s, object, o)
	case *resources.WorkPlan:
		return planPrecedence(s, object, o)
	case *resources.Decision:
		var edges []Edge
		for _, name := range resources.DecisionsBefore(object) {
			edges = append(edges, Edge{Step{Key: resources.Key{Kind: resources.Decisions, Name: name}}, "spec.dependsOn"})
		}
		return edges
	}
	return nil
}

func taskPrecedence(s Step, t *resources.Task, o Order) []Edge {
	state := resources.TaskState(t)
	if !LiveTask(t) || s.Start && state != resources.TaskPlanned && state != resources.TaskActive {
		return nil
	}
	var edges []Edge
	for i, name := range resources.ComesFirst(t) {
		if s.Start && isPart(name, t.Metadata.Name, taskLookup{o}) {
			continue // a parent that waits for its parts does not block them
		}
		field := "spec.dependsOn"
		if i >= len(t.Spec.DependsOn) {
			field = "spec.temporalGate.after"
		}
		edges = append(edges, Edge{Step{Key: resources.Key{Kind: resources.Tasks, Name: name}}, field})
	}
	if t.Spec.Parent != "" {
		edges = append(edges, Edge{Step{resources.Key{Kind: resources.Tasks, Name: t.Spec.Parent}, true}, "spec.parent"})
	}
	if plan, ok := o.Get(resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan}); ok && len(plan.(*resources.WorkPlan).Spec.DependsOn) > 0 {
		edges = append(edges, Edge{Step{plan.Key(), true}, "spec.workPlan"})
	}
	return edges
}

func planPrecedence(s Step, p *resources.WorkPlan, o Order) []Edge {
	if !OpenPlan(p) {
		return nil
	}
	var edges []Edge
	if s.Start {
		for _, name := range p.Spec.DependsOn {
			edges = append(edges, Edge{Step{Key: resources.Key{Kind: resources.WorkPlans, Name: name}}, "spec.dependsOn"})
		}
		return edges
	}
	if len(p.Spec.DependsOn) > 0 {
		edges = append(edges, Edge{Step{s.Key, true}, ""})
	}
	for _, name := range o.PlanTasks(p.Metadata.Name) {
		key := resources.Key{Kind: resources.Tasks, Name: name}
		if t, ok := o.Get(key); ok && mayWait(t.(*resources.Task)) {
			edges = append(edges, Edge{Step{Key: key}, ""})
		}
	}
	return edges
}

// OpenPlan reports whether a plan is a draft or active.
func OpenPlan(p *resources.WorkPlan) bool {
	switch p.Spec.State {
	case resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned:
		return false
	}
	return true
}

// mayWait reports whether a task waits for anything that its plan does not wait for as well.
func mayWait(t *resources.Task) bool {
	return LiveTask(t) && (len(t.Spec.DependsOn) > 0 || t.Spec.TemporalGate != nil || t.Spec.Parent != "")
}

// taskLookup finds tasks by name in an Order.
type taskLookup struct{ Order }

func (l taskLookup) Task(name string) (*resources.Task, bool) {
	o, _ := l.Get(resources.Key{Kind: resources.Tasks, Name: name})
	t, ok := o.(*resources.Task)
	return t, ok
}

// revised is an Order in which one object is about to be written.
type revised struct {
	Order
	object resources.Object
}

func (r revised) Get(key resources.Key) (resources.Object, bool) {
	if key == r.object.Key() {
		return r.object, true
	}
	return r.Order.Get(key)
}

func (r revised) PlanTasks(plan string) []string {
	names := r.Order.PlanTasks(plan)
	t, ok := r.object.(*resources.Task)
	if !ok {
		return names
	}
	at, found := slices.BinarySearch(names, t.Metadata.Name)
	switch {
	case t.Spec.WorkPlan == plan && !found:
		return slices.Insert(slices.Clone(names), at, t.Metadata.Name)
	case t.Spec.WorkPlan != plan && found:
		return slices.Delete(slices.Clone(names), at, at+1)
	}
	return names
}

// CycleOf returns the shortest way along Precedence from an object back to it, empty if there is none.
// The first edge has the field by which the object is in the cycle.
func CycleOf(object resources.Object, others Order) []Edge {
	o := revised{others, object}
	for _, first := range [...]Step{{Key: object.Key()}, {Key: object.Key(), Start: true}} {
		if path := edgesBack(first, o); path != nil {
			return path
		}
	}
	return nil
}

// edgesBack is a breadth-first search from a step back to it.
func edgesBack(first Step, o Order) []Edge {
	type arrival struct {
		from Step
		edge Edge
	}
	arrived := map[Step]arrival{}
	for queue := []Step{first}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		for _, edge := range Precedence(at, o) {
			if _, seen := arrived[edge.To]; seen {
				continue
			}
			arrived[edge.To] = arrival{at, edge}
			if edge.To == first {
				var path []Edge
				for step := first; ; {
					a := arrived[step]
					path = append(path, a.edge)
					if step = a.from; step == first {
						slices.Reverse(path)
						return path
					}
				}
			}
			queue = append(queue, edge.To)
		}
	}
	return nil
}

// writtenCycle writes a cycle that begins and ends at an object, as "a -> b (its parent) -> a".
func writtenCycle(self resources.Key, path []Edge) []string {
	names := []string{stepName(self, self.Kind)}
	last := self
	for _, edge := range path {
		if edge.To.Key == last && len(path) > 1 { // both steps of one object
			continue
		}
		last = edge.To.Key
		name := stepName(last, self.Kind)
		switch edge.Field {
		case "spec.parent":
			name += " (its parent)"
		case "spec.workPlan":
			name += " (its plan)"
		}
		names = append(names, name)
	}
	return names
}

// stepName names an object, with its kind if that is not the kind that is spoken of.
func stepName(key resources.Key, kind string) string {
	if key.Kind == kind {
		return key.Name
	}
	k, _ := resources.KindOf(key.Kind)
	return strings.Join([]string{k.Singular, key.Name}, "/")
}
