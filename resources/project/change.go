package project

import "github.com/idumb-dev/idumb/resources/source"

// Change takes a file that is new, or has another content, with its facts. Edges of others that
// a new file or a changed manifest leads elsewhere follow. The content of manifests is read
// again.
func (g *Graph) Change(path string, facts source.Facts) {
	_, known := g.ids[path]
	known = known && g.nodes[g.ids[path]].there
	id := g.node(path)
	g.nodes[id].there = true
	g.nodes[id].imports = facts.Imports
	var keys []string
	var all bool
	if known {
		all = g.resolver.Rewrite(path)
	} else {
		keys, all = g.resolver.Add(path)
	}
	g.follow(append(g.asked.of(keys), id), all)
}

// Remove takes a file away. Who imported it does so no longer.
func (g *Graph) Remove(path string) {
	id, known := g.ids[path]
	if !known || !g.nodes[id].there {
		return
	}
	keys, all := g.resolver.Remove(path)
	g.nodes[id].there = false
	g.nodes[id].imports = nil
	g.follow(append(g.asked.of(keys), id), all)
}

// follow resolves the imports of some files again, or of all.
func (g *Graph) follow(ids []int32, all bool) {
	if all {
		g.asked = newLookups(len(g.nodes))
		for id := range g.nodes { // nodes that are made meanwhile are folders, and import nothing
			g.link(int32(id))
		}
		return
	}
	for _, id := range ids {
		g.link(id)
	}
}
