package command

import "strings"

// Special characters: in a word, after the name in ${...}, in double quotes and in a
// here-document.
const (
	inWord     = metacharacters + "'\"\\$`~"
	inArgument = "'\"\\$`"
	inQuotes   = "\"\\$`"
	inDocument = "\\$`"
)

// word parses one word. ok is false if no word follows.
func (p *parser) word() (w word, ok bool) {
	start := p.pos
	for p.pos < len(p.src) && !p.failed {
		c := p.src[p.pos]
		switch {
		case p.hasPrefix("<(") || p.hasPrefix(">("):
			p.pos++
			w.ran(process, string(c), false, p.enclosed(')'))
			continue
		case c == '(' && p.pos > start && p.openWord(start, &w):
			continue
		case c == '~':
			p.tilde(&w, start)
			continue
		}
		if strings.IndexByte(metacharacters, c) >= 0 {
			break
		}
		p.piece(&w, inWord, false)
	}
	w.literal = true
	for _, p := range w.parts {
		if p.kind == plainText {
			w.text += string(p.bytes)
		}
		w.literal = w.literal && p.kind == plainText && (p.quoted || !strings.ContainsAny(string(p.bytes), "*?[{"))
	}
	w.source = p.src[start:p.pos]
	w.assigns = isAssignment(w.source)
	return w, p.pos > start && !p.failed
}

// textOf parses a whole text as one word.
func textOf(src, specials string, quoted bool) word {
	p := &parser{src: src}
	var w word
	for p.pos < len(p.src) && !p.failed {
		p.piece(&w, specials, quoted)
	}
	if p.failed {
		return word{parts: []part{{kind: extglob}}}
	}
	return w
}

// piece parses a special character with its construct, or the text up to the next one.
func (p *parser) piece(w *word, specials string, quoted bool) {
	c, rest := p.src[p.pos], p.src[p.pos+1:]
	switch {
	case strings.IndexByte(specials, c) < 0:
	case c == '\'':
		w.lit(p.singleQuoted(), true)
		return
	case c == '"':
		w.lit("", true)
		p.upTo('"', w, inQuotes, true)
		return
	case c == '\\' && (!quoted || rest != "" && strings.IndexByte(specials+"\n", rest[0]) >= 0):
		w.lit(p.escaped(), true)
		return
	case c == '`', c == '$' && !(quoted && (p.hasPrefix("$'") || p.hasPrefix(`$"`))): // no quoting inside quotes
		p.expansion(w, quoted)
		return
	}
	begin := p.pos
	for p.pos++; p.pos < len(p.src) && strings.IndexByte(specials, p.src[p.pos]) < 0; p.pos++ {
	}
	w.lit(p.src[begin:p.pos], quoted)
}

// singleQuoted returns the text of the string '...' at the current position.
func (p *parser) singleQuoted() string {
	text, _, closed := strings.Cut(p.src[p.pos+1:], "'")
	p.failed = p.failed || !closed
	p.pos = min(p.pos+len(text)+2, len(p.src))
	return text
}

// escaped parses a backslash and the character after it.
func (p *parser) escaped() (text string) {
	if p.pos++; p.pos < len(p.src) && p.src[p.pos] != '\n' {
		text = p.src[p.pos : p.pos+1]
	}
	p.pos = min(p.pos+1, len(p.src))
	return text
}

// tilde parses "~" at the start of a word. Elsewhere it is literal.
func (p *parser) tilde(w *word, start int) {
	switch {
	case p.pos != start:
		w.lit("~", false)
	case p.hasPrefix("~+/"): // working directory
		w.parts = append(w.parts, part{kind: param, text: "PWD", quoted: true})
		p.pos++
	default:
		name := p.pos + 1
		for p.pos++; isNameByte(p.peek()) || p.peek() == '-'; p.pos++ {
		}
		w.parts = append(w.parts, part{kind: tilde, text: p.src[name:p.pos]})
		p.pos--
	}
	p.pos++
}

// ran adds a part that runs commands.
func (w *word) ran(kind piece, text string, quoted bool, list []*stmt) {
	w.runs = append(w.runs, list)
	w.parts = append(w.parts, part{kind: kind, text: text, quoted: quoted, run: list})
}

