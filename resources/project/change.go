package project

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Change adds a new file, or updates the facts of a changed file. It updates the imports of
// other files whose target a new file or a changed manifest may change. Changed manifests
// are read again.
func (g *Graph) Change(path string, facts source.Facts) {
	_, known := g.ids[path]
	known = known && g.nodes[g.ids[path]].exists
	id := g.node(path)
	g.nodes[id].exists = true
	g.nodes[id].imports = resolve.Imports(facts)
	var touched resolve.Touched
	if known {
		touched = g.resolver.Rewrite(path)
	} else {
		touched = g.resolver.Add(path)
	}
	g.follow(id, touched)
}

// Remove removes a file and the edges of its imports.
func (g *Graph) Remove(path string) {
	id, known := g.ids[path]
	if !known || !g.nodes[id].exists {
		return
	}
	touched := g.resolver.Remove(path)
	g.nodes[id].exists = false
	g.nodes[id].imports = nil
	g.follow(id, touched)
}

// follow resolves the imports of a changed file, and of all files that the change may
// affect.
func (g *Graph) follow(changed int32, touched resolve.Touched) {
	ids := append(g.lookups.filesFor(touched.Keys), changed)
	if len(touched.Folders) > 0 || len(touched.Extensions) > 0 {
		for id := range g.nodes {
			if n := &g.nodes[id]; len(n.imports) > 0 && isTouched(n.path, touched) {
				ids = append(ids, int32(id))
			}
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		g.link(id)
	}
}

// isTouched reports whether a file is below one of the directories or has one of the
// extensions.
func isTouched(file string, touched resolve.Touched) bool {
	below := func(dir string) bool {
		return dir == "" || len(file) > len(dir) && file[len(dir)] == '/' && strings.HasPrefix(file, dir)
	}
	return slices.ContainsFunc(touched.Folders, below) || slices.Contains(touched.Extensions, path.Ext(file))
}
