package code

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/project"
)

// Step is one import on a path through the graph, with its distance from the
// start.
type Step struct {
	Depth int      `json:"depth"`
	From  string   `json:"from"`
	To    string   `json:"to"`
	Kind  string   `json:"kind"`
	Names []string `json:"names,omitempty"`
	Line  int      `json:"line"` // line in From
}

// Steps is a list of imports in the order of traversal.
type Steps struct {
	Scope inventory.Scope `json:"scope"`
	Items []Step          `json:"items"`
}

// step converts an import to a Step.
func step(depth int, e project.Edge) Step { return Step{depth, e.From, e.To, e.Kind, e.Names, e.Line} }

// checkKnown returns an error if the working tree does not have a file at path.
func checkKnown(k inventory.Snapshot, path string) error {
	if _, found := slices.BinarySearch(k.Paths(), path); !found {
		return fmt.Errorf("%s is no file of the working tree that counts: git ignores it, or it is not there", path)
	}
	return nil
}

// DepsOf returns the imports (down) or importers (up) of a file, up to a depth.
func DepsOf(s *queries.Source, v url.Values) (answer Steps, err error) {
	answer.Items = []Step{}
	depth, err := strconv.Atoi(v.Get("depth"))
	if err != nil {
		return answer, err
	}
	var missing error
	err = askFiles(s, func(k inventory.Snapshot) {
		if missing = checkKnown(k, v.Get("path")); missing != nil {
			return
		}
		answer.Items = append(answer.Items, walk(k.Graph(), v.Get("path"), v.Get("direction") == "up", depth)...)
		answer.Scope = k.Scope()
	})
	if err == nil {
		err = missing
	}
	return answer, err
}

// walk traverses the graph from a file up to a depth and visits each file once.
func walk(g *project.Graph, from string, up bool, most int) (steps []Step) {
	type stop struct {
		path  string
		depth int
	}
	seen := map[string]bool{from: true}
	for todo := []stop{{from, 0}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if at.depth == most {
			break
		}
		edges := g.Imports(at.path)
		if up {
			edges = g.Dependents(at.path)
		}
		for _, e := range edges {
			next := e.To
			if up {
				next = e.From
			}
			if !seen[next] {
				seen[next] = true
				steps = append(steps, step(at.depth+1, e))
				todo = append(todo, stop{next, at.depth + 1})
			}
		}
	}
	return steps
}

// WhyOf returns the imports through which one file depends on another.
func WhyOf(s *queries.Source, v url.Values) (answer Steps, err error) {
	answer.Items = []Step{}
	var missing error
	err = askFiles(s, func(k inventory.Snapshot) {
		if missing = checkKnown(k, v.Get("from")); missing == nil {
			missing = checkKnown(k, v.Get("to"))
		}
		if missing != nil {
			return
		}
		for n, e := range k.Graph().ImportChain(v.Get("from"), v.Get("to")) {
			answer.Items = append(answer.Items, step(n+1, e))
		}
		answer.Scope = k.Scope()
	})
	if err == nil {
		err = missing
	}
	return answer, err
}

// ImportCycle is an import cycle. See project.ImportCycle.
type ImportCycle struct {
	Size  int      `json:"size"`
	Files []string `json:"files"`
	Cycle []string `json:"cycle"`
	Cut   Step     `json:"cut"`
	Freed int      `json:"freed"`
}

// ImportCycles lists all import cycles, largest first.
type ImportCycles struct {
	Scope inventory.Scope `json:"scope"`
	Items []ImportCycle   `json:"items"`
}

// ImportCyclesOf returns the import cycles.
func ImportCyclesOf(s *queries.Source, _ url.Values) (answer ImportCycles, err error) {
	answer.Items = []ImportCycle{}
	err = askFiles(s, func(k inventory.Snapshot) {
		for _, knot := range k.Graph().ImportCycles() {
			answer.Items = append(answer.Items, ImportCycle{len(knot.Files), knot.Files, knot.Cycle, step(0, knot.Cut), knot.FreedFiles})
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}
