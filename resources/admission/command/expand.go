package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Marks in texts that are unknown before the command line runs. Shell words cannot
// contain these bytes, and command lines with them are rejected.
const (
	unknown    = "\x00"            // anything
	shownByGit = unknown + unknown // file content from git
	// files that the command line itself packed: see interpreter.archived
	archive = unknown + unknown + unknown
	fetched = "\x01" // downloaded content
	private = "\x02" // content of a file with secrets
	listed  = "\x04" // files that are only listed at run time
	marks   = unknown + fetched + private + listed
)

// isKnown reports whether a text contains no mark of an unknown part.
func isKnown(s string) bool { return !strings.ContainsAny(s, marks) }

// field is one argument of a command, after the expansion of variables and quotes.
type field struct {
	text    string // contains marks for unknown parts
	glob    bool   // contains file patterns
	pattern string // the argument as a path.Match pattern, if glob
	source  string // original text of an unknown word
}

// maxChoices is the maximum number of alternative values of a word.
const maxChoices = 16

// maxFields is the maximum number of arguments from one word.
const maxFields = 256

// partial is a shell word whose expansion is in progress: the finished arguments and the current
// one.
type partial struct {
	done  []field
	cur   []byte
	pat   []byte // cur as a pattern
	begun bool
	glob  bool
}

// clone returns a copy that does not share the slices of the original.
func (p partial) clone() partial {
	p.done = append([]field(nil), p.done...)
	p.cur, p.pat = append([]byte(nil), p.cur...), append([]byte(nil), p.pat...)
	return p
}

// add appends text to the current argument. glob means that its characters *, ? and [ are patterns.
func (p *partial) add(s string, glob bool) {
	p.cur, p.begun, p.glob = append(p.cur, s...), true, p.glob || glob
	for i := range len(s) {
		if !glob && strings.IndexByte(`*?[\\`, s[i]) >= 0 {
			p.pat = append(p.pat, '\\')
		}
		p.pat = append(p.pat, s[i])
	}
}

// end completes the current argument, if one was begun. It drops arguments beyond maxFields.
func (p *partial) end() {
	if p.begun && len(p.done) < maxFields {
		f := field{text: string(p.cur), glob: p.glob}
		if f.glob {
			f.pattern = string(p.pat)
		}
		p.done = append(p.done, f)
	}
	*p = partial{done: p.done}
}

// addSplit appends text, split into words at separators.
func (p *partial) addSplit(s, separators string) {
	for len(s) > 0 {
		i := strings.IndexAny(s, separators)
		if i < 0 {
			i = len(s)
		}
		if word := s[:i]; word != "" {
			p.add(word, strings.ContainsAny(word, "*?["))
		}
		if i == len(s) {
			return
		}
		p.end()
		s = s[i+1:]
	}
}

// choices expands a word to one list of arguments for each possible value.
func (m *interpreter) choices(w word) [][]field {
	if m.exceeded {
		return [][]field{{{text: unknown}}}
	}
	if len(w.parts) == 1 && w.parts[0].kind == plainText && !hasBraces(w.parts[0]) {
		p := w.parts[0]
		text := string(p.bytes)
		return [][]field{{{text: text, glob: !p.quoted && strings.ContainsAny(text, "*?["), pattern: text}}}
	}
	var all [][]field
	for _, parts := range braces(w.parts) {
		for i, c := range m.expandParts(parts) {
			if i < len(all) { // words from braces are joined to one list, alternative values are kept separate
				all[i] = append(all[i], c...)
			} else {
				all = append(all, c)
			}
		}
	}
	for _, fields := range all {
		for i := range fields {
			if !isKnown(fields[i].text) {
				fields[i].source = w.source
			}
		}
	}
	return all
}

// fields expands a word and returns the arguments of all its values.
func (m *interpreter) fields(w word) []field {
	var all []field
	for _, c := range m.choices(w) {
		all = append(all, c...)
	}
	return all
}

