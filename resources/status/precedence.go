package status

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// A Step is a point in the work on an object that other work can wait for: its
// completion or, if Start is true, the point at which all its prerequisites
// except its own subtasks are met.
type Step struct {
	Key   resources.Key
	Start bool
}

// Order provides the objects for Precedence.
type Order interface {
	Lookup
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
}

// An Edge leads from a step to one of its prerequisites.
type Edge struct {
	To    Step
	Field string // field that defines the prerequisite
}

// Precedence returns the direct prerequisites of a step. It defines all edges:
// dependencies, temporal gates, decisions, plans and parents, in this order. The blockers of
// a task are its unmet edges. Completed, failed and abandoned tasks and closed plans have no
// prerequisites.
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

// taskPrecedence returns the direct prerequisites of the start or the completion of a task.
func taskPrecedence(s Step, t *resources.Task, o Order) []Edge {
	state := resources.TaskState(t)
	if !LiveTask(t) || s.Start && state != resources.TaskPlanned && state != resources.TaskActive {
		return nil
	}
	var edges []Edge
	for i, name := range resources.ComesFirst(t) {
		if s.Start && isPart(name, t.Metadata.Name, taskLookup{o}) {
			continue // subtasks do not block the start of their parent
		}
		field := "spec.dependsOn"
		if i >= len(t.Spec.DependsOn) {
			field = "spec.temporalGate.after"
		}
		edges = append(edges, Edge{Step{Key: resources.Key{Kind: resources.Tasks, Name: name}}, field})
	}
	for _, name := range t.Spec.Decisions {
		edges = append(edges, Edge{Step{Key: resources.Key{Kind: resources.Decisions, Name: name}}, "spec.decisions"})
	}
	key := resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan}
	if plan, ok := o.Get(key); !ok || setAside(plan.(*resources.WorkPlan)) || len(plan.(*resources.WorkPlan).Spec.DependsOn) > 0 {
		edges = append(edges, Edge{Step{key, true}, "spec.workPlan"})
	}
	if t.Spec.Parent != "" {
		edges = append(edges, Edge{Step{resources.Key{Kind: resources.Tasks, Name: t.Spec.Parent}, true}, "spec.parent"})
	}
	return edges
}

// BlockerField returns the field of a task through which an entry of its status.blockedBy
// blocks it. It returns spec.workPlan for each plan that the task's plan waits for.
func BlockerField(t *resources.Task, entry string, v View) string {
	key := BlockerKey(entry)
	if key.Kind == resources.WorkPlans {
		return "spec.workPlan"
	}
	for _, edge := range taskPrecedence(Step{Key: t.Key()}, t, byName{v}) {
		if edge.To.Key == key {
			return edge.Field
		}
	}
	return ""
}

// planPrecedence returns the direct prerequisites of a plan: the plans that it depends on for its
// start, and in addition the tasks that may have prerequisites for its completion.
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

// setAside reports whether a plan is archived or abandoned, which blocks its tasks.
func setAside(p *resources.WorkPlan) bool {
	return p.Spec.State == resources.PlanArchived || p.Spec.State == resources.PlanAbandoned
}

// OpenPlan reports whether a plan is a draft or active.
func OpenPlan(p *resources.WorkPlan) bool {
	return p.Spec.State != resources.PlanCompleted && !setAside(p)
}

// mayWait reports whether a task has prerequisites in addition to its plan's.
func mayWait(t *resources.Task) bool {
	return LiveTask(t) && (len(t.Spec.DependsOn) > 0 || t.Spec.TemporalGate != nil || t.Spec.Parent != "")
}

// taskLookup finds tasks by name in an Order.
type taskLookup struct{ Order }

// Task returns a task by its name.
func (l taskLookup) Task(name string) (*resources.Task, bool) {
	o, _ := l.Get(resources.Key{Kind: resources.Tasks, Name: name})
	t, ok := o.(*resources.Task)
	return t, ok
}

// byName is the Order of a View. It finds no tasks of plans, which the steps of a task do
// not need.
type byName struct{ View }

// PlanTasks returns nil.
func (o byName) PlanTasks(string) []string { return nil }

// Get returns the last valid version of a task or plan.
func (o byName) Get(key resources.Key) (resources.Object, bool) {
	switch key.Kind {
	case resources.Tasks:
		if t, ok := o.Task(key.Name); ok {
			return t, true
		}
	case resources.WorkPlans:
		if p, ok := o.Plan(key.Name); ok {
			return p, true
		}
	}
	return nil, false
}

// revised is an Order with a new version of one object.
type revised struct {
	Order
	object resources.Object
}

// Get returns the new version of the revised object, or another object from the Order.
func (r revised) Get(key resources.Key) (resources.Object, bool) {
	if key == r.object.Key() {
		return r.object, true
	}
	return r.Order.Get(key)
}

// PlanTasks returns the tasks of a plan, with the revised task if its new
// version belongs to the plan, and without it otherwise.
func (r revised) PlanTasks(plan string) []string {
	names := r.Order.PlanTasks(plan)
	t, ok := r.object.(*resources.Task)
	if !ok {
		return names
	}
	switch at, found := slices.BinarySearch(names, t.Metadata.Name); {
	case t.Spec.WorkPlan == plan && !found:
		return slices.Insert(slices.Clone(names), at, t.Metadata.Name)
	case t.Spec.WorkPlan != plan && found:
		return slices.Delete(slices.Clone(names), at, at+1)
	}
	return names
}

// CycleOf returns the shortest path along Precedence from an object back to itself. It is
// empty if the object is not in a cycle. The first edge contains the field that starts the
// cycle.
func CycleOf(object resources.Object, others Order) []Edge {
	o := revised{others, object}
	for _, first := range [...]Step{{Key: object.Key()}, {Key: object.Key(), Start: true}} {
		if path := edgesBack(first, o); path != nil {
			return path
		}
	}
	return nil
}

// edgesBack returns the edges of the shortest path from a step back to itself,
// or nil.
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

// writtenCycle formats a cycle that begins and ends at an object: "a", "b (its parent)",
// "a".
func writtenCycle(self resources.Key, path []Edge) []string {
	names := []string{stepName(self, self.Kind)}
	last := self
	for _, edge := range path {
		if edge.To.Key == last && len(path) > 1 { // both steps belong to one object
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

// stepName returns the name of an object, with its kind unless that is kind.
func stepName(key resources.Key, kind string) string {
	if key.Kind == kind {
		return key.Name
	}
	k, _ := resources.KindOf(key.Kind)
	return strings.Join([]string{k.Singular, key.Name}, "/")
}
