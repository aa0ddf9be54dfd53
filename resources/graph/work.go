package graph

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxReady is how many ready tasks are looked for.
const maxReady = 10

// PlanTasks returns the names of a plan's tasks, sorted.
func (g *Graph) PlanTasks(plan string) []string {
	if g.indexed != nil {
		return g.indexed.PlanTasks(plan)
	}
	return g.Tasks(g.reader.Mentioning(resources.Tasks, plan), func(t *resources.Task) bool { return t.Spec.WorkPlan == plan })
}

// Tasks returns those of the names that are tasks and pass, sorted.
func (g *Graph) Tasks(names []string, passes func(*resources.Task) bool) []string {
	var kept []string
	for _, name := range names {
		if t, ok := g.Task(name); ok && passes(t) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return kept
}

// PlanCounts returns how many of a plan's tasks stand in each phase.
func (g *Graph) PlanCounts(plan string) map[string]int {
	if g.indexed != nil {
		return g.indexed.PlanCounts(plan)
	}
	counts := map[string]int{}
	for _, name := range g.PlanTasks(plan) {
		if t, ok := g.Task(name); ok {
			status, _ := status.DeriveTask(t, g)
			counts[status.Phase]++
		}
	}
	return counts
}

// ActivePlans returns the names of the plans that are being worked on: spec.state active, and
// not all of their tasks completed. Sorted. One that cannot be read, and of which no good
// version is known, may be: breaking a file must not open the gate.
func (g *Graph) ActivePlans() []string {
	var active []string
	for _, name := range g.Names(resources.WorkPlans) {
		o, broken := g.reader.Get(resources.Key{Kind: resources.WorkPlans, Name: name})
		p, ok := o.(*resources.WorkPlan)
		if !ok && broken || ok && p.Spec.State == resources.PlanActive && !g.planDone(name) {
			active = append(active, name)
		}
	}
	return active
}

// planDone derives no more tasks than it has to: one that nobody claims to be completed or
// abandoned settles it, and most plans have one. Counts that an index keeps may be a moment
// behind: that a plan is open is believed, that it is done is looked up.
func (g *Graph) planDone(plan string) bool {
	if g.indexed != nil && !status.PlanDone(g.indexed.PlanCounts(plan)) {
		return false
	}
	for _, name := range g.PlanTasks(plan) {
		if t, ok := g.Task(name); ok && t.Spec.State != resources.TaskCompleted && t.Spec.State != resources.TaskAbandoned {
			return false
		}
	}
	return status.PlanDone(g.PlanCounts(plan))
}

// ActiveTasks returns the names of the tasks with spec.state active, sorted.
func (g *Graph) ActiveTasks() []string {
	if g.indexed != nil {
		return g.indexed.TasksInState(resources.TaskActive)
	}
	return g.Tasks(g.reader.Mentioning(resources.Tasks, resources.TaskActive), func(t *resources.Task) bool { return t.Spec.State == resources.TaskActive })
}

// ReadyTasks returns the tasks that may be started, best first, ten at most.
func (g *Graph) ReadyTasks() []string {
	ranks := map[int][]string{}
	for _, plan := range g.ActivePlans() {
		names := g.PlanTasks
		if g.indexed != nil {
			names = g.indexed.PlanReady
		}
		for _, name := range names(plan) {
			if t, ok := g.Task(name); ok {
				rank := resources.PriorityRank(t.Spec.Priority)
				ranks[rank] = append(ranks[rank], name)
			}
		}
	}
	var ready []string
	for _, rank := range sortedKeys(ranks) {
		ready = append(ready, g.Ready(ranks[rank], maxReady-len(ready))...)
	}
	return ready
}

func sortedKeys(ranks map[int][]string) []int {
	var keys []int
	for rank := range ranks {
		keys = append(keys, rank)
	}
	slices.Sort(keys)
	return keys
}

// Ready returns those of the tasks that may be started, in the order given, at most that many.
func (g *Graph) Ready(names []string, most int) []string {
	var ready []string
	for _, name := range names {
		if len(ready) >= most {
			break
		}
		t, ok := g.Task(name)
		if !ok || t.Spec.PlanAhead {
			continue
		}
		if status, _ := status.DeriveTask(t, g); status.Ready {
			ready = append(ready, name)
		}
	}
	return ready
}

// FreedBy returns the tasks that waited for that one and may be started now, at most that many.
func (g *Graph) FreedBy(task string, most int) []string {
	return g.Ready(g.dependents(task), most)
}

// dependents returns the tasks that wait for that one by name, sorted.
func (g *Graph) dependents(task string) []string {
	if g.indexed == nil {
		return g.Tasks(g.reader.Mentioning(resources.Tasks, task), func(t *resources.Task) bool {
			return slices.Contains(t.Spec.DependsOn, task) || t.Spec.TemporalGate != nil && t.Spec.TemporalGate.After == task
		})
	}
	var names []string
	for _, key := range g.indexed.Dependents(resources.Key{Kind: resources.Tasks, Name: task}) {
		names = append(names, key.Name)
	}
	return names
}
