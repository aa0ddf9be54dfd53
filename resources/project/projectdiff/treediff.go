// Package projectdiff compares two trees of a repository: technologies, documents, exported
// declarations, import cycles and inconsistencies. All functions are pure, and nothing is
// stored.
package projectdiff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Kinds of changes.
const (
	Technology = "technology"
	Document   = "document"
	Symbol     = "symbol" // an exported declaration
	Knot       = "knot"
	Finding    = "finding"
)

// Change is one difference between two trees.
type Change struct {
	Kind string `json:"kind"`
	What string `json:"what"` // added, removed, version, class, state, signature, moved, larger
	Name string `json:"name"` // a technology; the document's path; FILE#NAME; the first file of a cycle; FILE:LINE of a finding
	Old  string `json:"before,omitempty"`
	New  string `json:"after,omitempty"`
}

// Compare returns all changes from one tree to another, sorted by kind in the order above,
// then by name.
func Compare(before, after lint.Tree) []Change {
	all := slices.Concat(
		sorted(ofTechnologies(before.Files, after.Files)), sorted(ofDocuments(before.Files, after.Files)), sorted(ofSymbols(before, after)),
		sorted(ofKnots(before.Graph.ImportCycles(), after.Graph.ImportCycles())))
	for _, f := range lint.Since(before, after) {
		if f.Rule != lint.Cycle { // already reported
			all = append(all, Change{Finding, "added", fmt.Sprintf("%s:%d", f.File, f.Line), "", f.Rule + ": " + f.Is})
		}
	}
	return all
}

// sorted sorts changes in place by name, kind of change and new value.
func sorted(all []Change) []Change {
	slices.SortFunc(all, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.What, b.What), cmp.Compare(a.New, b.New))
	})
	return all
}

// ofTechnologies returns the technologies that were added, removed, or changed their major version.
func ofTechnologies(before, after project.Files) (all []Change) {
	was, is := technologiesOf(before), technologiesOf(after)
	for name, t := range is {
		switch old, known := was[name]; {
		case !known:
			all = append(all, Change{Technology, "added", name, "", t.Version})
		case major(old.Version) != major(t.Version) && old.Version != "" && t.Version != "":
			all = append(all, Change{Technology, "version", name, old.Version, t.Version})
		}
	}
	for name, t := range was {
		if _, known := is[name]; !known {
			all = append(all, Change{Technology, "removed", name, t.Version, ""})
		}
	}
	return all
}

// technologiesOf returns the technologies of a tree by name.
func technologiesOf(files project.Files) map[string]technologies.Technology {
	all := map[string]technologies.Technology{}
	for _, t := range technologies.Summary(technologies.Find(files)) {
		all[t.Name] = t
	}
	return all
}

// major returns the first number of a version, or "".
func major(version string) string {
	digits := "0123456789"
	from := strings.IndexAny(version, digits)
	if from < 0 {
		return ""
	}
	rest := version[from:]
	return rest[:len(rest)-len(strings.TrimLeft(rest, digits))]
}

// ofDocuments returns the documents that were added or removed, or have another class or state.
func ofDocuments(before, after project.Files) (all []Change) {
	was, is := documentsOf(before), documentsOf(after)
	for path, d := range is {
		old, known := was[path]
		if !known {
			all = append(all, Change{Document, "added", path, "", d.Class})
			continue
		}
		if old.Class != d.Class {
			all = append(all, Change{Document, "class", path, old.Class, d.Class})
		}
		if old.State != d.State {
			all = append(all, Change{Document, "state", path, old.State, d.State})
		}
	}
	for path, d := range was {
		if _, known := is[path]; !known {
			all = append(all, Change{Document, "removed", path, d.Class, ""})
		}
	}
	return all
}

// documentsOf returns the documents of a tree by path.
func documentsOf(files project.Files) map[string]documents.Document {
	all := map[string]documents.Document{}
	for _, d := range documents.Find(files, nil) {
		all[d.Path] = d
	}
	return all
}

// ofKnots returns the new import cycles, and the cycles that have more files than the
// earlier cycle with most common files.
func ofKnots(before, after []project.ImportCycle) (all []Change) {
	in := map[string]int{} // number of the earlier cycle of a file, from 1
	for n, k := range before {
		for _, file := range k.Files {
			in[file] = n + 1
		}
	}
	for _, k := range after {
		shares := map[int]int{}
		for _, file := range k.Files {
			if n := in[file]; n > 0 {
				shares[n]++
			}
		}
		name, size := k.Files[0], fmt.Sprintf("%d files, cut %s:%d", len(k.Files), k.Cut.From, k.Cut.Line)
		if len(shares) == 0 {
			all = append(all, Change{Knot, "added", name, "", size})
			continue
		}
		most := slices.MaxFunc(slices.Sorted(maps.Keys(shares)), func(a, b int) int { return cmp.Compare(shares[a], shares[b]) })
		if was := len(before[most-1].Files); was < len(k.Files) {
			all = append(all, Change{Knot, "larger", name, fmt.Sprintf("%d files", was), size})
		}
	}
	return all
}