// upTo parses pieces of a word including the byte that ends them.
func (p *parser) upTo(end byte, w *word, specials string, quoted bool) {
	for p.pos++; p.pos < len(p.src) && !p.failed; {
		if p.src[p.pos] == end {
			p.pos++
			return
		}
		p.piece(w, specials, quoted)
	}
	p.failed = true
}

// expansion parses an expansion that starts with "$" or "`".
func (p *parser) expansion(w *word, quoted bool) {
	if p.src[p.pos] == '`' {
		p.backquoted(w, quoted)
		return
	}
	p.pos++
	if !p.expands() {
		w.lit("$", quoted)
		return
	}
	start := p.pos
	switch c := p.peek(); {
	case c == '(':
		if end, ok := p.arithmetic(p.pos + 2); ok && p.hasPrefix("((") {
			w.parts = append(w.parts, part{kind: sum, text: p.src[start+2 : end-2], quoted: quoted})
			p.pos = end
			return
		}
		w.ran(substitution, "", quoted, p.enclosed(')'))
	case p.hasPrefix("{ "), p.hasPrefix("{\t"), p.hasPrefix("{\n"), p.hasPrefix("{|"):
		p.pos++
		p.inner++
		w.ran(substitution, "", quoted, p.enclosed('}'))
		p.inner--
	case c == '{':
		inner := word{}
		p.braced(&inner)
		w.runs = append(w.runs, inner.runs...)
		if !p.failed {
			w.parts = append(w.parts, part{kind: param, text: p.src[start+1 : p.pos-1], quoted: quoted})
		}
	case c == '\'':
		// $'...' is skipped.
		for p.pos++; p.pos < len(p.src) && p.src[p.pos] != '\''; p.pos++ {
			if p.src[p.pos] == '\\' {
				p.pos++
			}
		}
		p.failed = p.failed || p.pos >= len(p.src)
		p.pos = min(p.pos+1, len(p.src))
		if !p.failed {
			w.lit(unescaped(p.src[start+1:p.pos-1], ansiC), true)
		}
	case c == '"': // $"...", a translated string
	default:
		p.pos++
		for isNameByte(c) && (c < '0' || c > '9') && isNameByte(p.peek()) {
			p.pos++
		}
		w.parts = append(w.parts, part{kind: param, text: p.src[start:p.pos], quoted: quoted})
	}
}

// expands reports whether a "$" starts an expansion.
func (p *parser) expands() bool {
	c := p.peek()
	return c != 0 && (isNameByte(c) || strings.IndexByte("({'\"?*@#!-$", c) >= 0)
}

// enclosed parses the commands of $(...), <(...), >(...) and ${ ...; }.
func (p *parser) enclosed(end byte) []*stmt {
	p.pos++
	waiting, cases := p.heredocs, p.cases
	p.heredocs, p.cases = nil, 0
	list := p.list()
	p.heredocs, p.cases = append(waiting, p.heredocs...), cases
	if p.peek() != end {
		p.failed = true
		return list
	}
	p.pos++
	return list
}

// backquoted parses `...`, which has separate escape rules.
func (p *parser) backquoted(w *word, quoted bool) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		if c == '`' {
			p.pos++
			inner := &parser{src: b.String(), depth: p.depth}
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

// braced parses ${...}, which may contain quotes and nested expansions.
func (p *parser) braced(w *word) {
	p.depth++
	defer func() { p.depth-- }()
	p.failed = p.failed || p.depth > maxDepth
	p.upTo('}', w, inArgument+"}", false)
}

// arithmetic returns the end of ((...)), given the position after the first two
// parentheses. It returns false for other texts, such as nested groups.
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

// openWord parses a "(" that belongs to the preceding word: a list of values
// (a=(1 2)) or an extended pattern (!(x)). It returns false for any other "(".
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

// isAssignment reports whether a text starts with NAME=, NAME+= or NAME[...]=.
func isAssignment(raw string) bool {
	name, _, found := strings.Cut(raw, "=")
	name = strings.TrimSuffix(name, "+")
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return found && name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool { return r > 0x7f || !isNameByte(byte(r)) })
}

// isNameByte reports whether a byte may be part of the name of a variable.
func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
