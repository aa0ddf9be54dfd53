package code

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// SourceRecord is a file of code, as an object without spec.
type SourceRecord struct {
	Metadata Named        `json:"metadata"` // its path
	Status   SourceStatus `json:"status"`
}

// SourceStatus is what is known of a file of code.
type SourceStatus struct {
	Path       string     `json:"path"`
	Language   string     `json:"language"`
	Workspace  string     `json:"workspace,omitempty"` // the folder of the package that it belongs to
	Lines      int        `json:"lines"`
	Generated  bool       `json:"generated,omitempty"`
	Partial    string     `json:"partial,omitempty"` // why not all is known
	Exports    []string   `json:"exports,omitempty"`
	Imports    []Imported `json:"imports,omitempty"`
	Dependents Dependents `json:"dependents"`
	// DependentPackages are the packages that depend on it by way of others.
	DependentPackages []string `json:"dependentPackages,omitempty"`
	Knot              int      `json:"knot,omitempty"`   // how many files import one another, it among them
	Owners            []string `json:"owners,omitempty"` // as CODEOWNERS names them
	Notes             int      `json:"notes,omitempty"`
}

// Imported is a file of the repository that is imported.
type Imported struct {
	Path  string   `json:"path"`
	Kind  string   `json:"kind"`
	Names []string `json:"names,omitempty"`
	Line  int      `json:"line"`
}

// Dependents count the files that import one.
type Dependents struct {
	Own  int `json:"own"`
	Test int `json:"test"`
}

// Sources is which files of code there are.
type Sources struct {
	Scope inventory.Scope `json:"scope"`
	Items []SourceRecord  `json:"items"`
}

// SourcesOf answers what is known of files of code: of the files and folders that are named, or of
// all.
func SourcesOf(s *questions.Source, v url.Values) (answer Sources, err error) {
	answer.Items = []SourceRecord{}
	err = ask(s, func(k inventory.Known) {
		wanted, knots, owners := wantedSymbols(k, v["name"]), knotsOf(k.Graph()), project.Owners(k)
		few := len(v["name"]) > 0
		for _, path := range k.Paths() {
			if facts := k.Facts(path); facts.Language == "" || !wanted.all() && !wanted.place(path) {
				continue
			}
			status := sourceStatus(k, path)
			status.Owners = shown(owners(path))
			if status.Knot = knots[path]; few {
				status.DependentPackages = k.Graph().DependentPackages(path)
			}
			answer.Items = append(answer.Items, SourceRecord{Named{path}, status})
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

// knotsOf are the sizes of the knots that files are in.
func knotsOf(g *project.Graph) map[string]int {
	sizes := map[string]int{}
	for _, knot := range g.Knots() {
		for _, file := range knot.Files {
			sizes[file] = len(knot.Files)
		}
	}
	return sizes
}

func sourceStatus(k inventory.Known, path string) SourceStatus {
	facts, g := k.Facts(path), k.Graph()
	s := SourceStatus{
		Path: path, Language: facts.Language, Workspace: g.Package(path), Lines: facts.Lines, Generated: facts.Generated, Partial: facts.Partial, Notes: len(facts.Notes),
		Exports: exported(facts),
	}
	for _, e := range g.Imports(path) {
		s.Imports = append(s.Imports, Imported{e.To, e.Kind, e.Names, e.Line})
	}
	s.Dependents = dependentsOf(k, path)
	return s
}

// shown are names of a file as they may be printed.
func shown(names []string) (safe []string) {
	for _, name := range names {
		safe = append(safe, strings.ToValidUTF8(strings.Map(resources.Visible, name), ""))
	}
	return safe
}

// exported are the names that a file gives, sorted.
func exported(facts source.Facts) (names []string) {
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

// dependentsOf counts the files that take something of one, however often each does.
func dependentsOf(k inventory.Known, path string) (d Dependents) {
	seen := map[string]bool{}
	for _, e := range k.Users(path) {
		switch {
		case seen[e.From]:
		case e.Kind == project.TestImport:
			d.Test++
		default:
			d.Own++
		}
		seen[e.From] = true
	}
	return d
}
