package project

import "slices"

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
	return g.chain(before, end)
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

// chain returns the edges of the path to a file, given the predecessor of each node. It
// omits packages.
func (g *Graph) chain(before map[int32]int32, end int32) (edges []Edge) {
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
