package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/scc"
	"github.com/idumb-dev/idumb/resources/source"
)

// ImportCycle is a set of files that all import one another, directly or
// indirectly: a shortest cycle among them, and the import (Cut) whose removal
// frees most files (FreedFiles).
type ImportCycle struct {
	Files      []string // sorted
	Cycle      []string // a shortest cycle, starting with its smallest file; the last file imports the first one
	Cut        Edge     // the import whose removal takes most files out of the cycle; the first one by file if there are several
	FreedFiles int      // number of files that removing Cut takes out of all cycles
}

// ImportCycles returns the import cycles, largest first. It ignores type imports, dynamic imports
// and imports in tests. The running time is linear, plus a time limited by maxSteps for
// each cycle. For a cycle with thousands of files, Cycle and Cut may not be optimal.
func (g *Graph) ImportCycles() (knots []ImportCycle) {
	next := g.valueGraph()
	for _, nodes := range scc.Components(next) {
		if len(nodes) < 2 { // a file that imports itself
			continue
		}
		if k := g.newCycle(next, nodes); len(k.Files) > 1 {
			knots = append(knots, k)
		}
	}
	slices.SortFunc(knots, func(a, b ImportCycle) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Files[0], b.Files[0]))
	})
	return knots
}

// isValue reports whether imports of a kind run when the program is loaded.
func isValue(kind string) bool { return kind == source.ValueImport || kind == source.ReExport }

// valueGraph returns the edges between files and packages that run when the program is
// loaded.
func (g *Graph) valueGraph() [][]int {
	next := make([][]int, len(g.nodes))
	for id := range g.nodes {
		switch n := &g.nodes[id]; {
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

// newCycle describes the cycle of some nodes. It renumbers them in the order of
// their paths. The result may have fewer than two files, because a package is a
// node too.
func (g *Graph) newCycle(next [][]int, nodes []int) (k ImportCycle) {
	slices.SortFunc(nodes, func(a, b int) int { return cmp.Compare(g.nodes[a].path, g.nodes[b].path) })
	number := make(map[int]int, len(nodes))
	for i, node := range nodes {
		number[node] = i
		if !g.nodes[node].folder {
			k.Files = append(k.Files, g.nodes[node].path)
		}
	}
	inside := make(component, len(nodes))
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
	k.FreedFiles = freed
	k.Cut = g.valueEdge(int32(nodes[from]), int32(nodes[to]))
	return k
}

// valueEdge returns the first import of a file to a node that runs when the
// program is loaded, or the zero Edge if no import runs then.
func (g *Graph) valueEdge(from, to int32) Edge {
	for _, l := range g.nodes[from].links {
		if e := g.edge(from, l, g.nodes[to].path); l.to == to && isValue(e.Kind) {
			return e
		}
	}
	return Edge{}
}

// ImportChain returns a shortest chain of imports from one file to another. It returns nil if there
// is no chain or if both are the same file.
func (g *Graph) ImportChain(from, to string) []Edge {
	start, known := g.ids[from]
	end, there := g.ids[to]
	if !known || !there || start == end {
		return nil
	}
	before := map[int32]int32{start: -1}
	for todo := []int32{start}; len(todo) > 0; todo = todo[1:] {
		for _, next := range g.next(todo[0]) {
			if _, seen := before[next]; !seen {
				before[next] = todo[0]
				todo = append(todo, next)
			}
		}
	}
	if _, reached := before[end]; !reached {
		return nil
	}
	// The edges omit packages.
	var edges []Edge
	for at := end; before[at] >= 0; {
		from, through := before[at], at
		if g.nodes[from].folder {
			from, through = before[from], from
		}
		links := g.nodes[from].links
		i := slices.IndexFunc(links, func(l link) bool { return l.to == through })
		edges = append(edges, g.edge(from, links[i], g.nodes[at].path))
		at = from
	}
	slices.Reverse(edges)
	return edges
}

// next returns the successors of a node: imported files, or the files of a package.
func (g *Graph) next(id int32) (next []int32) {
	n := &g.nodes[id]
	if n.folder {
		for _, member := range g.resolver.Members(n.path) {
			next = append(next, g.ids[member])
		}
	}
	for _, l := range n.links {
		next = append(next, l.to)
	}
	return next
}