// expandParts expands the parts of a word without braces to one list of arguments for each possible
// value, at most maxChoices.
func (m *interpreter) expandParts(parts []part) [][]field {
	open := []partial{{}}
	for i, p := range parts {
		values := m.values(p, i == 0)
		var next []partial
		for _, o := range open {
			for _, v := range values {
				if len(next) >= maxChoices {
					break
				}
				c := o
				if len(values) > 1 || len(open) > 1 {
					c = o.clone()
				}
				m.append(&c, p, v)
				next = append(next, c)
			}
		}
		open = next
	}
	var all [][]field
	for _, o := range open {
		o.end()
		for _, f := range o.done {
			m.countBytes(len(f.text))
		}
		all = append(all, o.done)
	}
	return all
}

// append appends a value of a part to a word.
func (m *interpreter) append(c *partial, p part, v value) {
	switch {
	case v.list:
		for i, item := range v.items {
			if i > 0 {
				c.end()
			}
			m.append(c, p, value{text: item})
		}
	case p.kind == plainText:
		c.add(string(p.bytes), !p.quoted && strings.ContainsAny(string(p.bytes), "*?["))
	case p.quoted || p.kind == tilde || p.kind == process:
		c.add(v.text, v.glob)
	default:
		c.addSplit(v.text, m.separators())
	}
}

// value is one value of a part.
type value struct {
	text  string
	glob  bool
	list  bool // "$@" and similar: each item is a separate argument
	items []string
}

// one returns a list with a single value that has this text.
func one(s string) []value { return []value{{text: s}} }

// values returns the possible values of a part of a word.
func (m *interpreter) values(p part, first bool) []value {
	switch p.kind {
	case plainText:
		return one(string(p.bytes))
	case tilde:
		switch p.text {
		case "":
			return one(m.opts.Home)
		case "root":
			return one("/root")
		}
		return one("/home/" + p.text)
	case param:
		return m.parameter(p.text)
	case substitution:
		return one(strings.TrimRight(m.substitute(p.run), "\n"))
	case process:
		return one(m.piped(p))
	case sum:
		return one(m.arithmetic(p.text))
	case array:
		v := value{list: true}
		for _, item := range p.items {
			for _, f := range m.fields(item) {
				v.items = append(v.items, f.text)
			}
		}
		return []value{v}
	}
	return one(unknown)
}

// piped returns the file name that represents a process substitution. The commands of <(...) run at
// once.
func (m *interpreter) piped(p part) string {
	name := "/dev/fd/" + strconv.Itoa(60+len(m.files)%1000)
	if p.text == ">" {
		m.writers = append(m.writers, writer{name: name, run: p.run})
		return name
	}
	m.files[name] = m.substitute(p.run)
	return name
}

// text expands a word to a single text, as in assignments and redirection targets. If there
// are several values, it returns the first known one.
func (m *interpreter) text(w word) string {
	texts := m.texts(w)
	return texts[max(0, slices.IndexFunc(texts, isKnown))]
}

// texts returns all values of a word that is not split.
func (m *interpreter) texts(w word) []string {
	all := []string{""}
	for i, p := range w.parts {
		values := m.values(p, i == 0)
		var next []string
		for _, before := range all {
			for _, v := range values {
				if len(next) < maxChoices && !m.exceeded {
					next = append(next, before+v.joined())
					m.countBytes(len(next[len(next)-1]))
				}
			}
		}
		if all = next; len(all) == 0 {
			return []string{unknown}
		}
	}
	return all
}

// joined returns the value as one text, with the items of a list separated by spaces.
func (v value) joined() string {
	if v.list {
		return strings.Join(v.items, " ")
	}
	return v.text
}

// document expands the body of a here-document.
func (m *interpreter) document(body string) string {
	if !strings.ContainsAny(body, "$`\\") {
		return body
	}
	return m.text(textOf(body, inDocument, true))
}

