package project

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Lost is a name that a file gave and gives no longer.
type Lost struct {
	Name string // as the file called it
	// Edges are the imports that still take it by name: from the file, or from one that passes it
	// on, under the name that it has there. There may be none.
	Edges []Edge
}

// Gone are the names that a file gave with the facts before and does not give with those after,
// by name. Call it after Change. What cannot be known is not told: nothing is gone from a file
// that passes on what is not in the repository, or that is partial.
func (g *Graph) Gone(path string, before, after source.Facts) (lost []Lost) {
	is := g.given(path, after)
	if !is.Complete || before.Partial != "" {
		return nil
	}
	for name := range g.given(path, before).All {
		if !is.All[name] && !g.movedInPackage(path, name) {
			lost = append(lost, Lost{name, g.takers(path, name)})
		}
	}
	slices.SortFunc(lost, func(a, b Lost) int { return strings.Compare(a.Name, b.Name) })
	return lost
}

// movedInPackage reports whether another file of a package declares a name.
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

// given is a name that a file gives.
type given struct{ path, name string }

// takers are the imports that take a name from a file, or from those that pass it on.
func (g *Graph) takers(path, name string) (edges []Edge) {
	first := given{path, name}
	seen := map[given]bool{first: true}
	for todo := []given{first}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		for _, e := range g.Dependents(at.path) {
			byName := slices.Contains(e.Names, at.name)
			if byName {
				edges = append(edges, e)
			}
			if e.Kind == source.ValueImport || e.Kind == source.DynamicImport {
				continue // most do: their files are not looked at
			}
			for _, next := range g.passes(e, at.name, byName) {
				if !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
	return edges
}

// passes are the names under which a file passes on one that it takes: whatever kind of import that is, for
// types alone or in a test.
func (g *Graph) passes(e Edge, name string, byName bool) (next []given) {
	facts := g.facts(e.From)
	leads := func(x source.Export) bool {
		targets, _ := g.resolver.Resolve(e.From, source.Import{From: x.From, Kind: source.ReExport, Names: e.Names})
		return x.From != "" && slices.ContainsFunc(targets, func(t resolve.Target) bool { return t.Path == e.To })
	}
	if !byName { // by a star; where the file has the name from elsewhere too, nothing is lost
		star := func(x source.Export) bool { return x.Name == "*" && leads(x) }
		if name != "default" && slices.Contains(e.Names, "*") && (e.Kind == source.ReExport || slices.ContainsFunc(facts.Exports, star)) && !g.given(e.From, facts).All[name] {
			next = append(next, given{e.From, name})
		}
		return next
	}
	for _, x := range facts.Exports {
		if x.Local == name && leads(x) {
			next = append(next, given{e.From, x.Name})
		}
	}
	return next
}
