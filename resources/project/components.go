package project

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/scc"
)

// component is a strongly connected graph: for each node, its sorted successors.
type component [][]int

// maxSteps limits the visited nodes and edges in the search for the shortest cycle, and
// again in the search for the cut. It corresponds to about a tenth of a second.
const maxSteps = 10_000_000

// shortest returns a shortest cycle, starting with its smallest node. It may not be the
// shortest one after maxSteps.
func (t component) shortest() (cycle []int) {
	steps := maxSteps
	for start := 0; start < len(t) && len(cycle) != 2 && steps > 0; start++ {
		if found := t.cycleFrom(start, len(cycle), &steps); found != nil {
			cycle = found
		}
	}
	if cycle == nil {
		return nil
	}
	least := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[least:], cycle[:least])
}

// cycleFrom returns a shortest cycle through a node that is shorter than most (0 means any
// length).
func (t component) cycleFrom(start, most int, steps *int) []int {
	before := map[int]int{start: -1}
	level := []int{start}
	for length := 1; len(level) > 0 && (most == 0 || length < most); length++ {
		var deeper []int
		for _, node := range level {
			*steps -= 1 + len(t[node])
			for _, to := range t[node] {
				if to == start {
					var way []int
					for ; node >= 0; node = before[node] {
						way = append(way, node)
					}
					slices.Reverse(way)
					return way
				}
				if _, seen := before[to]; !seen {
					before[to] = node
					deeper = append(deeper, to)
				}
			}
		}
		level = deeper
	}
	return nil
}

// cut returns the edge whose removal takes most nodes out of all cycles, and
// the number of those nodes. It only considers edges from nodes for which may
// returns true, and counts only such nodes. It returns -1 for all three if
// there is no such edge.
func (t component) cut(may func(node int) bool) (from, to, freed int) {
	from, to, freed = -1, -1, -1
	steps, size := maxSteps, len(t)
	for _, next := range t {
		size += len(next)
	}
	for _, e := range t.trees() {
		if !may(e[0]) {
			continue
		}
		if steps -= size; steps < 0 && freed >= 0 {
			break
		}
		if n := t.freeNodes(e, may); n > freed {
			from, to, freed = e[0], e[1], n
		}
	}
	return from, to, freed
}

// freeNodes returns the number of nodes for which may returns true and that are
// in no cycle after an edge is removed. It puts the edge back.
func (t component) freeNodes(e [2]int, may func(node int) bool) (free int) {
	kept := t[e[0]]
	t[e[0]] = slices.DeleteFunc(slices.Clone(kept), func(to int) bool { return to == e[1] })
	defer func() { t[e[0]] = kept }()
	for node := range t {
		if may(node) {
			free++
		}
	}
	for _, component := range scc.Components(t) {
		for _, node := range component {
			if may(node) {
				free--
			}
		}
	}
	return free
}

// trees returns the sorted edges of two spanning trees: from the first node to all nodes,
// and from all nodes to the first one. The graph stays strongly connected without any other
// edge, so only these edges are candidates for a cut.
func (t component) trees() (edges [][2]int) {
	edges = t.reach()
	for _, e := range t.reversed().reach() {
		edges = append(edges, [2]int{e[1], e[0]})
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(edges)
}

// reach returns the edges of a breadth-first spanning tree from the first node.
func (t component) reach() (edges [][2]int) {
	seen := make([]bool, len(t))
	seen[0] = true
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		for _, to := range t[todo[0]] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
				edges = append(edges, [2]int{todo[0], to})
			}
		}
	}
	return edges
}

// reversed returns the graph with all edges reversed.
func (t component) reversed() component {
	back := make(component, len(t))
	for node, next := range t {
		for _, to := range next {
			back[to] = append(back[to], node)
		}
	}
	return back
}
