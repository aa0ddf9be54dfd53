package project

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Names contains the exported names of a file.
type Names struct {
	All map[string]bool
	// Complete is false if the list may be incomplete: facts are missing, or the file
	// re-exports everything from a file outside of the repository.
	Complete bool
}

// Exports returns the exported names of a file, including re-exports.
func (g *Graph) Exports(path string) Names { return g.exportsOf(path, g.facts(path)) }

// exportsOf returns the exported names of a file with some facts. It follows star re-exports
// recursively.
func (g *Graph) exportsOf(path string, facts source.Facts) Names {
	names := Names{All: map[string]bool{}, Complete: true}
	seen := map[string]bool{path: true}
	type file struct {
		path   string
		facts  source.Facts
		public bool // pub use x::* in Rust excludes the private imports of x
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
			if name == "__getattr__" { // in a Python module: exports any name
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

// leads reports whether an import of a file leads to another file. A file does not export
// names that it imports from there.
func (g *Graph) leads(file string, i source.Import, to string) bool {
	targets, _ := g.resolver.Resolve(file, i)
	return slices.ContainsFunc(targets, func(t resolve.Target) bool { return t.Path == to })
}

// saysExports reports whether a language has separate export declarations.
func saysExports(language string) bool {
	return slices.Contains([]string{"TypeScript", "JavaScript", "Vue", "Svelte", "Astro"}, language)
}

// saysNames reports whether facts contain all exported names of a file. JavaScript may
// export names at run time, with module.exports = make(). Scanners report this as a default
// export, also for its declaration file.
func saysNames(path string, facts source.Facts) bool {
	if facts.Partial != "" {
		return false
	}
	if facts.Language == "JavaScript" || isDeclared(path) {
		return slices.ContainsFunc(facts.Exports, func(e source.Export) bool { return e.Name != "default" })
	}
	return saysExports(facts.Language) || slices.Contains([]string{"Go", "Python", "Java", "Rust"}, facts.Language)
}

// ownNames returns the names that a file exports without star re-exports. In languages
// without export declarations, these are all declared and all imported names.
func ownNames(path string, facts source.Facts) (names []string) {
	if facts.Language == "JavaScript" {
		names = []string{"default"} // module.exports is always present
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
		if s.Owner == "" || facts.Language != "Go" && facts.Language != "Python" {
			names = append(names, s.Name)
		}
	}
	for _, i := range facts.Imports {
		first, _, _ := strings.Cut(i.From, ".")
		names = append(append(names, first), i.Names...)
	}
	return names
}

// isDeclared reports whether a file is a TypeScript declaration file, in which "export" is
// optional.
func isDeclared(path string) bool {
	return slices.ContainsFunc([]string{".d.ts", ".d.mts", ".d.cts"}, func(extension string) bool {
		return strings.HasSuffix(path, extension)
	})
}

// passedOn returns the star imports that a file re-exports.
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

// IsTest reports whether a path belongs to a test, by its directory or by the
// naming conventions of common test runners.
func IsTest(file string) bool {
	dir, name := path.Split(file)
	for folder := range strings.SplitSeq(dir, "/") {
		if slices.Contains([]string{"test", "tests", "__tests__", "__mocks__", "__fixtures__", "spec", "specs", "e2e", "cypress", "testdata", "testing"}, folder) {
			return true
		}
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch path.Ext(name) {
	case ".go", ".rb", ".rs":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec")
	case ".py":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest"
	case ".java", ".kt", ".cs", ".php":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT")
	}
	parts := strings.Split(stem, ".")
	return len(parts) > 1 && slices.ContainsFunc(parts[1:], func(part string) bool { return part == "test" || part == "spec" || part == "cy" })
}
