package graph

import (
	"iter"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// PlanTasks returns the names of a plan's tasks, sorted.
func (g *Graph) PlanTasks(plan string) []string {
	return g.lookupNames(resources.Tasks, IndexPlan, plan)
}

// ActiveTasks returns the names of the tasks with spec.state active, sorted.
func (g *Graph) ActiveTasks() []string {
	return g.lookupNames(resources.Tasks, IndexState, resources.TaskActive)
}

// FileTasks returns the sorted names of the open tasks that name a file. It may return
// further tasks.
func (g *Graph) FileTasks(file string) []string {
	return g.Naming(resources.Tasks, file)
}

// Naming returns the sorted names of the objects of a kind that name a file. It
// may return further objects. It considers the globs of open tasks, the
// evidence, spec.appliesWhen and text of mems, and IndexSource for other kinds.
func (g *Graph) Naming(kind, file string) []string {
	names, _ := g.reader.Mentioning(kind, termsNaming(kind, file)...)
	return names
}

// PlanCounts returns the number of a plan's tasks by phase.
func (g *Graph) PlanCounts(plan string) map[string]int {
	if g.live != nil {
		return g.live.PlanCounts(plan)
	}
	counts, _ := g.tally(plan, g.derive)
	return counts
}

// derive computes the status of a task without the phases of the tasks in other plans.
func (g *Graph) derive(t *resources.Task) resources.TaskStatus {
	st, _ := status.DeriveTask(t, settledGraph{g})
	return st
}

// tally counts a plan's tasks by phase, and returns the ready tasks. A task with a broken
// file counts as invalid.
func (g *Graph) tally(plan string, derive func(*resources.Task) resources.TaskStatus) (counts map[string]int, ready []*resources.Task) {
	counts = map[string]int{}
	for _, name := range g.PlanTasks(plan) {
		o, state := g.reader.Get(resources.Key{Kind: resources.Tasks, Name: name})
		t, ok := o.(*resources.Task)
		if !ok {
			continue
		}
		st := derive(t)
		if st.Ready {
			ready = append(ready, t)
		}
		if state == Broken {
			st.Phase = resources.PhaseInvalid
		}
		counts[st.Phase]++
	}
	return counts, ready
}

// settledGraph is a Graph whose plan counts do not depend on other tasks: it counts completed
// and abandoned tasks, and all other tasks under "". status.TasksDone needs no more for the
// plans that a task waits for. Exact counts would require the phases of those plans' tasks,
// and so on recursively.
type settledGraph struct{ *Graph }

// PlanCounts counts completed, abandoned and other tasks.
func (s settledGraph) PlanCounts(plan string) map[string]int { return s.settledCounts(plan) }

// settledCounts returns the counts of settledGraph. Over a Live reader they are
// the exact counts.
func (g *Graph) settledCounts(plan string) map[string]int {
	if g.live != nil {
		return g.live.PlanCounts(plan)
	}
	counts, _ := g.tally(plan, func(t *resources.Task) (st resources.TaskStatus) {
		if t.Spec.State == resources.TaskAbandoned || status.TaskDone(t, g.Evidence(t.Metadata.Name)) {
			st.Phase = t.Spec.State
		}
		return st
	})
	return counts
}

// ActivePlans returns the sorted names of the plans with spec.state active that are not
// done. A plan without a readable version counts as active. So does a plan with an
// unreadable task. Otherwise damaging a file would disable the gate.
func (g *Graph) ActivePlans() []string {
	var active []string
	for _, name := range g.Names(resources.WorkPlans) {
		o, state := g.reader.Get(resources.Key{Kind: resources.WorkPlans, Name: name})
		p, ok := o.(*resources.WorkPlan)
		if !ok && state == Broken || ok && p.Spec.State == resources.PlanActive && !g.tasksDone(name) {
			active = append(active, name)
		}
	}
	return active
}

// tasksDone reports whether all tasks of a plan are done. For most plans, one open
// spec.state decides without deriving a status. Counts of a Live reader may be slightly out
// of date: it trusts an open plan, but verifies a completed one.
func (g *Graph) tasksDone(plan string) bool {
	if g.live != nil && !status.TasksDone(g.live.PlanCounts(plan)) {
		return false
	}
	names, _ := g.reader.Mentioning(resources.Tasks, Term{IndexPlan, plan})
	for _, name := range names {
		o, state := g.reader.Get(resources.Key{Kind: resources.Tasks, Name: name})
		t, ok := o.(*resources.Task)
		if !ok && state == Broken || ok && t.Spec.WorkPlan == plan && t.Spec.State != resources.TaskCompleted && t.Spec.State != resources.TaskAbandoned {
			return false
		}
	}
	return status.TasksDone(g.PlanCounts(plan))
}

// readyStep is the number of tasks that ReadyTasks ranks first, because most callers need
// only one.
const readyStep = 8

// ReadyTasks yields the names of the tasks that can be started, in the order of
// status.NextTasks.
func (g *Graph) ReadyTasks() iter.Seq[string] {
	return func(yield func(string) bool) {
		v := &ranking{Wide: Wide{g}}
		for limit, seen := readyStep, 0; ; limit *= 4 {
			next := status.NextTasks(v, limit)
			for _, n := range next[min(seen, len(next)):] {
				if name := n.Task.Metadata.Name; g.ready(name) && !yield(name) {
					return
				}
			}
			if len(next) < limit {
				return
			}
			seen = limit
		}
	}
}

// ranking is a Wide that caches ready tasks and dependents if its Reader has no index for
// them.
type ranking struct {
	Wide
	open       map[string][]*resources.Task // ready tasks by plan
	dependents map[resources.Key][]resources.Key
}

// PlanReady returns the ready tasks of a plan with a priority rank, sorted by name.
func (r *ranking) PlanReady(plan string, rank int) []status.ReadyTask {
	if r.live != nil {
		return r.live.PlanReady(plan, rank)
	}
	tasks, known := r.open[plan]
	if !known {
		for _, t := range objects[*resources.Task](r.Graph, resources.Tasks, r.PlanTasks(plan)) {
			if status.LiveTask(t) && r.ready(t.Metadata.Name) {
				tasks = append(tasks, t)
			}
		}
		if r.open == nil {
			r.open = map[string][]*resources.Task{}
		}
		r.open[plan] = tasks
	}
	return ofRank(tasks, rank, r)
}

// Dependents returns the tasks that wait for a task, sorted by name.
func (r *ranking) Dependents(key resources.Key) []resources.Key {
	if r.dependents == nil {
		if names, exact := r.reader.Mentioning(key.Kind, Term{IndexDependsOn, key.String()}); exact {
			return keysOf(key.Kind, names)
		}
		r.dependents = map[resources.Key][]resources.Key{}
		waiting, _ := r.reader.Mentioning(key.Kind, Term{Value: "dependsOn"}, Term{Value: "temporalGate"})
		for _, t := range objects[*resources.Task](r.Graph, key.Kind, waiting) {
			for _, first := range resources.ComesFirst(t) {
				before := resources.Key{Kind: key.Kind, Name: first}
				r.dependents[before] = append(r.dependents[before], t.Key())
			}
		}
	}
	return slices.Clone(r.dependents[key])
}

// ready reports whether a task can be started and is not planned ahead.
func (g *Graph) ready(name string) bool {
	t, ok := g.Task(name)
	if !ok || t.Spec.PlanAhead {
		return false
	}
	st, _ := status.DeriveTask(t, g)
	return st.Ready
}

// Offered reports whether the file of a task exists and is valid.
func (g *Graph) Offered(t *resources.Task) bool {
	_, state := g.reader.Get(t.Key())
	return state == Good
}

// FreedBy returns the tasks that waited for a task and can be started now, at most most
// tasks.
func (g *Graph) FreedBy(task string, most int) []string {
	freed := slices.DeleteFunc(slices.Clone(g.lookupNames(resources.Tasks, IndexDependsOn, keyText(resources.Tasks, task))), func(name string) bool { return !g.ready(name) })
	return freed[:min(most, len(freed))]
}
