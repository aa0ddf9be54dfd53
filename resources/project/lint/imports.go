package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// importedName is a name that a file imports from another file.
type importedName struct {
	line int
	name string
}

// named lists the languages with imports that name what they import. In other languages,
// imported names are derived from uses, which may be uses of a local variable, and the
// compiler reports missing names.
var named = [...]string{"TypeScript", "JavaScript", "Vue", "Svelte", "Astro", "Python"}

// goneExports returns the names that a file imports from a file or package of the
// repository that does not export them.
func (t *Tree) goneExports(f file) (all []Finding) {
	if !slices.Contains(named[:], f.facts.Language) {
		return nil
	}
	given := map[importedName]bool{}
	var missing []Finding
	for _, e := range t.Graph.Imports(f.path) {
		if len(e.Names) == 0 {
			continue
		}
		names, facts := t.Graph.Exports(e.To), t.Facts(e.To)
		for _, name := range e.Names {
			if names.All[name] || !names.Complete || name == "*" || f.facts.Language == "Python" && slices.Contains(e.Names, "*") || t.mayGive(f, facts, e.To, name) {
				given[importedName{e.Line, name}] = true
				continue
			}
			missing = append(missing, Finding{Rule: GoneExport, File: f.path, Line: e.Line, Symbol: name, Words: f.line(e.Line), Is: "nothing there exports " + name, Evidence: e.To})
		}
	}
	for _, m := range missing {
		key := importedName{m.Line, m.Symbol}
		if !given[key] {
			given[key] = true // once, even if a package has several files
			all = append(all, m)
		}
	}
	return all
}

// mayGive reports whether a file may export a name that its facts do not contain. For
// example, JavaScript types are in comments.
func (t *Tree) mayGive(f file, facts source.Facts, to, name string) bool {
	switch {
	case facts.Generated, name == "default" && facts.Language != "TypeScript":
		return true
	case f.facts.Language != "TypeScript" && strings.Contains(to, ".d."): // the implementation is in another file
		return true
	case facts.Language == "JavaScript":
		return f.facts.Language == "TypeScript" || t.mentions(to, name)
	}
	return facts.Language == "Python" && t.mentions(to, name)
}

// mentions reports whether a file contains a word or cannot be read. Python can
// export a name in many ways.
func (t *Tree) mentions(file, name string) bool {
	data, err := t.Files.Read(file)
	return err != nil || strings.Contains(string(data), name)
}

// line returns the text of a line, from 1, or "" if the line does not exist.
func (f *file) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

// knots returns the import cycles, each at the import that should be removed.
func (t *Tree) knots() (all []Finding) {
	for _, k := range t.Graph.ImportCycles() {
		if !slices.ContainsFunc(k.Files, t.covers) || slices.ContainsFunc(k.Files, project.IsFixture) {
			continue
		}
		shown := k.Cycle[:min(len(k.Cycle), 4)]
		words := strings.Join(shown, " -> ") + " -> "
		if len(shown) < len(k.Cycle) {
			words += "... -> "
		}
		all = append(all, Finding{
			Rule: Cycle, File: k.Cut.From, Line: k.Cut.Line, Words: words + k.Cycle[0],
			Is: fmt.Sprintf("%d files import one another; without the import of %s %d of them do not", len(k.Files), k.Cut.To, k.FreedFiles), Evidence: k.Cut.To,
		})
	}
	return all
}

// doneTodos returns the TODO comments that name a completed task.
func (t *Tree) doneTodos(f file) (all []Finding) {
	for _, n := range f.facts.Notes {
		if n.Task == "" || n.Word == "NOTE" || t.Completed == nil || !t.Completed(n.Task) {
			continue
		}
		line := f.near(n.Line, n.Line+1, "task/"+n.Task)
		all = append(all, Finding{Rule: DoneTodo, File: f.path, Line: line, Symbol: n.Symbol, Words: f.line(line), Is: "task/" + n.Task + " is completed", Evidence: "task/" + n.Task})
	}
	return all
}

// near returns the first line in a range that contains a text, or the first line of the
// range.
func (f *file) near(from, to int, text string) int {
	for n := from; n <= to; n++ {
		if strings.Contains(f.line(n), text) {
			return n
		}
	}
	return from
}
