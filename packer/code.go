package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// codePercent is the maximal percentage of the budget for code files.
const codePercent = 12

// Maximal lengths of the texts of a file's entry, in characters.
const (
	maxSignature = 100
	maxNote      = 80
)

// code adds the map's entries of the files that the active tasks name or wrote.
func (g *gatherer) code(all []resources.CodeFile) {
	if len(all) == 0 {
		return
	}
	var patterns []string
	for _, name := range g.in.Active {
		if t, ok := g.source.Task(name); ok {
			patterns = append(patterns, FilesOf(g.source, t)...)
		}
	}
	for _, f := range all {
		if resources.MatchesAny(f.Path, patterns) {
			g.in.Code = append(g.in.Code, f)
		}
	}
}

// code offers a line for each code file of the active tasks, as many as its share holds.
func (d *packing) code() {
	budget, used := d.budget.part(codePercent), tokens.Measure(frame(code.String()))
	for i := range d.in.Code {
		text := "- " + line(codeText(&d.in.Code[i], d.in.NamesOnly))
		if used = used.Plus(tokens.Measure(text + "\n")); !budget.fits(used, d.budget.Limit > 0) {
			return
		}
		d.candidates.add(candidate{section: code, id: "src/" + d.in.Code[i].Path, tier: chainTier, score: -i, text: text})
	}
}

// codeText renders the entry of a file. If namesOnly is set, it contains only names, paths and
// counts, because other texts may have been written by anyone.
func codeText(f *resources.CodeFile, namesOnly bool) string {
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	add(exportsText(f, namesOnly))
	add(usersText(f))
	if f.Knot > 1 {
		add(fmt.Sprintf("one of %d files that all import one another", f.Knot))
	}
	add(placesText("TODO", "TODOs", f.Todos, namesOnly))
	add(placesText("finding", "findings", f.Findings, namesOnly))
	if len(parts) == 0 {
		add("exports nothing")
	}
	return f.Path + ": " + strings.Join(parts, "; ")
}

// exportsText returns "exports ..." with the exported names of a file, or with their signatures
// unless namesOnly is set. It returns "" if the file exports nothing.
func exportsText(f *resources.CodeFile, namesOnly bool) string {
	var names []string
	for _, e := range f.Exports {
		text := e.Signature
		if namesOnly || text == "" {
			text = e.Name
		}
		names = append(names, shorten(text, maxSignature))
	}
	if f.MoreExports > 0 {
		names = append(names, fmt.Sprintf("%d more", f.MoreExports))
	}
	if len(names) == 0 {
		return ""
	}
	return "exports " + strings.Join(names, ", ")
}

// usersText returns "imported by ..." with the files that import a file, and the number of tests
// among the importers. It returns "" if no file imports it.
func usersText(f *resources.CodeFile) string {
	users := slices.Clone(f.Users)
	if f.MoreUse > 0 {
		users = append(users, fmt.Sprintf("%d more", f.MoreUse))
	}
	if f.Tests > 0 {
		users = append(users, fmt.Sprintf("tests (%d)", f.Tests))
	}
	if len(users) == 0 {
		return ""
	}
	return "imported by " + strings.Join(users, ", ")
}

// placesText returns "TODO line 14: words" for the first two places and the
// number of the others, or only their number if countOnly is set. It returns ""
// for no places.
func placesText(one, several string, places []resources.CodePlace, countOnly bool) string {
	switch {
	case countOnly && len(places) == 1:
		return "1 " + one
	case countOnly && len(places) > 1:
		return fmt.Sprintf("%d %s", len(places), several)
	}
	var texts []string
	for _, p := range places[:min(len(places), 2)] {
		texts = append(texts, fmt.Sprintf("%s line %d: %s", one, p.Line, shorten(p.Text, maxNote)))
	}
	if more := len(places) - 2; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more %s", more, several))
	}
	return strings.Join(texts, "; ")
}
