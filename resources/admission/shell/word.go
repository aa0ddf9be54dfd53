package shell

import "strings"

// word reads one word; ok is false if none comes next.
func (p *parser) word() (w word, ok bool) {
	var b strings.Builder
	start := p.pos
	w.literal, w.build = true, &building{text: &b}
	unknown := func() { w.literal = false }
	for p.pos < len(p.src) && !p.failed {
		c, before := p.src[p.pos], b.Len()
		if p.at("<(") || p.at(">(") {
			p.pos++
			w.ran(process, string(c), false, p.inParentheses())
			unknown()
			w.opaque = true
			continue
		}
		if c == '(' && p.pos > start && p.openWord(start, &w) {
			unknown()
			w.opaque = true
			continue
		}
		if strings.IndexByte(metacharacters, c) >= 0 {
			break
		}
		switch c {
		case '\'':
			quoted := p.singleQuoted()
			b.WriteString(quoted)
			w.lit(quoted, true)
		case '"':
			w.lit("", true)
			p.doubleQuoted(&b, &w, p.pos == start)
		case '\\':
			p.escaped(&b)
			w.lit(b.String()[before:], true)
		case '$', '`':
			p.expansion(&w, &b, p.pos == start, false)
		case '*', '?', '[', '{':
			unknown()
			w.build.pattern.WriteByte(c)
			w.lit(string(c), false)
			p.pos++
		case '~':
			p.tilde(&w, &b, start)
		default:
			end := p.pos + 1
			for end < len(p.src) && strings.IndexByte(metacharacters+"'\"\\$`*?[{~", p.src[end]) < 0 {
				end++
			}
			b.WriteString(p.src[p.pos:end])
			w.lit(p.src[p.pos:end], false)
			p.pos = end
		}
		w.build.flush()
	}
	w.text, w.pattern, w.build = b.String(), w.build.pattern.String(), nil
	w.assigns = isAssignment(p.src[start:p.pos])
	return p.finish(w, start)
}

// building is what has been read of a word.
type building struct {
	text    *strings.Builder
	done    int // how much of text is in pattern
	pattern strings.Builder
}

// flush takes the text over into the pattern.
func (b *building) flush() {
	escapePattern(&b.pattern, b.text.String()[b.done:])
	b.done = b.text.Len()
}

// value adds what a variable stands for.
func (b *building) value(pattern string) {
	b.flush()
	b.pattern.WriteString(pattern)
}

// finish settles what a word that starts in the home folder amounts to.
func (p *parser) finish(w word, start int) (word, bool) {
	if w.home {
		rest, below := strings.CutPrefix(w.text, "/")
		w.inHome = below && !w.opaque
		w.home, w.text = below && w.literal, rest
		w.pattern = strings.TrimPrefix(w.pattern, "/")
		w.literal = false
	}
	return w, p.pos > start && !p.failed
}

