package command

import (
	"path"
	"strings"
)

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
