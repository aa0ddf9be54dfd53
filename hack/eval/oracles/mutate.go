package oracles

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// What evidence that cites a declaration must reach.
const (
	leastNoticed = 0.99
	mostAlarms   = 0.01
)

// subject is a file whose declarations are changed, where the oracle says that they are.
type subject struct {
	path  string
	lines []string
	decls []symbol
	facts source.Facts
}

// mutation changes a file; false: it cannot, of that declaration.
type mutation struct {
	what    string
	noticed bool // it changes what is cited
	change  func(f subject, d symbol, r *rand.Rand) (string, bool)
}

// mutations are what happens to declarations, and around them.
func mutations() []mutation {
	return []mutation{
		{"a token of it", true, func(f subject, d symbol, r *rand.Rand) (string, bool) { return f.otherToken(d, r) }},
		{"it is renamed", true, func(f subject, d symbol, _ *rand.Rand) (string, bool) { return f.renamed(d) }},
		{"it is removed", true, func(f subject, d symbol, _ *rand.Rand) (string, bool) {
			return f.with(d.From, d.To), true
		}},
		{"a comment in it", false, func(f subject, d symbol, _ *rand.Rand) (string, bool) { return f.commented(d) }},
		{"its doc", false, func(f subject, d symbol, _ *rand.Rand) (string, bool) {
			return f.with(d.From, d.From-1, f.comment(d.Name+" is told otherwise")), !f.within(d.From)
		}},
		{"indent", false, func(f subject, _ symbol, _ *rand.Rand) (string, bool) { return f.indented() }},
		{"line ends", false, func(f subject, _ symbol, _ *rand.Rand) (string, bool) {
			return strings.Join(f.lines, "\r\n"), !f.longStrings(1, len(f.lines))
		}},
		{"a mention elsewhere", false, func(f subject, d symbol, _ *rand.Rand) (string, bool) {
			return strings.Join(f.lines, "\n") + "\n" + f.comment(d.Name+" was "+base(d.Name)+"()") + "\n", true
		}},
		{"a neighbour", false, func(f subject, d symbol, r *rand.Rand) (string, bool) {
			near := slices.DeleteFunc(slices.Clone(f.decls), func(o symbol) bool { return overlap(o, d) || o.Name == d.Name || !f.apart(o) })
			if len(near) == 0 {
				return "", false
			}
			return f.otherToken(near[r.IntN(len(near))], r)
		}},
	}
}

// mutate changes so many of the declarations that the oracle lists, and what is around them.
func (c *comparison) mutate(most int) error {
	r := rand.New(rand.NewPCG(13, 3))
	type pick struct{ answer, decl int }
	var picks []pick
	for n, a := range c.answers {
		for d := range a.Symbols {
			picks = append(picks, pick{n, d})
		}
	}
	r.Shuffle(len(picks), func(i, j int) { picks[i], picks[j] = picks[j], picks[i] })
	all := mutations()
	tried, changed := make([]int, len(all)), make([]int, len(all))
	looked := 0
	for _, p := range picks {
		f, err := read(c.answers[p.answer])
		if err != nil {
			return err
		}
		d := f.decls[p.decl]
		was := f.find(strings.Join(f.lines, "\n"), d)
		if !f.apart(d) || was == "" {
			continue
		}
		if looked++; looked > most {
			break
		}
		for n, m := range all {
			text, can := m.change(f, d, r)
			if !can {
				continue
			}
			tried[n]++
			is := f.find(text, d)
			differs := is != was && (is != "" || !m.noticed)
			if differs {
				changed[n]++
			}
			if differs != m.noticed {
				c.show("wrong after", m.what, f.path, fmt.Sprintf("%s %d-%d", d.Name, d.From, d.To))
			}
		}
	}
	return c.tell(all, tried, changed)
}

// tell prints a row for each mutation, and fails where evidence misses its goals.
func (c *comparison) tell(all []mutation, tried, changed []int) error {
	var must, mustNot struct{ tried, changed int }
	for n, m := range all {
		fmt.Fprintf(c.out, "%-20s %6d  counts as changed %.4f\n", m.what, tried[n], ratio(changed[n], tried[n]))
		sum := &mustNot
		if m.noticed {
			sum = &must
		}
		sum.tried, sum.changed = sum.tried+tried[n], sum.changed+changed[n]
	}
	noticed, quiet := ratio(must.changed, must.tried), ratio(mustNot.tried-mustNot.changed, mustNot.tried)
	fmt.Fprintf(c.out, "noticed %.4f of %d, false alarms %.4f of %d\n", noticed, must.tried, 1-quiet, mustNot.tried)
	if noticed < leastNoticed || quiet < 1-mostAlarms {
		return fmt.Errorf("%s: evidence misses its goals, %g and %g", c.name, leastNoticed, mostAlarms)
	}
	return nil
}

// read reads a file that the oracle answered for.
func read(a answer) (subject, error) {
	data, err := os.ReadFile(a.Path)
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return subject{a.Path, strings.Split(text, "\n"), a.Symbols, source.Scan(a.Path, data)}, err
}

// find is what evidence sees of a declaration in a text: its sum, "gone", or "" if it cannot
// tell.
func (f subject) find(text string, d symbol) string {
	part := source.Find(f.path, d.Name, []byte(text))
	if !part.Exists {
		return "gone"
	}
	return part.SHA256
}

// with is the file with other lines instead of those from one to another, both included.
func (f subject) with(from, to int, instead ...string) string {
	return strings.Join(slices.Concat(f.lines[:from-1], instead, f.lines[to:]), "\n")
}

func overlap(a, b symbol) bool { return a.From <= b.To && b.From <= a.To }

// around reports whether one declaration is that of a type or namespace which the other stands in.
func around(a, b symbol) bool { return strings.HasPrefix(b.Name, a.Name+".") }

// apart reports whether a declaration shares its lines only with what stands in it, or around.
func (f subject) apart(d symbol) bool {
	same := 0
	for _, o := range f.decls {
		if o == d {
			same++
		} else if overlap(o, d) && !around(o, d) && !around(d, o) || around(o, d) && (o.From == d.From || o.To == d.To) {
			return false
		}
	}
	return same == 1
}

func base(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// comment is a line of one.
func (f subject) comment(text string) string {
	if slices.Contains([]string{"Python", "Ruby"}, f.facts.Language) {
		return "# " + text
	}
	return "// " + text
}

// within reports whether a line stands in a comment.
func (f subject) within(line int) bool {
	return slices.ContainsFunc(f.facts.Comments, func(c source.Comment) bool { return c.From <= line && line <= c.To })
}

// longStrings reports whether strings of several lines may stand between two lines: what looks
// like a comment or an indent there is their text.
func (f subject) longStrings(from, to int) bool {
	return slices.ContainsFunc(f.lines[from-1:to], func(line string) bool {
		return strings.Contains(line, "`") || strings.Contains(line, `"""`) || strings.Contains(line, "'''") || strings.Contains(line, "<<") ||
			strings.HasSuffix(line, `\`)
	})
}