// escapePattern adds text to a pattern of path.Match that matches just it.
func escapePattern(pattern *strings.Builder, text string) {
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(`*?[{\`, text[i]) >= 0 {
			pattern.WriteByte('\\')
		}
		pattern.WriteByte(text[i])
	}
}

// known is what a word amounts to for others.
func (w word) known() Word {
	k := Word{Text: w.text, Literal: w.literal, Home: w.inHome}
	if w.opaque {
		return k
	}
	k.Pattern = w.pattern
	if !w.literal && !w.inHome && !w.home && !strings.ContainsAny(w.pattern, `*?[{\`) { // known by its variables
		k.Text, k.Literal = w.pattern, true
	}
	return k
}

// singleQuoted reads '...'.
func (p *parser) singleQuoted() string {
	text, _, closed := strings.Cut(p.src[p.pos+1:], "'")
	p.failed = p.failed || !closed
	p.pos = min(p.pos+len(text)+2, len(p.src))
	return text
}

// escaped reads a backslash with what it protects.
func (p *parser) escaped(b *strings.Builder) {
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] != '\n' {
		b.WriteByte(p.src[p.pos])
	}
	p.pos = min(p.pos+1, len(p.src))
}

// tilde reads "~" at the start of a word; anywhere else it is itself.
func (p *parser) tilde(w *word, b *strings.Builder, start int) {
	switch {
	case p.pos != start:
		b.WriteByte('~')
		w.lit("~", false)
	case p.at("~/"):
		w.home = true
		w.parts = append(w.parts, part{kind: tilde})
	case p.at("~+/"): // where it runs
		w.literal, w.opaque = false, true
		w.parts = append(w.parts, part{kind: param, text: "PWD", quoted: true})
		p.pos++
	default:
		w.literal, w.opaque = false, true
		w.parts = append(w.parts, part{kind: tilde})
	}
	p.pos++
}

// ran adds a part that runs commands.
func (w *word) ran(kind piece, text string, quoted bool, list []*stmt) {
	w.runs = append(w.runs, list)
	w.parts = append(w.parts, part{kind: kind, text: text, quoted: quoted, run: list})
}

// doubleQuoted reads "...", with the expansions in it.
func (p *parser) doubleQuoted(b *strings.Builder, w *word, first bool) {
	p.pos++
	for begin := p.pos; p.pos < len(p.src) && !p.failed; {
		switch c := p.src[p.pos]; c {
		case '"':
			p.pos++
			return
		case '\\':
			if p.pos+1 < len(p.src) && strings.IndexByte("$`\"\\\n", p.src[p.pos+1]) >= 0 {
				before := b.Len()
				p.escaped(b)
				w.lit(b.String()[before:], true)
				continue
			}
			b.WriteByte(c)
			w.lit(string(c), true)
			p.pos++
		case '$', '`':
			if c == '$' && (p.at("$'") || p.at("$\"")) {
				b.WriteByte(c) // no quoting inside quotes
				w.lit("$", true)
				p.pos++
				continue
			}
			p.expansion(w, b, first && p.pos == begin, true)
		default:
			end := p.pos + 1
			for end < len(p.src) && strings.IndexByte("\"\\$`", p.src[end]) < 0 {
				end++
			}
			b.WriteString(p.src[p.pos:end])
			w.lit(p.src[p.pos:end], true)
			p.pos = end
		}
	}
	p.failed = true
}

// expansion reads what "$" or "`" begins. Only $HOME at the start of a word has
// a value that is known later on.
func (p *parser) expansion(w *word, b *strings.Builder, first, quoted bool) {
	if p.src[p.pos] == '`' {
		p.backquoted(w, quoted)
		return
	}
	for _, home := range []string{"${HOME}/", "$HOME/"} {
		if first && p.at(home) {
			w.home = true
			w.parts = append(w.parts, part{kind: param, text: "HOME", quoted: quoted})
			p.pos += len(home) - 1
			return
		}
	}
	p.pos++
	if !p.expands() {
		b.WriteByte('$')
		w.lit("$", quoted)
		return
	}
	w.literal = false
	start := p.pos
	if w.build != nil && p.braces == 0 && w.build.pattern.Len() <= maxValue {
		text := w.build.text.String()
		if pattern, found := p.variable(strings.HasSuffix(text, "=") && isAssignment(text)); found {
			w.build.value(pattern)
			w.parts = append(w.parts, part{kind: param, text: strings.Trim(p.src[start:p.pos], "{}"), quoted: quoted})
			return
		}
	}
	w.opaque = true
	switch c := p.peek(); {
	case p.at("(("):
		if end, ok := p.arithmetic(p.pos + 2); ok {
			w.parts = append(w.parts, part{kind: sum, text: p.src[start+2 : end-2], quoted: quoted})
			p.pos = end
			return
		}
		w.ran(substitution, "", quoted, p.inParentheses())
	case c == '(':
		w.ran(substitution, "", quoted, p.inParentheses())
	case c == '{':
		inner := word{}
		p.braced(&inner)
		w.runs = append(w.runs, inner.runs...)
		if !p.failed {
			w.parts = append(w.parts, part{kind: param, text: p.src[start+1 : p.pos-1], quoted: quoted})
		}
	case c == '\'':
		p.ansiQuoted()
		if !p.failed {
			w.lit(unescaped(p.src[start+1:p.pos-1], ansiC), true)
		}
	case c == '"': // $"...", a translated string
	case c >= '0' && c <= '9':
		p.pos++
		w.parts = append(w.parts, part{kind: param, text: p.src[start:p.pos], quoted: quoted})
	case isNameByte(c):
		for isNameByte(p.peek()) {
			p.pos++
		}
		w.parts = append(w.parts, part{kind: param, text: p.src[start:p.pos], quoted: quoted})
	default:
		p.pos++
		w.parts = append(w.parts, part{kind: param, text: p.src[start:p.pos], quoted: quoted})
	}
}

