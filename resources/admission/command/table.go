package command

import (
	_ "embed"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// commandsText is the table of known commands. The file documents its rows and columns.
//
//go:embed commands.txt
var commandsText string

// row is a table row: its sort, the command names, and the columns as text.
type row struct{ sort, names, cells string }

// table is the parsed table. Every hook without a controller parses it, so it is built with few
// allocations: the rows of a name are a chain of entries.
type table struct {
	rows    []row
	entries []entry
	chains  map[string]chain // by command name; "*" has the rows with endings of names
}

// entry is the index of a row of one name, and of the name's next entry, or 0.
type entry struct{ row, next int32 }

// chain holds the indices of the first and the last entry of a name.
type chain struct{ first, last int32 }

// commandTable returns the parsed table.
var commandTable = sync.OnceValue(func() *table {
	t := &table{make([]row, 0, 2048), make([]entry, 1, 4096), make(map[string]chain, 2048)}
	for line := range strings.Lines(commandsText) {
		about, cells, _ := strings.Cut(strings.TrimSpace(line), "; ")
		sort, names, found := strings.Cut(about, " ")
		if !found || sort == "#" {
			continue
		}
		t.rows = append(t.rows, row{sort, names, cells})
		for name := range strings.SplitSeq(names, " ") {
			t.addName(name)
		}
		if strings.Contains(names, "*") {
			t.addName("*")
		}
	}
	return t
})

// addName appends the last row to the chain of a name.
func (t *table) addName(name string) {
	i := int32(len(t.entries))
	t.entries = append(t.entries, entry{row: int32(len(t.rows)) - 1})
	c, found := t.chains[name]
	if found {
		t.entries[c.last].next = i
	} else {
		c.first = i
	}
	c.last = i
	t.chains[name] = c
}

// rows returns the rows of a sort for a command, in table order.
func rows(sort, name string) (found []row) {
	t := commandTable()
	for i := t.chains[name].first; i > 0; i = t.entries[i].next {
		if r := t.rows[t.entries[i].row]; r.sort == sort {
			found = append(found, r)
		}
	}
	return found
}

// rowsOfSort returns all rows of a sort, in table order.
func rowsOfSort(sort string) (found []row) {
	for _, r := range commandTable().rows {
		if r.sort == sort {
			found = append(found, r)
		}
	}
	return found
}

// rowsOfVariable returns the rows of a variable by its name or the end of it.
func rowsOfVariable(name string) []row {
	found := rows("variable", name)
	for _, r := range rows("variable", "*") {
		for ending := range strings.SplitSeq(r.names, " ") {
			if strings.HasPrefix(ending, "*") && strings.HasSuffix(name, ending[1:]) {
				found = append(found, r)
			}
		}
	}
	return found
}

// isOf reports whether the table has a row of a sort for a command.
func isOf(sort, name string) bool { return len(rows(sort, name)) > 0 }

// listOf returns the list of options with a value that the table stores under a name, because
// several rows share it.
func listOf(name string) string { return rows("list", name)[0].get("takes") }

// get returns the value of a column, or "".
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

// is reports whether the row has a column without a value.
func (r row) is(column string) bool { return strings.Contains("; "+r.cells+";", "; "+column+";") }

// number returns the number in a column, or 0.
func (r row) number(column string) int {
	n, _ := strconv.Atoi(r.get(column))
	return n
}

// dangers runs all checks on one command. It drops the findings if the user allows the command.
func (m *interpreter) dangers(c *invocation) {
	if before := len(m.findings); m.custom(c) {
		defer func() { m.findings = m.findings[:before] }()
	}
	m.fileEffects(c)
	m.generally(c)
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

// breaksRules checks a command against the table rows that name a rule.
func (m *interpreter) breaksRules(c *invocation, part string) {
	if literally(c.args, "--help") && !literally(c.args, "--") || len(c.args) == 1 && hasWord("-h help --version", c.args[0].text) { // only prints help
		return
	}
	for _, r := range rows("harm", c.name) {
		if r.applies(c) {
			m.reportInstead(r.get("rule"), part, r.get("why"), r.instead())
		}
	}
}

// instead returns the alternative of a row: its own, or for a command that publishes the
// option that tries it.
func (r row) instead() string {
	if first, _, _ := strings.Cut(r.get("spares"), " "); r.get("rule") == "publish" && strings.HasPrefix(first, "--") {
		return "Try it with `" + first + "`, and leave publishing to the user or the release pipeline."
	}
	return r.get("instead")
}

// applies reports whether a row matches the words and options of a command.
func (r row) applies(c *invocation) bool {
	o := c.optionsTaking(r.get("takes"))
	given := func(column string) bool {
		words := r.get(column)
		return words != "" && (o.has(words) || literally(c.args, words))
	}
	isUnknown := func(f field) bool { return !isKnown(f.text) }
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

// anywhere reports whether one of the words is an argument. It may be followed by "=" or,
// for URL schemes, by more text.
func anywhere(words string, c *invocation) bool {
	for w := range strings.SplitSeq(words, " ") {
		for _, f := range c.args {
			if f.text == w || strings.HasPrefix(f.text, w+"=") && f.text != w+"=false" || strings.HasSuffix(w, "//") && strings.HasPrefix(f.text, w) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.optionsTaking("").options, func(o option) bool { return hasWord(words, o.name) && !o.isOff() })
}

// verbIn reports whether the operands start with one of the phrases. Values of preceding
// options may look like operands. "*verb" matches a verb anywhere in the first operands.
func verbIn(phrases string, o *parsedOptions) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if rest, ok := strings.CutPrefix(phrase, "*"); ok {
			for i, f := range o.operands[:min(6, len(o.operands))] {
				if f.text == rest || strings.ContainsAny(rest[len(rest)-1:], "-:.") && strings.HasPrefix(f.text, rest) && i < 4 {
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

// begins reports whether the operands start with a phrase, possibly after values of
// preceding options.
func begins(phrase string, o *parsedOptions) bool {
	operands, before, want := plainTexts(o.operands), o.optionCounts, strings.Fields(phrase)
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

// custom applies the patterns of a repository and a person. It returns true if the person
// allows the command regardless of other rules.
func (m *interpreter) custom(c *invocation) (allowed bool) {
	if len(m.rules.patterns) == 0 {
		return false
	}
	words := append([]string{path.Base(c.path)}, plainTexts(c.args)...)
	for _, p := range m.rules.patterns {
		applies := p.applies(words)
		allowed = allowed || applies && p.Verdict == Allow
		m.reportIf(applies && p.Verdict != Allow, ofPattern+p.Name, c.part(), "")
	}
	return allowed
}
