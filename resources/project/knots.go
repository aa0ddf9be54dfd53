package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/digraph"
	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Knot is files that all lead to one another by imports: none of them can be understood, tested
// or moved without the others.
type Knot struct {
	Files []string // sorted
	Cycle []string // a shortest one, from its smallest file; that imports the first again
	Cut   Edge     // the import whose removal frees most files; of several the first by its files
	Freed int      // how many files then stand in no knot any more
}

// Knots are those of imports that count when the program runs: neither types alone, nor dynamic
// ones, nor those of tests. The largest stand first. It takes linear time, and for each knot at
// most so much more as maxSteps allows: of one with thousands of files, Cycle and Cut are the best
// that was found by then.
func (g *Graph) Knots() (knots []Knot) {
	next := g.valueGraph()
	for _, nodes := range digraph.Components(next) {
		if len(nodes) < 2 { // a file that imports itself
			continue
		}
		if k := g.knot(next, nodes); len(k.Files) > 1 {
			knots = append(knots, k)
		}
	}
	slices.SortFunc(knots, func(a, b Knot) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Files[0], b.Files[0]))
	})
	return knots
}

// isValue reports whether an edge of a kind counts when the program is loaded.
func isValue(kind string) bool { return kind == source.ValueImport || kind == source.ReExport }

// valueGraph are the edges that count: of files to files and packages, of packages to their files.
func (g *Graph) valueGraph() [][]int {
	next := make([][]int, len(g.nodes))
	for id := range g.nodes {
		n := &g.nodes[id]
		switch {
		case n.folder && len(n.from) > 0:
			for _, member := range g.resolver.Members(n.path) {
				next[id] = append(next[id], int(g.ids[member]))
			}
		case !n.test:
			for _, l := range n.links {
				if i := n.imports[l.number]; isValue(i.Kind) && !strings.HasPrefix(i.From, resolve.ModuleDeclaration) {
					next[id] = append(next[id], int(l.to))
				}
			}
		}
	}
	return next
}

// knot describes one. Its nodes are numbered again, by their paths.
func (g *Graph) knot(next [][]int, nodes []int) (k Knot) {
	slices.SortFunc(nodes, func(a, b int) int { return cmp.Compare(g.nodes[a].path, g.nodes[b].path) })
	number := make(map[int]int, len(nodes))
	for i, node := range nodes {
		number[node] = i
		if !g.nodes[node].folder {
			k.Files = append(k.Files, g.nodes[node].path)
		}
	}
	inside := make(tangle, len(nodes))
	for i, node := range nodes {
		for _, to := range next[node] {
			if j, in := number[to]; in && j != i {
				inside[i] = append(inside[i], j)
			}
		}
		slices.Sort(inside[i])
		inside[i] = slices.Compact(inside[i])
	}
	for _, i := range inside.shortest() {
		if n := &g.nodes[nodes[i]]; !n.folder {
			k.Cycle = append(k.Cycle, n.path)
		}
	}
	from, to, freed := inside.cut(func(i int) bool { return !g.nodes[nodes[i]].folder })
	k.Freed = freed
	k.Cut = g.valueEdge(int32(nodes[from]), int32(nodes[to]))
	return k
}

// valueEdge is the first import of a file that counts and leads to a node.
func (g *Graph) valueEdge(from, to int32) Edge {
	for _, l := range g.nodes[from].links {
		if e := g.edge(from, l, g.nodes[to].path); l.to == to && isValue(e.Kind) {
			return e
		}
	}
	return Edge{}
}
