package code

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// SourceRecord is a source file, as an object without spec.
type SourceRecord struct {
	Metadata Named        `json:"metadata"` // its path
	Status   SourceStatus `json:"status"`
}

// SourceStatus is the index entry of a source file.
type SourceStatus struct {
	Path       string     `json:"path"`
	Language   string     `json:"language"`
	Workspace  string     `json:"workspace,omitempty"` // directory of its package
	Lines      int        `json:"lines"`
	Generated  bool       `json:"generated,omitempty"`
	Partial    string     `json:"partial,omitempty"` // reason for missing facts
	Exports    []string   `json:"exports,omitempty"`
	Imports    []Imported `json:"imports,omitempty"`
	Dependents Dependents `json:"dependents"`
	// DependentPackages lists the packages that depend on it indirectly.
	DependentPackages []string `json:"dependentPackages,omitempty"`
	Knot              int      `json:"knot,omitempty"`   // number of files in its import cycle
	Owners            []string `json:"owners,omitempty"` // owners in CODEOWNERS
	Notes             int      `json:"notes,omitempty"`
}

// Imported is an imported file of the repository.
type Imported struct {
	Path  string   `json:"path"`
	Kind  string   `json:"kind"`
	Names []string `json:"names,omitempty"`
	Line  int      `json:"line"`
}

// Dependents counts the importers of a file.
type Dependents struct {
	Direct int `json:"own"`
	Test   int `json:"test"`
}

// Sources is the answer with source files.
type Sources struct {
	Scope inventory.Scope `json:"scope"`
	Items []SourceRecord  `json:"items"`
}

// SourcesOf returns the index entries of the named source files and
// directories, or of all.
func SourcesOf(s *queries.Source, v url.Values) (answer Sources, err error) {
	answer.Items = []SourceRecord{}
	err = askFiles(s, func(k inventory.Snapshot) {
		wanted, knots, owners := newSymbolFilter(k, v["name"]), cycleSizes(k.Graph()), project.Owners(k)
		few := len(v["name"]) > 0
		for _, path := range k.Paths() {
			if facts := k.Facts(path); facts.Language == "" || !wanted.all() && !wanted.hasPlace(path) {
				continue
			}
			status := sourceStatus(k, path)
			status.Owners = printable(owners(path))
			if status.Knot = knots[path]; few {
				status.DependentPackages = k.Graph().DependentPackages(path)
			}
			answer.Items = append(answer.Items, SourceRecord{Named{path}, status})
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

// cycleSizes maps files to the sizes of their import cycles.
func cycleSizes(g *project.Graph) map[string]int {
	sizes := map[string]int{}
	for _, knot := range g.ImportCycles() {
		for _, file := range knot.Files {
			sizes[file] = len(knot.Files)
		}
	}
	return sizes
}

// sourceStatus returns the facts about a code file: its exports, imports and dependents.
func sourceStatus(k inventory.Snapshot, path string) SourceStatus {
	facts, g := k.Facts(path), k.Graph()
	s := SourceStatus{
		Path: path, Language: facts.Language, Workspace: g.Package(path), Lines: facts.Lines, Generated: facts.Generated, Partial: facts.Partial, Notes: len(facts.Notes),
		Exports: exportedNames(facts),
	}
	for _, e := range g.Imports(path) {
		s.Imports = append(s.Imports, Imported{e.To, e.Kind, e.Names, e.Line})
	}
	s.Dependents = dependentsOf(k, path)
	return s
}

// printable returns names from a file in printable form.
func printable(names []string) (safe []string) {
	for _, name := range names {
		safe = append(safe, strings.ToValidUTF8(strings.Map(resources.Visible, name), ""))
	}
	return safe
}

// exportedNames returns the names that a file exports, sorted.
func exportedNames(facts source.Facts) (names []string) {
	for _, e := range facts.Exports {
		names = append(names, e.Name)
	}
	for _, symbol := range facts.Symbols {
		if symbol.Exported && facts.Exports == nil {
			names = append(names, symbol.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// dependentsOf counts the importers of a file, each once.
func dependentsOf(k inventory.Snapshot, path string) (d Dependents) {
	d.Direct, d.Test = project.CountImporters(k.Users(path))
	return d
}
