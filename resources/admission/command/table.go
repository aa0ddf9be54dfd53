package command

import (
	_ "embed"
	"path"
	"strconv"
	"strings"
	"sync"
)

// commandsText is the one table of what is known of commands by their names. It says itself
// what its rows and columns mean.
//
//go:embed commands.txt
var commandsText string

// row is one row of it: a column each.
type row struct {
	names, words                         string
	takes, code                          string
	needs, also, spares                  string
	how, tree, output, whole             string
	judge, rule                          string
	operands                             int
	unsure, remote, late, assigns, reads bool
}

// commandTable is the table, read when it is first asked for.
var commandTable = sync.OnceValue(readTable)

// rows are the rows of a kind that are about a command, in the order of the table.
func rows(kind, name string) []*row {
	var about []*row
	for _, r := range commandTable()[kind] {
		if hasWord(r.names, name) {
			about = append(about, r)
		}
	}
	return about
}

// isOf reports whether a row of a kind is about a command.
func isOf(kind, name string) bool { return len(rows(kind, name)) > 0 }

// listOf is a list of options with a value that several rows share.
func listOf(name string) string { return rows("list", name)[0].takes }

// readTable reads the table by kind.
func readTable() map[string][]*row {
	all, lists := map[string][]*row{}, map[string]string{}
	for line := range strings.Lines(commandsText) {
		about, cells, _ := strings.Cut(strings.TrimSpace(line), "; ")
		kind, names, found := strings.Cut(about, " ")
		if !found || kind == "#" {
			continue
		}
		r := &row{names: names}
		for cells != "" {
			var cell string
			cell, cells, _ = strings.Cut(cells, "; ")
			column, value, _ := strings.Cut(cell, " ")
			if list, ok := strings.CutPrefix(value, "@"); ok {
				first, more, _ := strings.Cut(list, " ")
				value = strings.TrimSpace(lists[first] + " " + more)
			}
			r.set(column, value)
		}
		if kind == "list" {
			lists[names] = r.takes
		}
		all[kind] = append(all[kind], r)
	}
	return all
}

// set fills in a column; false if there is none of that name.
func (r *row) set(column, value string) bool {
	switch column {
	case "words":
		r.words = value
	case "takes":
		r.takes = value
	case "code":
		r.code = value
	case "needs":
		r.needs = value
	case "also":
		r.also = value
	case "spares":
		r.spares = value
	case "how":
		r.how = value
	case "tree":
		r.tree = value
	case "output":
		r.output = value
	case "whole":
		r.whole = value
	case "judge":
		r.judge = value
	case "rule":
		r.rule = value
	case "operands":
		r.operands, _ = strconv.Atoi(value)
	case "unsure":
		r.unsure = true
	case "remote":
		r.remote = true
	case "late":
		r.late = true
	case "assigns":
		r.assigns = true
	case "reads":
		r.reads = true
	default:
		return false
	}
	return true
}

// dangers judges one command.
func (m *machine) dangers(c *invocation) {
	if before := len(m.found); m.custom(c) {
		defer func() { m.found = m.found[:before] }()
	}
	m.fileEffects(c)
	m.byName(c)
	m.containers(c)
	m.cluster(c)
	m.uploads(c)
	m.mutations(c)
	m.databases(c)
	if row, found := languageOf(c.name); found {
		m.interpreter(row, c)
	}
	m.breaksRules(c, c.part())
}

// breaksRules holds a command against the rows of the table that name a rule.
func (m *machine) breaksRules(c *invocation, part string) {
	for _, r := range rows("harm", c.name) {
		if r.applies(c) {
			m.object(r.rule, part, "")
		}
	}
}

// applies reports whether a row is about a command, by its words and options.
func (d *row) applies(c *invocation) bool {
	o := c.with(d.takes)
	if d.spares != "" && (o.has(d.spares) || literally(c.args, d.spares)) {
		return false
	}
	if d.needs != "" && !o.has(d.needs) && !literally(c.args, d.needs) {
		return false
	}
	if d.also != "" && !d.anywhere(c) {
		return false
	}
	return d.words == "" || verbIn(d.words, o)
}

// anywhere reports whether one of the words stands among the arguments, also in front
// of "=" or with more behind it, for schemes of URLs.
func (d *row) anywhere(c *invocation) bool {
	for w := range strings.SplitSeq(d.also, " ") {
		for _, f := range c.args {
			if f.text == w || strings.HasPrefix(f.text, w+"=") || strings.HasSuffix(w, "//") && strings.HasPrefix(f.text, w) {
				return true
			}
		}
	}
	for _, o := range c.with("").options {
		if hasWord(d.also, o.name) {
			return true
		}
	}
	return false
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

func begins(phrase string, o *parsedOptions) bool {
	words := 1 + strings.Count(phrase, " ")
	if len(o.operands) > 0 && strings.HasPrefix(o.operands[0].text, "+") { // cargo +nightly
		rest := *o
		rest.operands, rest.before = o.operands[1:], o.before[1:]
		o = &rest
	}
	for i := 0; i+words <= len(o.operands) && i <= o.before[i]; i++ {
		rest, match := phrase, true
		for k := range words {
			var w string
			w, rest, _ = strings.Cut(rest, " ")
			match = match && o.operands[i+k].text == w
		}
		if match {
			return true
		}
	}
	return false
}

// custom applies the patterns of a repository and a person. It returns true if the
// person allows the command, whatever the rules say.
func (m *machine) custom(c *invocation) (allowed bool) {
	if m.rules == nil || len(m.rules.patterns) == 0 {
		return false
	}
	words := append([]string{path.Base(c.path)}, plainTexts(c.args)...)
	for _, p := range m.rules.patterns {
		if !p.applies(words) {
			continue
		}
		if p.Verdict == Allow {
			allowed = true
		} else {
			m.object("pattern:"+p.Match, c.part(), "")
		}
	}
	return allowed
}
