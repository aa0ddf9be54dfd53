package project

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Names are what a file gives to those that import it.
type Names struct {
	All map[string]bool
	// Complete: it gives no others. It is false where facts are missing, and where a file passes
	// on all that another one gives which is not in the repository.
	Complete bool
}

// Exports are the names that a file gives: its own, and those that it passes on from others.
func (g *Graph) Exports(path string) Names { return g.given(path, g.facts(path)) }

// given are the names that a file with some facts gives. Those that it passes on by a star are
// found by way of all files that do so in turn.
func (g *Graph) given(path string, facts source.Facts) Names {
	names := Names{All: map[string]bool{}, Complete: true}
	seen := map[string]bool{path: true}
	type file struct {
		path   string
		facts  source.Facts
		public bool // Rust's pub use x::* does not see what x imports for itself
	}
	for todo := []file{{path, facts, false}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		names.Complete = names.Complete && saysNames(at.path, at.facts)
		if at.path != path {
			at.facts.Imports = slices.DeleteFunc(slices.Clone(at.facts.Imports), func(i source.Import) bool {
				return at.public && i.Kind != source.ReExport || g.leads(at.path, i, path)
			})
		}
		for _, name := range ownNames(at.path, at.facts) {
			if name == "__getattr__" { // of a module of Python: any name
				names.Complete = false
			}
			if at.path == path || name != "default" {
				names.All[name] = true
			}
		}
		for _, i := range passedOn(at.facts) {
			targets, _ := g.resolver.Resolve(at.path, i)
			names.Complete = names.Complete && len(targets) > 0
			for _, t := range targets {
				if !seen[t.Path] && !strings.HasSuffix(t.Path, "/") {
					seen[t.Path] = true
					todo = append(todo, file{t.Path, g.facts(t.Path), i.Kind == source.ReExport})
				}
			}
		}
	}
	return names
}

// leads reports whether an import of a file leads to another one: what a file takes from there is not
// given to it.
func (g *Graph) leads(file string, i source.Import, to string) bool {
	targets, _ := g.resolver.Resolve(file, i)
	return slices.ContainsFunc(targets, func(t resolve.Target) bool { return t.Path == to })
}

// saysExports reports whether a language says apart what a file exports.
func saysExports(language string) bool {
	return slices.Contains([]string{"TypeScript", "JavaScript", "Vue", "Svelte", "Astro"}, language)
}

// saysNames reports whether facts tell all names that a file gives. Those of JavaScript may be
// given when it runs, by module.exports = make(), which is told as a default,
// and so is what declarations say of it.
func saysNames(path string, facts source.Facts) bool {
	if facts.Partial != "" {
		return false
	}
	if facts.Language == "JavaScript" || isDeclared(path) {
		return slices.ContainsFunc(facts.Exports, func(e source.Export) bool { return e.Name != "default" })
	}
	return saysExports(facts.Language) || slices.Contains([]string{"Go", "Python", "Java", "Rust"}, facts.Language)
}

// ownNames are the names that facts themselves give. Where a language does not say apart what
// is exported, these are all that it declares, and what it imports, which others can import from
// it.
func ownNames(path string, facts source.Facts) (names []string) {
	if facts.Language == "JavaScript" {
		names = []string{"default"} // module.exports is
	}
	if saysExports(facts.Language) && !isDeclared(path) {
		for _, e := range facts.Exports {
			if e.Name != "*" {
				names = append(names, e.Name)
			}
		}
		return names
	}
	for _, e := range facts.Exports {
		names = append(names, e.Name)
	}
	for _, s := range facts.Symbols {
		if s.Owner == "" || !topOnly(facts.Language) {
			names = append(names, s.Name)
		}
	}
	for _, i := range facts.Imports {
		first, _, _ := strings.Cut(i.From, ".")
		names = append(append(names, first), i.Names...)
	}
	return names
}

// topOnly reports whether nothing that a type of a language holds can be imported without it.
func topOnly(language string) bool { return language == "Go" || language == "Python" }

// isDeclared reports whether all that a file declares is exported: "export" may be left out in
// declarations of TypeScript.
func isDeclared(path string) bool {
	for _, extension := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(path, extension) {
			return true
		}
	}
	return false
}

// passedOn are the imports all of whose names a file passes on.
func passedOn(facts source.Facts) (all []source.Import) {
	if saysExports(facts.Language) {
		for _, e := range facts.Exports {
			if e.Name == "*" {
				all = append(all, source.Import{From: e.From, Kind: source.ReExport, Names: []string{"*"}, Line: e.Line})
			}
		}
		return all
	}
	for _, i := range facts.Imports {
		if facts.Language != "Go" && slices.Contains(i.Names, "*") {
			all = append(all, i)
		}
	}
	return all
}
