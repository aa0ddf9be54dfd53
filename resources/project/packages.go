package project

import (
	"maps"
	"path"
	"slices"
)

// manifests are the files that make a folder a package, as its language or workspace means it.
func manifests() []string {
	return []string{"package.json", "go.mod", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json"}
}

// Package is the folder of the package that a file belongs to, "" at the root.
func (g *Graph) Package(file string) string {
	there := func(file string) bool {
		id, known := g.ids[file]
		return known && g.nodes[id].there
	}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if IsPackage(dir, there) {
			return dir
		}
	}
	return ""
}

// IsPackage reports whether a folder is the one of a package: whether one of the manifests that make
// it so is there.
func IsPackage(dir string, there func(file string) bool) bool {
	return slices.ContainsFunc(manifests(), func(name string) bool { return there(dir + "/" + name) })
}

// DependentPackages are the packages of the files that lead to a file by way of others, sorted:
// how far a change of it may reach. Those that import it themselves are its Dependents.
func (g *Graph) DependentPackages(file string) (packages []string) {
	id, known := g.ids[file]
	if !known {
		return nil
	}
	seen := map[int32]bool{id: true}
	direct := g.importers([]int32{id}, seen)
	found := map[string]bool{}
	for level := g.importers(direct, seen); len(level) > 0; level = g.importers(level, seen) {
		for _, from := range level {
			found[g.Package(g.nodes[from].path)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// importers are the files that import some others and have not been seen.
func (g *Graph) importers(of []int32, seen map[int32]bool) (importers []int32) {
	for _, to := range of {
		for _, entry := range g.entries(to) {
			for _, from := range g.nodes[entry].from {
				if !seen[from] {
					seen[from] = true
					importers = append(importers, from)
				}
			}
		}
	}
	return importers
}
