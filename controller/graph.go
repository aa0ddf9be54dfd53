package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// sameEdges reports whether a and b have the same dependencies.
func sameEdges(a, b resources.Object) bool {
	return slices.Equal(graph.ComesFirst(a), graph.ComesFirst(b))
}

// waits reports whether o is a task that is still to be done.
func waits(o resources.Object) bool {
	t, ok := o.(*resources.Task)
	return ok && status.LiveTask(t)
}

// waitState holds the properties of an object, other than its dependencies,
// that determine which steps precede it.
type waitState struct {
	parent, plan string
	live, starts bool
}

func waitStateOf(o resources.Object) waitState {
	switch o := o.(type) {
	case *resources.Task:
		state := resources.TaskState(o)
		return waitState{o.Spec.Parent, o.Spec.WorkPlan, status.LiveTask(o), state == resources.TaskPlanned || state == resources.TaskActive}
	case *resources.WorkPlan:
		return waitState{live: status.OpenPlan(o)}
	}
	return waitState{}
}

// samePrecedence reports whether the same steps precede a and b.
func samePrecedence(a, b resources.Object) bool {
	return sameEdges(a, b) && waitStateOf(a) == waitStateOf(b)
}

// takeEdged returns the objects with changed dependencies and resets the set.
func (c *cache) takeEdged() map[resources.Key]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	edged := c.edged
	c.edged = map[resources.Key]bool{}
	return edged
}

// fewEdges is the number of changed objects up to which each object is checked
// for a cycle. Above it, computing all cycles is faster.
const fewEdges = 32

// circle returns the dependency cycle that contains key, as of the last
// refreshCircles.
func (c *cache) circle(key resources.Key) []resources.Key {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.circles[key]
}

// mayTurn reports whether the changed edges may have changed any cycle: a
// changed object was part of a cycle or is part of one now.
func (c *cache) mayTurn(changed map[resources.Key]bool) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var finder graph.CircleFinder
	for key := range changed {
		if c.circles[key] != nil {
			return true
		}
		if c.leaf(key) {
			continue // typical for a new task: nothing depends on it, so no walk is needed
		}
		if finder.Find(key, func(s status.Step) []status.Step { return graph.Steps(status.Precedence(s, order{c})) }) != nil {
			return true
		}
	}
	return false
}

// leaf reports whether an object has no dependencies or no dependents. The
// caller must hold the lock.
func (c *cache) leaf(key resources.Key) bool {
	e := c.entries[key]
	if e == nil {
		return true
	}
	named := len(c.indexes[graph.IndexDependsOn][key.String()]) > 0
	switch o := e.object.(type) {
	case *resources.Task:
		plan, planned := order{c}.Get(resources.Key{Kind: resources.WorkPlans, Name: o.Spec.WorkPlan})
		behind := planned && len(c.indexes[graph.IndexDependsOn][plan.Key().String()]) > 0
		waits := len(graph.ComesFirst(o)) > 0 || o.Spec.Parent != "" || named && planned && len(plan.(*resources.WorkPlan).Spec.DependsOn) > 0
		return !waits || !named && !behind && len(c.indexes[graph.IndexParent][key.String()]) == 0
	case *resources.WorkPlan:
		return !named && len(o.Spec.DependsOn) == 0
	}
	return len(graph.ComesFirst(e.object)) == 0 || !named
}

// order adapts the cache to status.Precedence. The caller must hold the lock.
type order struct{ *cache }

// Get returns the last good version of an object.
func (o order) Get(key resources.Key) (resources.Object, bool) {
	e := o.entries[key]
	if e == nil || e.object == nil {
		return nil, false
	}
	return e.object, true
}

// PlanTasks returns the names of a plan's tasks, sorted.
func (o order) PlanTasks(plan string) []string { return o.indexes[graph.IndexPlan][plan].names() }

// refreshCircles recomputes the cycles of all tasks and plans. It returns the
// keys that joined, left or changed a cycle. It takes a few milliseconds for
// ten thousand tasks and runs only when an edge changed.
func (c *cache) refreshCircles() (changed []resources.Key) {
	before := c.circles // only the informer changes it
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
	c.circles = now
	c.mu.Unlock()
	return changed
}

// steps returns the predecessors of every step that can be part of a cycle.
func (c *cache) steps() map[status.Step][]status.Step {
	c.mu.RLock()
	defer c.mu.RUnlock()
	steps := map[status.Step][]status.Step{}
	add := func(s status.Step) {
		if before := status.Precedence(s, order{c}); len(before) > 0 {
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
