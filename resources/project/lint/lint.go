// Package lint detects inconsistencies in a repository: imports of missing exports,
// links to missing files, and comments that name removed code. It reports only certain
// findings. All functions are pure. The caller provides the git history.
package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/source"
)

// Rules of findings.
const (
	GoneExport = "gone-export" // a file imports a name that the target does not export
	GoneName   = "gone-name"   // a comment or document names a removed symbol
	GonePath   = "gone-path"   // a document names a missing file
	DoneTodo   = "done-todo"   // a TODO for a completed task
	FalseDoc   = "false-doc"   // a doc comment that the body of its function disproves
	Cycle      = "knot"        // files that all import one another
	Decision   = "decision"    // a manifest names a package that a resolved decision avoids
)

// Finding is one inconsistency.
type Finding struct {
	Rule     string `json:"rule"`
	File     string `json:"file"`
	Line     int    `json:"line"`               // from 1
	Symbol   string `json:"symbol,omitempty"`   // declaration that contains it or follows it, or the name in question
	Words    string `json:"words"`              // the text of the line, at most 120 characters, safe to display
	Is       string `json:"is"`                 // the actual state
	Evidence string `json:"evidence,omitempty"` // file or file:line that proves it
}

// Tree is a repository at one time.
type Tree struct {
	Files project.Files
	// Facts returns the facts of a file. Comments may be omitted, because the facts of
	// all files are needed.
	Facts func(path string) source.Facts
	Graph *project.Graph
	// Was reports whether a file existed in the git history. nil means unknown.
	Was func(path string) bool
	// Completed reports whether a task is completed. nil means that no task is.
	Completed func(task string) bool
	// Decisions contains the resolved decisions.
	Decisions []*resources.Decision
	// Covers reports whether findings in a file are requested. nil means all files.
	Covers func(path string) bool
}

// Find returns all findings, sorted by file, line and rule. The result only depends on the
// tree. It ignores generated, vendored and fixture files.
func Find(t Tree) (all []Finding) {
	vendored := project.Vendored(t.Files)
	for _, path := range t.Files.Paths() {
		if source.LanguageOf(path) == "" || documents.IsDocument(path) || vendored(path) || project.IsFixture(path) || !t.covers(path) {
			continue
		}
		data, err := t.Files.Read(path)
		if err != nil {
			continue // deleted in the meantime, or too large
		}
		facts := source.Scan(path, data)
		if facts.Generated || facts.Partial != "" {
			continue
		}
		f := fileOf(path, data, facts)
		all = slices.Concat(all, t.goneExports(f), t.doneTodos(f), f.falseDocs())
	}
	all = slices.Concat(all, t.gonePaths(), t.knots(), t.decisions())
	return ordered(all)
}

// file is one source file.
type file struct {
	path  string
	facts source.Facts
	lines []string
	named map[string][]source.Symbol // by full name
}

// fileOf returns a source file with its lines and an index of its symbols by full name.
func fileOf(path string, data []byte, facts source.Facts) file {
	named := map[string][]source.Symbol{}
	for _, s := range facts.Symbols {
		named[s.Full()] = append(named[s.Full()], s)
	}
	return file{path, facts, linesOf(data), named}
}

// covers reports whether findings in a file are wanted, by Tree.Covers. The default is true.
func (t *Tree) covers(path string) bool { return t.Covers == nil || t.Covers(path) }

// ordered sorts findings and makes quoted text safe to display.
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

// Since returns the findings of a tree that an earlier tree did not have, and references to
// names that were removed in between.
func Since(before, after Tree) []Finding {
	return ordered(append(New(Find(before), Find(after)), GoneNames(before, after)...))
}

// New returns the findings in after that are not in before, ignoring lines.
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

// longestQuote limits the length of quoted text, in characters.
const longestQuote = 120

// quoted truncates text of a file and makes it safe to display.
func quoted(text string) string {
	text = plain(text)
	if r := []rune(text); len(r) > longestQuote {
		return string(r[:longestQuote-1]) + "…"
	}
	return text
}

// plain returns text on one line, without invisible and control characters.
func plain(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 4_000)], "")
	return strings.Join(strings.Fields(strings.Map(resources.Visible, text)), " ")
}

// linesOf splits text into lines without line ends.
func linesOf(data []byte) []string {
	return strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
}
