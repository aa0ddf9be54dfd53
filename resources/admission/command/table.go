package command

import (
	_ "embed"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// commandsText is the one table of what is known of commands by their names. It says itself
// what its rows and columns mean.
//
//go:embed commands.txt
var commandsText string

// row is one row of it: the names that it is about, and its columns as they are written.
type row struct{ names, cells string }

// commandTable is the table, read when it is first asked for: the rows of a sort, in their
// order, and under "SORT NAME" those of them that are about a name.
var commandTable = sync.OnceValue(func() map[string][]row {
	all := map[string][]row{}
	for line := range strings.Lines(commandsText) {
		about, cells, _ := strings.Cut(strings.TrimSpace(line), "; ")
		sort, names, found := strings.Cut(about, " ")
		if !found || sort == "#" {
			continue
		}
		r := row{names, cells}
		all[sort] = append(all[sort], r)
		for name := range strings.SplitSeq(names, " ") {
			all[sort+" "+name] = append(all[sort+" "+name], r)
		}
	}
	return all
})

// rows are the rows of a sort that are about a command, in the order of the table.
func rows(sort, name string) []row { return commandTable()[sort+" "+name] }

// isOf reports whether a row of a sort is about a command.
func isOf(sort, name string) bool { return len(rows(sort, name)) > 0 }

// listOf is a list of options with a value that several rows share.
func listOf(name string) string { return rows("list", name)[0].get("takes") }

// get is what stands in a column, "" for nothing.
func (r row) get(column string) string {
	for cell := range strings.SplitSeq(r.cells, "; ") {
		name, value, _ := strings.Cut(cell, " ")
		if name != column {
			continue
		}
		if list, ok := strings.CutPrefix(value, "@"); ok {
			first, more, _ := strings.Cut(list, " ")
			value = strings.TrimSpace(listOf(first) + " " + more)
		}
		return value
	}
	return ""
}

// is reports whether the row has a column that needs no value.
func (r row) is(column string) bool { return strings.Contains("; "+r.cells+";", "; "+column+";") }

// number is a column's number, 0 for none.
func (r row) number(column string) int {
	n, _ := strconv.Atoi(r.get(column))
	return n
}

// dangers judges one command.
func (m *machine) dangers(c *invocation) {
	if before := len(m.found); m.custom(c) {
		defer func() { m.found = m.found[:before] }()
	}
	m.fileEffects(c)
	m.byName(c)
	m.cluster(c)
	m.uploads(c)
	m.mutations(c)
	for _, r := range rows("data", c.name) {
		m.queries(r, c)
	}
	if row, found := languageOf(c.name); found {
		m.interpreter(row, c)
	}
	m.breaksRules(c, c.part())
}

// breaksRules holds a command against the rows of the table that name a rule.
func (m *machine) breaksRules(c *invocation, part string) {
	if literally(c.args, "--help") && !literally(c.args, "--") || len(c.args) == 1 && hasWord("-h help --version", c.args[0].text) { // it prints, and does nothing
		return
	}
	for _, r := range rows("harm", c.name) {
		m.objectIf(r.applies(c), r.get("rule"), part, r.get("why"))
	}
}

// applies reports whether a row is about a command, by its words and options.
func (r row) applies(c *invocation) bool {
	o := c.with(r.get("takes"))
	given := func(column string) bool {
		words := r.get(column)
		return words != "" && (o.has(words) || literally(c.args, words))
	}
	isUnknown := func(f field) bool { return !known(f.text) }
	switch {
	case given("spares"),
		r.get("option") != "" && !o.has(r.get("option")),
		r.get("needs") != "" && !given("needs"),
		r.get("holds") != "" && !hasAny(strings.ToLower(texts(c.args)), strings.Split(r.get("holds"), "|")...),
		r.get("also") != "" && !anywhere(r.get("also"), c),
		len(o.operands) < r.number("operands"),
		r.is("unknown") && !slices.ContainsFunc(o.operands, isUnknown):
		return false
	}
	return r.get("words") == "" || verbIn(r.get("words"), o)
}

// anywhere reports whether one of the words stands among the arguments, also in front
// of "=" or with more behind it, for schemes of URLs.
func anywhere(words string, c *invocation) bool {
	for w := range strings.SplitSeq(words, " ") {
		for _, f := range c.args {
			if f.text == w || strings.HasPrefix(f.text, w+"=") && f.text != w+"=false" || strings.HasSuffix(w, "//") && strings.HasPrefix(f.text, w) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.with("").options, func(o option) bool { return hasWord(words, o.name) && !o.off() })
}

// verbIn reports whether the operands begin with one of the phrases. An option in front
// may have a value, which then looks like an operand. "*verb" stands for a verb
// anywhere among the first operands.
func verbIn(phrases string, o *parsedOptions) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if rest, ok := strings.CutPrefix(phrase, "*"); ok {
			for i, f := range o.operands[:min(6, len(o.operands))] {
				if f.text == rest || strings.HasSuffix(rest, "-") && strings.HasPrefix(f.text, rest) && i < 4 {
					return true
				}
			}
			continue
		}
		if begins(phrase, o) {
			return true
		}
	}
	return false
}

// begins reports whether words stand first among the operands, or behind what may be values
// of the options in front of them.
func begins(phrase string, o *parsedOptions) bool {
	operands, before, want := plainTexts(o.operands), o.before, strings.Fields(phrase)
	if len(operands) > 0 && strings.HasPrefix(operands[0], "+") { // cargo +nightly
		operands, before = operands[1:], before[1:]
	}
	for i := 0; i+len(want) <= len(operands) && i <= before[i]; i++ {
		if slices.Equal(operands[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

// custom applies the patterns of a repository and a person. It returns true if the
// person allows the command, whatever the rules say.
func (m *machine) custom(c *invocation) (allowed bool) {
	if len(m.rules.patterns) == 0 {
		return false
	}
	words := append([]string{path.Base(c.path)}, plainTexts(c.args)...)
	for _, p := range m.rules.patterns {
		applies := p.applies(words)
		allowed = allowed || applies && p.Verdict == Allow
		m.objectIf(applies && p.Verdict != Allow, ofPattern+p.Name, c.part(), "")
	}
	return allowed
}
