package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// What a text holds where it is not known before it runs. No word of a shell can hold
// these bytes; a line that does is not read.
const (
	unknown    = "\x00"            // anything
	shownByGit = unknown + unknown // a file as git has it
	// files that the line itself packs: see machine.archived
	archive = unknown + unknown + unknown
	fetched = "\x01" // something that comes from the network
	private = "\x02" // a file with secrets in it
	listed  = "\x04" // files that are found when it runs, of whatever kind
	marks   = unknown + fetched + private + listed
)

func known(s string) bool { return !strings.ContainsAny(s, marks) }

// field is what a word comes to: one argument.
type field struct {
	text    string // with marks where it is not known
	glob    bool   // it holds patterns that match files
	pattern string // of such: the word as a pattern of path.Match
	written string // of one that is not known: the word as it stands in the line
}

// maxChoices is how many values of a word are followed where it may have several.
const maxChoices = 16

// maxFields is how many arguments one word may come to.
const maxFields = 256

// partial is a word that is being expanded.
type partial struct {
	done  []field
	cur   []byte
	pat   []byte // cur as a pattern
	begun bool
	glob  bool
}

func (p partial) clone() partial {
	p.done = append([]field(nil), p.done...)
	p.cur, p.pat = append([]byte(nil), p.cur...), append([]byte(nil), p.pat...)
	return p
}

func (p *partial) add(s string, glob bool) {
	p.cur, p.begun, p.glob = append(p.cur, s...), true, p.glob || glob
	for i := range len(s) {
		if !glob && strings.IndexByte(`*?[\\`, s[i]) >= 0 {
			p.pat = append(p.pat, '\\')
		}
		p.pat = append(p.pat, s[i])
	}
}

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

// split adds text that is split into words at separators.
func (p *partial) split(s, separators string) {
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

// choices expands a word: one list of arguments for each value that it may have.
func (m *machine) choices(w word) [][]field {
	if m.over {
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
			if i < len(all) { // braces make one list; what has several values, several
				all[i] = append(all[i], c...)
			} else {
				all = append(all, c)
			}
		}
	}
	for _, fields := range all {
		for i := range fields {
			if !known(fields[i].text) {
				fields[i].written = w.written
			}
		}
	}
	return all
}

// fields expands a word to its arguments, those of all of its values in a row.
func (m *machine) fields(w word) []field {
	var all []field
	for _, c := range m.choices(w) {
		all = append(all, c...)
	}
	return all
}

func (m *machine) expandParts(parts []part) [][]field {
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
			m.spend(len(f.text))
		}
		all = append(all, o.done)
	}
	return all
}

// append adds one value of a part to a word.
func (m *machine) append(c *partial, p part, v value) {
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
		c.split(v.text, m.separators())
	}
}

// value is one value of a part.
type value struct {
	text  string
	glob  bool
	list  bool // "$@" and the like: items are arguments of their own
	items []string
}

func one(s string) []value { return []value{{text: s}} }

// values are the values that a part of a word may have.
func (m *machine) values(p part, first bool) []value {
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
		return one(strings.TrimRight(m.captured(p.run), "\n"))
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

// piped is the name under which a process substitution is read or written.
func (m *machine) piped(p part) string {
	name := "/dev/fd/" + strconv.Itoa(60+len(m.files)%1000)
	if p.text == ">" {
		m.writers = append(m.writers, writer{name: name, run: p.run})
		return name
	}
	m.files[name] = m.captured(p.run)
	return name
}

// text expands a word as an assignment or a target does: to one text. Of several
// values it is the first that is known.
func (m *machine) text(w word) string {
	texts := m.texts(w)
	return texts[max(0, slices.IndexFunc(texts, known))]
}

// texts are all values of a word that is not split.
func (m *machine) texts(w word) []string {
	all := []string{""}
	for i, p := range w.parts {
		values := m.values(p, i == 0)
		var next []string
		for _, before := range all {
			for _, v := range values {
				if len(next) < maxChoices && !m.over {
					next = append(next, before+v.joined())
					m.spend(len(next[len(next)-1]))
				}
			}
		}
		if all = next; len(all) == 0 {
			return []string{unknown}
		}
	}
	return all
}

func (v value) joined() string {
	if v.list {
		return strings.Join(v.items, " ")
	}
	return v.text
}

// document expands a here-document's body.
func (m *machine) document(body string) string {
	if !strings.ContainsAny(body, "$`\\") {
		return body
	}
	return m.text(textOf(body, inDocument, true))
}

// arithmetic is the value of a sum of plain numbers; everything else is unknown. What it
// substitutes runs all the same.
func (m *machine) arithmetic(s string) string {
	if strings.ContainsAny(s, "$`") {
		s = m.document(s)
	}
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	i := 1 + strings.IndexAny(s[min(1, len(s)):], "+-*") // a sign may stand in front
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

// matches is path.Match on texts without slashes' meaning, as the shell's own is.
func matches(pattern, s string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x03"), strings.ReplaceAll(s, "/", "\x03"))
	return ok && err == nil
}

// hasBraces reports whether a part may hold a list in braces.
func hasBraces(p part) bool {
	return p.kind == plainText && !p.quoted && strings.IndexByte(string(p.bytes), '{') >= 0
}

// maxBraces is how many words braces may make, and maxBraced how long a word may be.
const (
	maxBraces = 64
	maxBraced = 4096
)

// braces expands {a,b} and {1..3}: the words that a word stands for.
func braces(parts []part) [][]part {
	if !slices.ContainsFunc(parts, hasBraces) {
		return [][]part{parts}
	}
	// What is quoted or expands counts as one character: one that no text holds.
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

// wholePart is the first of the characters that stand for parts.
const wholePart = 0x100

// bracer counts the words that it makes.
type bracer struct{ count int }

// lists expands the first list in braces, and then what came of it.
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

// inBraces finds the end of a list that opens at i, and its items; none if it is no list.
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

// sequence reads 1..3 and a..c.
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
