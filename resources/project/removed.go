package project

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// RemovedExport is a name that a file no longer exports.
type RemovedExport struct {
	Name string // name in the file
	// Edges are the imports that still use the name: from the file, or from a file that
	// re-exports it, under its name there. May be empty.
	Edges []Edge
}

// RemovedExports returns the names that a file exported with the facts before and no longer exports
// with the facts after, sorted. It must be called after Change. It returns nil if the facts
// are partial, or if the file re-exports names from outside of the repository.
func (g *Graph) RemovedExports(path string, before, after source.Facts) (lost []RemovedExport) {
	is := g.exportsOf(path, after)
	if !is.Complete || before.Partial != "" {
		return nil
	}
	for name := range g.exportsOf(path, before).All {
		if !is.All[name] && !g.movedInPackage(path, name) {
			lost = append(lost, RemovedExport{name, g.importersOf(path, name)})
		}
	}
	slices.SortFunc(lost, func(a, b RemovedExport) int { return strings.Compare(a.Name, b.Name) })
	return lost
}

// movedInPackage reports whether another file of the package declares a name.
func (g *Graph) movedInPackage(path, name string) bool {
	if !resolve.IsMember(path) {
		return false
	}
	for _, member := range g.resolver.Members(resolve.FolderOf(path)) {
		declares := func(s source.Symbol) bool { return s.Name == name && s.Owner == "" }
		if member != path && slices.ContainsFunc(g.facts(member).Symbols, declares) {
			return true
		}
	}
	return false
}

// export is a name that a file exports.
type export struct{ path, name string }

// importersOf returns the imports of a name from a file, or from files that re-export it.
func (g *Graph) importersOf(path, name string) (edges []Edge) {
	first := export{path, name}
	seen := map[export]bool{first: true}
	for todo := []export{first}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		for _, e := range g.Dependents(at.path) {
			byName := slices.Contains(e.Names, at.name)
			if byName {
				edges = append(edges, e)
			}
			if e.Kind == source.ValueImport || e.Kind == source.DynamicImport {
				continue // avoids reading the files of plain imports
			}
			for _, next := range g.reexports(e, at.name, byName) {
				if !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
	return edges
}

// reexports returns the names under which a file re-exports an imported name. The import may
// be of any kind, such as a type import or a test.
func (g *Graph) reexports(e Edge, name string, byName bool) (next []export) {
	facts := g.facts(e.From)
	leads := func(x source.Export) bool {
		targets, _ := g.resolver.Resolve(e.From, source.Import{From: x.From, Kind: source.ReExport, Names: e.Names})
		return x.From != "" && slices.ContainsFunc(targets, func(t resolve.Target) bool { return t.Path == e.To })
	}
	if !byName { // through a star export, unless the file has the name from another source
		star := func(x source.Export) bool { return x.Name == "*" && leads(x) }
		if name != "default" && slices.Contains(e.Names, "*") && (e.Kind == source.ReExport || slices.ContainsFunc(facts.Exports, star)) && !g.exportsOf(e.From, facts).All[name] {
			next = append(next, export{e.From, name})
		}
		return next
	}
	for _, x := range facts.Exports {
		if x.Local == name && leads(x) {
			next = append(next, export{e.From, x.Name})
		}
	}
	return next
}