// arithmetic returns the value of a sum or product of plain numbers, unknown otherwise.
// Substitutions in the expression are run.
func (m *interpreter) arithmetic(s string) string {
	if strings.ContainsAny(s, "$`") {
		s = m.document(s)
	}
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	i := 1 + strings.IndexAny(s[min(1, len(s)):], "+-*") // the first character may be a sign
	if i < 1 {
		return unknown
	}
	x, errX := strconv.Atoi(strings.TrimSpace(s[:i]))
	y, errY := strconv.Atoi(strings.TrimSpace(s[i+1:]))
	switch {
	case errX != nil || errY != nil:
		return unknown
	case s[i] == '+':
		return strconv.Itoa(x + y)
	case s[i] == '-':
		return strconv.Itoa(x - y)
	}
	return strconv.Itoa(x * y)
}

// matches reports whether a shell pattern matches a text. Unlike in path.Match, "*" also matches
// slashes.
func matches(pattern, s string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x03"), strings.ReplaceAll(s, "/", "\x03"))
	return ok && err == nil
}

// hasBraces reports whether a part may contain a brace list.
func hasBraces(p part) bool {
	return p.kind == plainText && !p.quoted && strings.IndexByte(string(p.bytes), '{') >= 0
}

// maxBraces is the maximum number of words from braces, maxBraced the maximum length of
// such a word.
const (
	maxBraces = 64
	maxBraced = 4096
)

// braces expands {a,b} and {1..3} and returns the resulting words.
func braces(parts []part) [][]part {
	if !slices.ContainsFunc(parts, hasBraces) {
		return [][]part{parts}
	}
	// Quoted parts and expansions are represented by one private character each.
	var text []rune
	for i, p := range parts {
		if p.kind != plainText || p.quoted {
			text = append(text, rune(wholePart+i))
			continue
		}
		for _, c := range p.bytes {
			text = append(text, rune(c))
		}
	}
	if len(text) > maxBraced {
		return [][]part{parts}
	}
	var all [][]part
	for _, expanded := range new(bracer).lists(text, 0) {
		var w word
		for _, c := range expanded {
			if c >= wholePart {
				w.parts = append(w.parts, parts[c-wholePart])
			} else {
				w.lit(string([]byte{byte(c)}), false)
			}
		}
		all = append(all, w.parts)
	}
	return all
}

// wholePart is the first character that represents a part.
const wholePart = 0x100

// bracer counts the words of a brace expansion.
type bracer struct{ count int }

// lists expands the first brace list, then the results recursively.
func (b *bracer) lists(text []rune, depth int) [][]rune {
	for i, c := range text {
		if c != '{' || depth > 8 {
			continue
		}
		end, items := inBraces(text, i)
		if items == nil {
			continue
		}
		var all [][]rune
		for _, item := range items {
			if b.count++; b.count > maxBraces {
				break
			}
			all = append(all, b.lists(slices.Concat(text[:i], item, text[end+1:]), depth+1)...)
		}
		return all
	}
	return [][]rune{text}
}

// inBraces returns the end and the items of the brace list that opens at i, or no items.
func inBraces(text []rune, i int) (end int, items [][]rune) {
	depth, from := 0, i+1
	for j := i + 1; j < len(text); j++ {
		switch c := text[j]; {
		case c == '{':
			depth++
		case c == ',' && depth == 0:
			items, from = append(items, text[from:j]), j+1
		case c == '}' && depth > 0:
			depth--
		case c == '}' && items == nil:
			return j, sequence(string(text[i+1 : j]))
		case c == '}':
			return j, append(items, text[from:j])
		}
	}
	return 0, nil
}

// sequence expands the content of {1..3} or {a..c} to its items.
func sequence(text string) [][]rune {
	from, to, found := strings.Cut(text, "..")
	to, _, _ = strings.Cut(to, "..")
	a, errA := strconv.Atoi(from)
	z, errZ := strconv.Atoi(to)
	letter := errA != nil && errZ != nil && len(from) == 1 && len(to) == 1
	if letter {
		a, z = int(from[0]), int(to[0])
	} else if !found || errA != nil || errZ != nil {
		return nil
	}
	step := 1
	if z < a {
		step = -1
	}
	var items [][]rune
	for n := a; len(items) < maxBraces && n != z+step; n += step {
		item := []rune(strconv.Itoa(n))
		if letter {
			item = []rune{rune(n)}
		}
		items = append(items, item)
	}
	return items
}
