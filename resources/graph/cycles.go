package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/scc"
	"github.com/idumb-dev/idumb/resources/status"
)

// CyclesOf finds the cycles of a dependency graph. edges maps a name to its dependencies; a
// dependency need not be a key of edges. The result maps each name in a cycle to its cycle:
// a strongly connected component in depth-first order, starting with the smallest name. All
// members of a cycle share one slice, which must not be modified. A name that depends on
// itself is a cycle with one member.
//
// The running time is linear in names and edges. The result does not depend on the order of
// maps.
func CyclesOf(edges map[string][]string) map[string][]string {
	return newGraph(edges, strings.Compare).circles()
}

// circles returns for each node in a cycle the nodes of its component, in the order of walk.
// Nodes of one component share the list.
func (g *graph[K]) circles() map[K][]K {
	circles := map[K][]K{}
	for _, component := range scc.Components(g.next) {
		circle := g.walk(component)
		for _, name := range circle {
			circles[name] = circle
		}
	}
	return circles
}

// Steps returns the targets of edges of status.Precedence.
func Steps(edges []status.Edge) []status.Step {
	if len(edges) == 0 {
		return nil
	}
	steps := make([]status.Step, len(edges))
	for i := range edges {
		steps[i] = edges[i].To
	}
	return steps
}

// Cycles finds the cycles of steps and maps each object in a cycle to the
// objects of its cycle. If the start and the completion of an object are in
// different cycles, it returns the cycle of the completion.
func Cycles(edges map[status.Step][]status.Step) map[resources.Key][]resources.Key {
	cycles := map[resources.Key][]resources.Key{}
	for step, cycle := range stepCycles(edges) {
		if _, known := cycles[step.Key]; !known || !step.Start {
			cycles[step.Key] = cycle
		}
	}
	return cycles
}

// stepCycles maps each step in a cycle to the objects of its cycle, without
// adjacent duplicates.
func stepCycles(edges map[status.Step][]status.Step) map[status.Step][]resources.Key {
	cycles := map[status.Step][]resources.Key{}
	for step, cycle := range newGraph(edges, compareSteps).circles() {
		if cycles[step] != nil {
			continue
		}
		var keys []resources.Key
		for _, member := range cycle {
			if !slices.Contains(keys[max(0, len(keys)-1):], member.Key) {
				keys = append(keys, member.Key)
			}
		}
		for _, member := range cycle {
			cycles[member] = keys
		}
	}
	return cycles
}

// compareSteps orders steps by object, and the completion of an object before its start.
func compareSteps(a, b status.Step) int {
	switch {
	case a.Key != b.Key:
		return a.Key.Compare(b.Key)
	case a.Start == b.Start:
		return 0
	case a.Start:
		return 1
	}
	return -1
}

// CircleFinder finds the cycle that contains an object, for readers that look up objects by
// name. The objects must not change. It visits each step once, so that looking up every
// task of a long chain takes linear time. The zero value is ready for use. It is not safe
// for concurrent use.
type CircleFinder struct {
	cycles map[status.Step][]resources.Key // cycles of all visited steps; nil if a step is in no cycle
}

// Find returns the cycle that contains key, as Cycles does, or nil. before returns the
// direct prerequisites of a step. It is only called for direct and indirect prerequisites
// of key. All prerequisites of a visited step are visited too, so no cycle contains both
// visited and new steps.
func (f *CircleFinder) Find(key resources.Key, before func(status.Step) []status.Step) []resources.Key {
	done, start := status.Step{Key: key}, status.Step{Key: key, Start: true}
	edges := map[status.Step][]status.Step{}
	for todo := []status.Step{start, done}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, known := f.cycles[at]; known {
			continue
		}
		if _, seen := edges[at]; seen {
			continue
		}
		edges[at] = before(at)
		todo = append(todo, edges[at]...)
	}
	if len(edges) > 0 {
		if f.cycles == nil {
			f.cycles = make(map[status.Step][]resources.Key, len(edges))
		}
		cycles := stepCycles(edges)
		for step := range edges {
			f.cycles[step] = cycles[step]
		}
	}
	if cycle := f.cycles[done]; cycle != nil {
		return cycle
	}
	return f.cycles[start]
}

// graph numbers the nodes of a graph in sorted order.
type graph[K comparable] struct {
	names []K
	next  [][]int // sorted
}

// newGraph returns the graph of the edges with numbered nodes. It omits targets without edges of
// their own.
func newGraph[K comparable](edges map[K][]K, compare func(a, b K) int) *graph[K] {
	names := slices.SortedFunc(maps.Keys(edges), compare)
	number := make(map[K]int, len(names))
	for i, name := range names {
		number[name] = i
	}
	g := &graph[K]{names: names, next: make([][]int, len(names))}
	for i, name := range names {
		for _, target := range edges[name] {
			if n, ok := number[target]; ok { // a target without edges is in no cycle
				g.next[i] = append(g.next[i], n)
			}
		}
		slices.Sort(g.next[i])
	}
	return g
}

// walk lists a component in depth-first order, starting with its smallest node.
func (g *graph[K]) walk(component []int) []K {
	inside := make(map[int]bool, len(component))
	for _, node := range component {
		inside[node] = true
	}
	var names []K
	for todo := []int{slices.Min(component)}; len(todo) > 0; {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !inside[node] {
			continue
		}
		inside[node] = false
		names = append(names, g.names[node])
		for _, target := range slices.Backward(g.next[node]) {
			todo = append(todo, target)
		}
	}
	return names
}
