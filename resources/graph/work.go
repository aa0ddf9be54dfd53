package graph

import (
	"iter"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// PlanTasks returns the names of a plan's tasks, sorted.
func (g *Graph) PlanTasks(plan string) []string { return g.found(resources.Tasks, IndexPlan, plan) }

// ActiveTasks returns the names of the tasks with spec.state active, sorted.
func (g *Graph) ActiveTasks() []string {
	return g.found(resources.Tasks, IndexState, resources.TaskActive)
}

// FileTasks returns the names of the open tasks that name a file, sorted, and perhaps some more.
func (g *Graph) FileTasks(file string) []string {
	return g.Naming(resources.Tasks, file)
}

// Naming returns the names of the objects of a kind that name a file, sorted, and perhaps some more:
// open tasks by their globs, mems by what they cite, apply to and say, anchors by their source.
func (g *Graph) Naming(kind, file string) []string {
	names, _ := g.reader.Mentioning(kind, termsNaming(kind, file)...)
	return names
}

// PlanCounts returns how many of a plan's tasks stand in each phase.
func (g *Graph) PlanCounts(plan string) map[string]int {
	if g.live != nil {
		return g.live.PlanCounts(plan)
	}
	counts, _ := g.tally(plan, g.derive)
	return counts
}

func (g *Graph) derive(t *resources.Task) resources.TaskStatus {
	st, _ := status.DeriveTask(t, settled{g})
	return st
}

// tally sums up the statuses of a plan's tasks: how many stand in each phase, and which are
// ready. One whose file is broken is invalid.
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

// settled is a Graph that, of a plan's tasks, counts only what does not depend on other tasks:
// which are completed or abandoned. That is all that status.TasksDone needs of the plans that
// a task waits for; exact counts would need the phases of those plans' tasks, and so on. The
// others are counted under "".
type settled struct{ *Graph }

// PlanCounts counts completed, abandoned and other tasks.
func (s settled) PlanCounts(plan string) map[string]int { return s.settledCounts(plan) }

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

// ActivePlans returns the names of the plans that are being worked on: spec.state active, and
// not all of their tasks completed. Sorted. One that cannot be read, and of which no good
// version is known, may be, and one with such a task: breaking a file must not open the gate.
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

// tasksDone derives no more tasks than it has to: one that nobody claims to be completed or
// abandoned settles it, and most plans have one. Counts that a Live reader keeps may be a moment
// behind: that a plan is open is believed, that it is done is looked up.
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

// ReadyTasks yields the names of the tasks that may be started, best first: those of the plan in focus before
// all others.
func (g *Graph) ReadyTasks() iter.Seq[string] {
	return func(yield func(string) bool) {
		plans := g.ActivePlans()
		if head := g.Trajectory(); head != nil {
			if i := slices.Index(plans, head.Spec.ActivePlan); i >= 0 {
				if !g.readyOf(plans[i:i+1], yield) {
					return
				}
				plans = slices.Delete(plans, i, i+1)
			}
		}
		g.readyOf(plans, yield)
	}
}

// readyOf yields the tasks of some plans that may be started, best first. It reports whether more are wanted.
func (g *Graph) readyOf(plans []string, yield func(string) bool) bool {
	ranks := [resources.PriorityRanks][]string{}
	if g.live == nil {
		for _, plan := range plans {
			for _, t := range objects[*resources.Task](g, resources.Tasks, g.PlanTasks(plan)) {
				rank := resources.PriorityRank(t.Spec.Priority)
				ranks[rank] = append(ranks[rank], t.Metadata.Name)
			}
		}
	}
	for rank, names := range ranks {
		if g.live != nil {
			var ready []status.ReadyTask
			for _, plan := range plans {
				ready = append(ready, g.live.PlanReady(plan, rank)...)
			}
			status.SortReady(ready)
			for _, t := range ready {
				names = append(names, t.Task.Metadata.Name)
			}
		}
		for _, name := range names {
			if g.ready(name) && !yield(name) {
				return false
			}
		}
	}
	return true
}

// ready reports whether a task may be started.
func (g *Graph) ready(name string) bool {
	t, ok := g.Task(name)
	if !ok || t.Spec.PlanAhead {
		return false
	}
	st, _ := status.DeriveTask(t, g)
	return st.Ready
}

// Offered reports whether the file of a task is there and can be read.
func (g *Graph) Offered(t *resources.Task) bool {
	_, state := g.reader.Get(t.Key())
	return state == Good
}

// FreedBy returns the tasks that waited for that one and may be started now, at most that many.
func (g *Graph) FreedBy(task string, most int) []string {
	freed := slices.DeleteFunc(slices.Clone(g.found(resources.Tasks, IndexDependsOn, keyText(resources.Tasks, task))), func(name string) bool { return !g.ready(name) })
	return freed[:min(most, len(freed))]
}
