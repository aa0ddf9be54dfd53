package graph

import (
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/digraph"
)

// Circles finds every dependency circle in a graph. edges maps a name to the
// names that it waits for; names that occur only as targets are fine. The result
// maps each name that stands in a circle to that circle: its members in the order
// in which a walk along the edges meets them, starting with the smallest name. All
// members of a circle share one slice, which must not be changed. A name that
// waits for itself is a circle of one.
//
// It takes time linear in names and edges, and does not depend on the order of maps.
func Circles(edges map[string][]string) map[string][]string {
	return newGraph(edges).circles()
}

func (g *graph) circles() map[string][]string {
	circles := map[string][]string{}
	for _, component := range digraph.Components(g.next) {
		circle := g.walk(component)
		for _, name := range circle {
			circles[name] = circle
		}
	}
	return circles
}

// CircleFinder finds the circles that objects stand in, for a reader that knows them by name
// only, and that do not change meanwhile: it looks at each object once, so that asking about
// every task of a long chain costs no more than asking about the last. The zero value is ready
// to use, by one goroutine.
type CircleFinder struct {
	known map[resources.Key][]string // of whatever was come across; nil: in no circle
}

// Find returns the circle that key stands in, as Circles does, nil if it is in none. before
// names what an object waits for; it is asked only about objects that key waits for, directly
// or not. What a known object waits for is known, and waits for nothing that is not: no circle goes through both.
func (f *CircleFinder) Find(key resources.Key, before func(resources.Key) []string) []string {
	edges := map[string][]string{}
	for todo := []string{key.Name}; len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at := resources.Key{Kind: key.Kind, Name: name}
		if _, known := f.known[at]; known {
			continue
		}
		if _, seen := edges[name]; seen {
			continue
		}
		edges[name] = before(at)
		todo = append(todo, edges[name]...)
	}
	f.learn(key.Kind, edges)
	return f.known[key]
}

func (f *CircleFinder) learn(kind string, edges map[string][]string) {
	if f.known == nil {
		f.known = make(map[resources.Key][]string, len(edges))
	}
	circles := Circles(edges)
	for name := range edges {
		f.known[resources.Key{Kind: kind, Name: name}] = circles[name]
	}
}

// graph numbers the names of a graph in sorted order, so that smaller numbers
// are smaller names.
type graph struct {
	names []string
	next  [][]int // sorted
}

func newGraph(edges map[string][]string) *graph {
	names := slices.Sorted(maps.Keys(edges))
	number := make(map[string]int, len(names))
	for i, name := range names {
		number[name] = i
	}
	g := &graph{names: names, next: make([][]int, len(names))}
	for i, name := range names {
		for _, target := range edges[name] {
			if n, ok := number[target]; ok { // others wait for nothing: in no circle
				g.next[i] = append(g.next[i], n)
			}
		}
		slices.Sort(g.next[i])
	}
	return g
}

// walk lists a component in the order of a depth-first walk from its smallest name.
func (g *graph) walk(component []int) []string {
	inside := make(map[int]bool, len(component))
	for _, node := range component {
		inside[node] = true
	}
	var names []string
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
