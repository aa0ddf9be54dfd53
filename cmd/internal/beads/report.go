package beads

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Report says what an import made of a file, and what it could not map. Nothing
// is dropped without a word in it.
type Report struct {
	Lines      int // with anything on them
	Issues     int // read, tombstones included
	Tombstones int // left out
	// Created and Updated are the keys of the objects that Import returned,
	// Unchanged those that are there already as they were imported, Edited those
	// whose issue changed and which somebody edited here: they were left alone.
	Created, Updated, Unchanged, Edited []resources.Key
	// Kept is what became annotations, because resources have no field for it.
	Kept []Tally
	// Changed is what means something a little different now.
	Changed []Tally
	// Odd is what was not as expected.
	Odd []Tally
	// Problems are bad lines, repeated ids, dangling edges and circles.
	Problems []Problem
}

// Tally counts what happened to issues in the same way.
type Tally struct {
	What     string
	Count    int
	Examples []string // ids, three at most
}

// Problem is something that somebody should look at.
type Problem struct {
	Line    int    // of the file, from 1; 0 if it is about none in particular
	ID      string // of the issue, if it is known
	Message string
}

func (r *Report) problem(line int, id, message string) {
	r.Problems = append(r.Problems, Problem{line, id, message})
}

// note counts an issue in one of the report's lists.
func (r *Report) note(list *[]Tally, what, id string) {
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

// finish puts the lists into their order.
func (r *Report) finish() {
	for _, list := range []*[]Tally{&r.Kept, &r.Changed, &r.Odd} {
		slices.SortFunc(*list, func(a, b Tally) int { return strings.Compare(a.What, b.What) })
	}
	slices.SortStableFunc(r.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// maxProblems is how many problems are printed.
const maxProblems = 50

// Print writes the report for people. Text out of the file is quoted, so that
// it sends nothing to the terminal.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Read %d issues on %d lines; left out %d tombstones.\n", r.Issues, r.Lines, r.Tombstones)
	for _, list := range []struct {
		keys []resources.Key
		verb string
	}{{r.Created, "created"}, {r.Updated, "updated"}, {r.Unchanged, "unchanged"}, {r.Edited, "changed in beads and edited here, left alone"}} {
		if len(list.keys) > 0 {
			fmt.Fprintf(&b, "%s %s.\n", kindsOf(list.keys), list.verb)
		}
	}
	printTallies(&b, "Kept as annotations ("+Prefix+"...), because there is no field for it:", r.Kept)
	printTallies(&b, "Means something a little different now:", r.Changed)
	printTallies(&b, "Not as expected:", r.Odd)
	r.printProblems(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func printTallies(b *strings.Builder, title string, list []Tally) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(b, title)
	for _, t := range list {
		examples := make([]string, len(t.Examples))
		for i, example := range t.Examples {
			examples[i] = printable(example)
		}
		more := ""
		if t.Count > len(examples) {
			more = ", ..."
		}
		fmt.Fprintf(b, "  %5d  %s (%s%s)\n", t.Count, printable(t.What), strings.Join(examples, ", "), more)
	}
}

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

// String returns "line 3: bd-7: message", without the parts that are not known.
func (p Problem) String() string {
	text := p.Message
	if p.ID != "" {
		text = p.ID + ": " + text
	}
	if p.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return printable(text)
}

// printable quotes what a terminal could take for more than text.
func printable(text string) string {
	quoted := fmt.Sprintf("%q", text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// kindsOf counts keys by kind: "3 plans and 20 tasks".
func kindsOf(keys []resources.Key) string {
	plans := 0
	for _, key := range keys {
		if key.Kind == resources.WorkPlans {
			plans++
		}
	}
	return fmt.Sprintf("%d plans and %d tasks", plans, len(keys)-plans)
}
