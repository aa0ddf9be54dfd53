package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func sameDependencies(a, b resources.Object) bool {
	return slices.Equal(graph.ComesFirst(a), graph.ComesFirst(b))
}

// isLiveTask reports whether o is a task that is still to be done.
func isLiveTask(o resources.Object) bool {
	t, ok := o.(*resources.Task)
	return ok && status.LiveTask(t)
}

// precedenceState holds the properties of an object, other than its dependencies,
// that determine which steps precede it.
type precedenceState struct {
	parent, plan string
	live, starts bool
}

// precedenceStateOf returns the precedenceState of a task or a plan, and the
// zero value for other objects.
func precedenceStateOf(o resources.Object) precedenceState {
	switch o := o.(type) {
	case *resources.Task:
		state := resources.TaskState(o)
		return precedenceState{o.Spec.Parent, o.Spec.WorkPlan, status.LiveTask(o), state == resources.TaskPlanned || state == resources.TaskActive}
	case *resources.WorkPlan:
		return precedenceState{live: status.OpenPlan(o)}
	}
	return precedenceState{}
}

// samePrecedence reports whether the same steps precede a and b.
func samePrecedence(a, b resources.Object) bool {
	return sameDependencies(a, b) && precedenceStateOf(a) == precedenceStateOf(b)
}

// takeChangedDependencies returns the objects with changed dependencies and resets the set.
func (c *cache) takeChangedDependencies() map[resources.Key]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	edged := c.changedDependencies
	c.changedDependencies = map[resources.Key]bool{}
	return edged
}

// maxSingleChecks is the number of changed objects up to which each object is checked
// for a cycle. Above it, computing all cycles is faster.
const maxSingleChecks = 32

// cycle returns the dependency cycle that contains key, as of the last
// refreshCycles.
func (c *cache) cycle(key resources.Key) []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.cycles[key]
}

// mayChangeCycles reports whether the changed edges may have changed any cycle: a
// changed object was part of a cycle or is part of one now.
func (c *cache) mayChangeCycles(changed map[resources.Key]bool) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var finder graph.CircleFinder
	for key := range changed {
		if c.cycles[key] != nil {
			return true
		}
		if c.isLeaf(key) {
			continue // typical for a new task: nothing depends on it, so no walk is needed
		}
		if finder.Find(key, func(s status.Step) []status.Step { return graph.Steps(status.Precedence(s, precedenceGraph{c})) }) != nil {
			return true
		}
	}
	return false
}

// isLeaf reports whether an object has no dependencies or no dependents. The
// caller must hold the lock.
func (c *cache) isLeaf(key resources.Key) bool {
	e := c.entries[key]
	if e == nil {
		return true
	}
	named := len(c.indexes[graph.IndexDependsOn][key.String()]) > 0
	switch o := e.object.(type) {
	case *resources.Task:
		plan, planned := precedenceGraph{c}.Get(resources.Key{Kind: resources.WorkPlans, Name: o.Spec.WorkPlan})
		behind := planned && len(c.indexes[graph.IndexDependsOn][plan.Key().String()]) > 0
		waits := len(graph.ComesFirst(o)) > 0 || o.Spec.Parent != "" || named && planned && len(plan.(*resources.WorkPlan).Spec.DependsOn) > 0
		return !waits || !named && !behind && len(c.indexes[graph.IndexParent][key.String()]) == 0
	case *resources.WorkPlan:
		return !named && len(o.Spec.DependsOn) == 0
	}
	return len(graph.ComesFirst(e.object)) == 0 || !named
}

// precedenceGraph adapts the cache to status.Precedence. The caller must hold the lock.
type precedenceGraph struct{ *cache }

// Get returns the last good version of an object.
func (o precedenceGraph) Get(key resources.Key) (resources.Object, bool) {
	e := o.entries[key]
	if e == nil || e.object == nil {
		return nil, false
	}
	return e.object, true
}

// PlanTasks returns the names of a plan's tasks, sorted.
func (o precedenceGraph) PlanTasks(plan string) []string {
	return o.indexes[graph.IndexPlan][plan].names()
}

// refreshCycles recomputes the cycles of all tasks and plans. It returns the
// keys that joined, left or changed a cycle. It takes a few milliseconds for
// ten thousand tasks and runs only when an edge changed.
func (c *cache) refreshCycles() (changed []resources.Key) {
	before := c.cycles // only the informer changes it
	now := graph.Cycles(c.steps())
	for key, circle := range now {
		if !slices.Equal(before[key], circle) {
			changed = append(changed, key)
		}
	}
	for key := range before {
		if now[key] == nil {
			changed = append(changed, key)
		}
	}
	slices.SortFunc(changed, resources.Key.Compare)
	c.mu.Lock()
	c.cycles = now
	c.mu.Unlock()
	return changed
}

// steps returns the predecessors of every step that can be part of a cycle.
func (c *cache) steps() map[status.Step][]status.Step {
	c.mu.RLock()
	defer c.mu.RUnlock()
	steps := map[status.Step][]status.Step{}
	add := func(s status.Step) {
		if before := status.Precedence(s, precedenceGraph{c}); len(before) > 0 {
			steps[s] = graph.Steps(before)
		}
	}
	for _, e := range c.indexes[indexKind][resources.Tasks] {
		add(status.Step{Key: e.key})
		if len(c.indexes[graph.IndexParent][e.key.String()]) > 0 {
			add(status.Step{Key: e.key, Start: true})
		}
	}
	for _, e := range c.indexes[indexKind][resources.WorkPlans] {
		add(status.Step{Key: e.key, Start: true})
		if len(c.indexes[graph.IndexDependsOn][e.key.String()]) > 0 {
			add(status.Step{Key: e.key})
		}
	}
	return steps
}