// expands reports whether what follows a "$" makes it more than a dollar sign.
func (p *parser) expands() bool {
	c := p.peek()
	return c != 0 && (isNameByte(c) || strings.IndexByte("({'\"?*@#!-$", c) >= 0)
}

// inParentheses reads the commands of $(...), <(...) and >(...).
func (p *parser) inParentheses() []*stmt {
	p.pos++
	waiting, cases := p.heredocs, p.cases
	p.heredocs, p.cases = nil, 0
	list := p.list()
	p.heredocs, p.cases = append(waiting, p.heredocs...), cases
	if p.peek() != ')' {
		p.failed = true
		return list
	}
	p.pos++
	return list
}

// backquoted reads `...`, whose commands have backslashes of their own.
func (p *parser) backquoted(w *word, quoted bool) {
	w.literal, w.opaque = false, true
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		if c == '`' {
			p.pos++
			inner := &parser{src: b.String(), depth: p.depth, values: p.values}
			w.ran(substitution, "", quoted, inner.list())
			p.compound = p.compound || inner.compound
			p.failed = p.failed || inner.failed || inner.pos < len(inner.src)
			return
		}
		if c == '\\' && p.pos+1 < len(p.src) && strings.IndexByte("$`\\", p.src[p.pos+1]) >= 0 {
			p.pos++
			c = p.src[p.pos]
		}
		b.WriteByte(c)
	}
	p.failed = true
}

// braced reads ${...}, whose word may hold quotes and further expansions.
func (p *parser) braced(w *word) {
	p.depth++
	p.braces++
	defer func() { p.depth--; p.braces-- }()
	if p.depth > maxDepth {
		p.failed = true
	}
	var ignored strings.Builder
	for p.pos++; p.pos < len(p.src) && !p.failed; {
		switch p.src[p.pos] {
		case '}':
			p.pos++
			return
		case '\'':
			p.singleQuoted()
		case '"':
			p.doubleQuoted(&ignored, w, false)
		case '\\':
			p.escaped(&ignored)
		case '$', '`':
			p.expansion(w, &ignored, false, true)
		default:
			p.pos++
		}
	}
	p.failed = true
}

// ansiQuoted skips $'...'.
func (p *parser) ansiQuoted() {
	for p.pos++; p.pos < len(p.src); p.pos++ {
		switch p.src[p.pos] {
		case '\\':
			p.pos++
		case '\'':
			p.pos++
			return
		}
	}
	p.pos, p.failed = len(p.src), true
}

// arithmetic finds the end of ((...)), from behind the first two parentheses.
func (p *parser) arithmetic(from int) (end int, ok bool) {
	depth := 0
	for i := from; i < len(p.src); i++ {
		switch p.src[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i + 2, strings.HasPrefix(p.src[i:], "))")
			}
			depth--
		case '\'', '"', '`', ';', '\n':
			if depth > 0 || p.src[i] != ';' {
				return 0, false
			}
		}
	}
	return 0, false
}

// openWord reads a "(" that belongs to the word before it: a list of values
// (a=(1 2)) or an extended pattern (!(x)).
func (p *parser) openWord(start int, w *word) bool {
	before := p.src[p.pos-1]
	if before == '=' && isAssignment(p.src[start:p.pos]) {
		p.pos++
		list := part{kind: array}
		defer func() { w.parts = append(w.parts, list) }()
		for p.blankLines(); p.peek() != ')'; p.blankLines() {
			item, ok := p.word()
			if !ok {
				p.failed = true
				return true
			}
			w.runs = append(w.runs, item.runs...)
			list.items = append(list.items, item)
		}
		p.pos++
		return true
	}
	if strings.IndexByte("?*+@!", before) < 0 {
		return false
	}
	w.parts = append(w.parts, part{kind: extglob})
	end := strings.IndexByte(p.src[p.pos:], ')')
	p.failed = p.failed || end < 0
	p.pos = min(p.pos+max(end, 0)+1, len(p.src))
	return true
}

// isAssignment tells NAME=, NAME+= and NAME[...]= at the start of a word.
func isAssignment(raw string) bool {
	name, _, found := strings.Cut(raw, "=")
	name = strings.TrimSuffix(name, "+")
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	if !found || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !isNameByte(name[i]) {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
