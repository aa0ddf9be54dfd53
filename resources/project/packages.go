package project

import (
	"maps"
	"path"
	"slices"
)

// manifests lists the files that mark a directory as a package of a language or workspace.
func manifests() []string {
	return []string{"package.json", "go.mod", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json"}
}

// Package returns the directory of a file's package, or "" for the root.
func (g *Graph) Package(file string) string {
	there := func(file string) bool {
		id, known := g.ids[file]
		return known && g.nodes[id].exists
	}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if IsPackage(dir, there) {
			return dir
		}
	}
	return ""
}

// IsPackage reports whether a directory contains one of the manifests of a package.
func IsPackage(dir string, there func(file string) bool) bool {
	return slices.ContainsFunc(manifests(), func(name string) bool { return there(dir + "/" + name) })
}

// DependentPackages returns the packages of the indirect dependents of a file, sorted. They
// show how far a change of the file may reach. See Dependents for direct dependents.
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

// importers returns the files that import some others and were not seen before.
// It marks them as seen.
func (g *Graph) importers(of []int32, seen map[int32]bool) (importers []int32) {
	for _, to := range of {
		for _, entry := range g.targetNodes(to) {
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
