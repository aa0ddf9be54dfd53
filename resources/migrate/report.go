package migrate

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Report lists the results of a conversion, including all data that could not be converted.
type Report struct {
	// Summary is the first sentence of the report: the source that was read.
	Summary string
	// Created and Updated are the keys of the objects to write. Unchanged are the keys of
	// existing objects without changes. Edited are the keys of objects that were created or
	// edited here and also changed in the source; they are not written.
	Created, Updated, Unchanged, Edited []resources.Key
	// Annotated counts annotations with data for which objects have no field.
	Annotated []Tally
	// Changed counts data with a slightly different meaning.
	Changed []Tally
	// Odd counts unexpected data.
	Odd []Tally
	// Unconverted counts data that could not be converted. It is in the files below
	// archive/unmapped.
	Unconverted []Tally
	// Problems lists damaged files, repeated IDs, dangling references and cycles.
	Problems []Problem
}

// Tally counts the records that one remark of a report is about.
type Tally struct {
	What     string
	Count    int
	Examples []string // IDs, three at most
}

// Problem is a problem that a user should look at.
type Problem struct {
	File    string // path in the source; empty if the source is one file
	Line    int    // line of the file, from 1; 0 if unknown
	ID      string // record ID; empty if unknown
	Message string
}

// Trouble adds a problem.
func (r *Report) Trouble(p Problem) { r.Problems = append(r.Problems, p) }

// Note counts a record in one of the report's lists.
func (r *Report) Note(list *[]Tally, what, id string) {
	i := slices.IndexFunc(*list, func(t Tally) bool { return t.What == what })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Tally{What: what})
	}
	t := &(*list)[i]
	t.Count++
	if len(t.Examples) < 3 && !slices.Contains(t.Examples, id) {
		t.Examples = append(t.Examples, id)
	}
}

// Finish sorts the lists.
func (r *Report) Finish() {
	for _, list := range []*[]Tally{&r.Annotated, &r.Changed, &r.Odd, &r.Unconverted} {
		slices.SortFunc(*list, func(a, b Tally) int { return strings.Compare(a.What, b.What) })
	}
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// maxProblems limits the printed problems, and maxTallies the printed lines of each list.
const (
	maxProblems = 50
	maxTallies  = 20
)

// Print writes the report as text. It quotes text from the source, to prevent terminal
// control sequences.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, printable(r.Summary))
	for _, list := range []struct {
		keys []resources.Key
		verb string
	}{{r.Created, "created"}, {r.Updated, "updated"}, {r.Unchanged, "unchanged"}, {r.Edited, "created or edited here, not changed"}} {
		if len(list.keys) > 0 {
			fmt.Fprintf(&b, "%s %s.\n", kindsOf(list.keys), list.verb)
		}
	}
	if len(r.Created)+len(r.Updated) > 0 {
		printTallies(&b, "Kept as annotations, because there is no field for it, or not in these words:", r.Annotated)
		printTallies(&b, "Means something a little different now:", r.Changed)
		printTallies(&b, "Not as expected:", r.Odd)
		printTallies(&b, "Not understood; the whole file is kept in .idumb/archive/unmapped:", r.Unconverted)
	}
	r.printProblems(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// printTallies writes a title and the counts of a list, at most maxTallies.
func printTallies(b *strings.Builder, title string, list []Tally) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(b, title)
	for _, t := range list[:min(maxTallies, len(list))] {
		line := fmt.Sprintf("  %5d  %s", t.Count, printable(short(t.What)))
		fmt.Fprintln(b, line+examplesOf(t, width-len(line)))
	}
	if more := len(list) - maxTallies; more > 0 {
		fmt.Fprintf(b, "  and %d more sorts\n", more)
	}
}

// width is the maximum width of a line with examples.
const width = 80

// examplesOf returns the examples of a tally that fit into the line. It may shorten the
// first one in the middle.
func examplesOf(t Tally, room int) string {
	text, shown := "", 0
	for i, example := range t.Examples {
		example = printable(short(example))
		if most := max(room-len(" (, ...)"), 24); i == 0 && len(example) > most {
			half := (most - len("...")) / 2
			example = strings.ToValidUTF8(example[:half], "") + "..." + strings.ToValidUTF8(example[len(example)-half:], "")
		}
		if i > 0 && len(" ("+text+", "+example+", ...)") > room {
			break
		}
		text, shown = strings.TrimPrefix(text+", "+example, ", "), i+1
	}
	switch {
	case text == "":
		return ""
	case t.Count > shown:
		text += ", ..."
	}
	return " (" + text + ")"
}

// printProblems writes the problems, at most maxProblems.
func (r *Report) printProblems(b *strings.Builder) {
	if len(r.Problems) == 0 {
		return
	}
	fmt.Fprintln(b, "Problems:")
	for _, p := range r.Problems[:min(maxProblems, len(r.Problems))] {
		fmt.Fprintln(b, "  "+p.String())
	}
	if more := len(r.Problems) - maxProblems; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// String returns "file line 3: bd-7: message" without the unknown parts.
func (p Problem) String() string {
	text := p.Message
	if p.ID != "" {
		text = p.ID + ": " + text
	}
	where := p.File
	if p.Line > 0 {
		where = strings.TrimPrefix(fmt.Sprintf("%s line %d", where, p.Line), " ")
	}
	if where != "" {
		text = where + ": " + text
	}
	return printable(text)
}

// printable escapes control characters in untrusted text.
func printable(text string) string {
	quoted := fmt.Sprintf("%q", text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// kindsOf counts keys by kind: "3 plans and 20 tasks".
func kindsOf(keys []resources.Key) string {
	count := map[string]int{}
	for _, key := range keys {
		count[key.Kind]++
	}
	var parts []string
	for _, k := range resources.Kinds() {
		switch n := count[k.Plural]; {
		case n == 1:
			parts = append(parts, "1 "+k.Singular)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, k.Plural))
		}
	}
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
