// Package findings says where a repository contradicts itself: an import of what is not exported, a
// link to a file that is gone, a comment that names what left the code. What is
// not certain is left out. Its functions are pure; who finds out what git knows is their caller.
package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/source"
)

// Rules, by which findings are told apart.
const (
	GoneExport = "gone-export" // a file imports a name that the other one does not export
	GoneName   = "gone-name"   // a comment or document names a symbol that left the code
	GonePath   = "gone-path"   // a document names a file that is not there
	DoneTodo   = "done-todo"   // a TODO for a task that is completed
	Cycle      = "knot"        // files that all import one another
	Decision   = "decision"    // a manifest names what a resolved decision avoids
)

// Finding is one place that says what is not so.
type Finding struct {
	Rule     string `json:"rule"`
	File     string `json:"file"`
	Line     int    `json:"line"`               // from 1
	Symbol   string `json:"symbol,omitempty"`   // the declaration that it stands in or above, or the name it is about
	Words    string `json:"words"`              // what stands there: one line, at most 120 characters, nothing that a terminal obeys
	Is       string `json:"is"`                 // what is so
	Evidence string `json:"evidence,omitempty"` // the file, or file:line, that shows it
}

// Tree is a repository at one moment.
type Tree struct {
	Files project.Files
	// Facts are those of a file; those of all are asked for, so that comments may be left out.
	Facts func(path string) source.Facts
	Graph *project.Graph
	// Was reports whether git had a file once; nil: nobody knows.
	Was func(path string) bool
	// Completed reports whether a task of that name is completed; nil: none is.
	Completed func(task string) bool
	// Decisions are those that are resolved.
	Decisions []*resources.Decision
	// Covers reports whether findings in a file are wanted; nil: in all.
	Covers func(path string) bool
}

// Find returns all findings, by file, line and rule: the same for the same tree. Files that are
// generated, vendored or fixtures have none.
func Find(t Tree) (all []Finding) {
	vendored := project.Vendored(t.Files)
	for _, path := range t.Files.Paths() {
		if source.LanguageOf(path) == "" || documents.IsDocument(path) || vendored(path) || project.IsFixture(path) || !t.covers(path) {
			continue
		}
		data, err := t.Files.Read(path)
		if err != nil {
			continue // gone since the list was made, or larger than is read
		}
		facts := source.Scan(path, data)
		if facts.Generated || facts.Partial != "" {
			continue
		}
		f := fileOf(path, data, facts)
		all = slices.Concat(all, t.goneExports(f), t.doneTodos(f))
	}
	all = slices.Concat(all, t.gonePaths(), t.knots(), t.decisions())
	return ordered(all)
}

// file is one file of code that is looked at.
type file struct {
	path  string
	facts source.Facts
	lines []string
	named map[string][]source.Symbol // by their full names
}

func fileOf(path string, data []byte, facts source.Facts) file {
	named := map[string][]source.Symbol{}
	for _, s := range facts.Symbols {
		named[s.Full()] = append(named[s.Full()], s)
	}
	return file{path, facts, linesOf(data), named}
}

func (t *Tree) covers(path string) bool { return t.Covers == nil || t.Covers(path) }

// ordered sorts findings and makes what they quote fit to be shown.
func ordered(all []Finding) []Finding {
	for i := range all {
		f := &all[i]
		f.Symbol, f.Words, f.Is = quoted(f.Symbol), quoted(f.Words), plain(f.Is)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Words, b.Words), cmp.Compare(a.Is, b.Is))
	})
	return slices.Compact(all)
}

// Since returns the findings of a tree that an earlier one had not, and those of names that left the
// code in between.
func Since(before, after Tree) []Finding {
	return ordered(append(New(Find(before), Find(after)), GoneNames(before, after)...))
}

// New are the findings that were none before, wherever in its file each stands.
func New(before, after []Finding) (fresh []Finding) {
	known := map[Finding]int{}
	for _, f := range before {
		f.Line, f.Evidence = 0, ""
		known[f]++
	}
	for _, f := range after {
		key := f
		key.Line, key.Evidence = 0, ""
		if known[key]--; known[key] < 0 {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// longestQuote is how much of a file is quoted, in characters.
const longestQuote = 120

// quoted is a text of a file as it may be shown.
func quoted(text string) string {
	text = plain(text)
	if r := []rune(text); len(r) > longestQuote {
		return string(r[:longestQuote-1]) + "…"
	}
	return text
}

// plain is a text on one line, without what nobody sees or a terminal obeys.
func plain(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 4_000)], "")
	return strings.Join(strings.Fields(strings.Map(resources.Visible, text)), " ")
}

func linesOf(data []byte) []string {
	return strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
}
