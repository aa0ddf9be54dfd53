package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// sameEdges reports whether both wait for the same others.
func sameEdges(a, b resources.Object) bool {
	return slices.Equal(graph.ComesFirst(a), graph.ComesFirst(b))
}

// waits reports whether it is a task that is to be done.
func waits(o resources.Object) bool {
	t, ok := o.(*resources.Task)
	return ok && status.LiveTask(t)
}

// takeEdged returns the objects whose dependencies changed since it was last asked.
func (c *cache) takeEdged() map[resources.Key]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	edged := c.edged
	c.edged = map[resources.Key]bool{}
	return edged
}

// fewEdges is of how many objects it is asked one by one whether they stand in a circle;
// of more it takes less time to look for all circles.
const fewEdges = 32

// circle returns the circle that key stands in, as of the last refreshCircles.
func (c *cache) circle(key resources.Key) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.circles[key]
}

// mayTurn reports whether circles may be others since the edges of these objects changed:
// one of them stood in one, or stands in one now.
func (c *cache) mayTurn(changed map[resources.Key]bool) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var finder graph.CircleFinder
	for key := range changed {
		if c.circles[key] != nil {
			return true
		}
		if len(c.waitsFor(key)) == 0 || len(c.indexes[graph.IndexDependsOn][key.String()]) == 0 {
			continue // as of a new task, most often: nothing waits for it, and no walk is needed
		}
		if finder.Find(key, c.waitsFor) != nil {
			return true
		}
	}
	return false
}

// waitsFor names the objects of its own kind that one waits for. The lock is held.
func (c *cache) waitsFor(key resources.Key) []string {
	if e := c.entries[key]; e != nil {
		return graph.ComesFirst(e.object)
	}
	return nil
}

// refreshCircles computes the circles of all tasks and of all plans again and
// returns the keys of those that came into one, out of one, or into another one.
// It takes a few milliseconds at ten thousand tasks, and is done only when an edge
// changed.
func (c *cache) refreshCircles() (changed []resources.Key) {
	before := c.circles // only the informer changes it
	now := map[resources.Key][]string{}
	for _, kind := range []string{resources.Tasks, resources.WorkPlans} {
		for name, circle := range graph.Circles(c.graphOf(kind)) {
			now[resources.Key{Kind: kind, Name: name}] = circle
		}
	}
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

// graphOf returns who waits for whom among the objects of a kind.
func (c *cache) graphOf(kind string) map[string][]string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	edges := map[string][]string{}
	for _, e := range c.indexes[indexKind][kind] {
		if names := graph.ComesFirst(e.object); len(names) > 0 {
			edges[e.key.Name] = names
		}
	}
	return edges
}
