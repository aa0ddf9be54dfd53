package source

import "bytes"

// elementFollows reports whether the < at the next byte begins a JSX element: it is at the
// position of an operand, and does not begin type parameters.
func (s *scriptLexer) elementFollows(l *lexer) bool {
	if last := len(l.tokens) - 1; l.operand(last) || l.is(last, "}", "new") {
		return false
	}
	at := l.blanks(l.offset + 1)
	if at >= len(l.data) {
		return false
	}
	if l.data[at] == '>' {
		return true
	}
	end := l.wordEnd(at)
	return end > at && l.letter(l.data[at]) && !l.parametersFollow(at, end)
}

// parametersFollow reports whether < and a word begin type parameters: a comma, a
// constraint or a default follows, or > and the parameters of a function.
func (l *lexer) parametersFollow(at, end int) bool {
	next := l.blanks(end)
	switch rest := l.data[next:]; {
	case string(l.data[at:end]) == "const" || len(rest) == 0:
		return true
	case rest[0] == ',' || rest[0] == '=':
		return true
	case bytes.HasPrefix(rest, []byte("extends")):
		after := l.blanks(next + len("extends"))
		return after > next+len("extends") && after < len(l.data) && bytes.IndexByte([]byte("=>/"), l.data[after]) < 0
	case rest[0] == '>':
		next = l.blanks(next + 1)
		return next < len(l.data) && l.data[next] == '(' && l.takesParameters(l.blanks(next+1))
	}
	return false
}

// takesParameters reports whether the text after a bracket is a parameter list: a name with
// a type, or an empty list with an arrow or a result type.
func (l *lexer) takesParameters(at int) bool {
	rest := l.data[at:]
	if bytes.HasPrefix(rest, []byte("...")) {
		return true
	}
	if len(rest) > 0 && rest[0] == ')' {
		after := l.data[l.blanks(at+1):]
		return bytes.HasPrefix(after, []byte("=>")) || bytes.HasPrefix(after, []byte(":"))
	}
	end := l.wordEnd(at)
	after := l.data[l.blanks(end):]
	return end > at && (bytes.HasPrefix(after, []byte(":")) || bytes.HasPrefix(after, []byte("?:")))
}

// blanks returns the end of white space at an offset.
func (l *lexer) blanks(at int) int {
	for at < len(l.data) && bytes.IndexByte([]byte(" \t\r\n"), l.data[at]) >= 0 {
		at++
	}
	return at
}

// tag takes the next token inside a JSX tag. It returns false for a comment or "{", which are
// scanned as code.
func (s *scriptLexer) tag(l *lexer, c byte) bool {
	switch {
	case c == '{' || l.has("//") || l.has("/*"):
		return false
	case c == '>':
		s.tagEnds(l)
	case c == '<' && l.is(len(l.tokens)-1, "="):
		s.enter(l, tagMode)
		l.bracket(1)
	case c == '<':
		s.enter(l, argumentsMode)
		l.bracket(1)
	case c == '"' || c == '\'':
		l.take(textToken, l.quoteEnd(l.offset+1, quote{close: string(c), lines: true}))
	case l.letter(c):
		l.take(wordToken, l.attributeEnd())
	default:
		l.bracket(1)
	}
	return true
}

// attributeEnd returns the end of the attribute name at the next byte. The name may contain
// - and :.
func (l *lexer) attributeEnd() int {
	at := l.offset
	for {
		at = l.wordEnd(at)
		if at >= len(l.data) || l.data[at] != '-' && l.data[at] != ':' {
			return at
		}
		at++
	}
}

// tagEnds takes the > of a tag. The children follow the opening tag of an element.
func (s *scriptLexer) tagEnds(l *lexer) {
	top := &s.modes[len(s.modes)-1]
	self := l.is(len(l.tokens)-1, "/")
	l.bracket(1)
	switch {
	case top.kind == closingMode:
		s.modes = s.modes[:len(s.modes)-1]
		if s.mode(l) == childrenMode {
			s.elementEnds(l)
		}
	case self:
		s.elementEnds(l)
	default:
		top.kind = childrenMode
	}
}

// elementEnds leaves the mode of a JSX element at its end and pairs its first and last tokens.
func (s *scriptLexer) elementEnds(l *lexer) {
	n := len(s.modes) - 1
	l.pair(s.modes[n].first, len(l.tokens)-1)
	s.modes = s.modes[:n]
}

// childToken takes the next token between tags: a word of text or the begin of a tag. It
// returns false at {, which begins an expression.
func (s *scriptLexer) childToken(l *lexer, c byte) bool {
	switch c {
	case '{':
		return false
	case '<':
		kind := tagMode
		if at := l.blanks(l.offset + 1); at < len(l.data) && l.data[at] == '/' {
			kind = closingMode
		}
		s.enter(l, kind)
		l.bracket(1)
	default:
		end := bytes.IndexAny(l.data[l.offset:], " \t\r\n{}<")
		if end < 0 {
			end = len(l.data) - l.offset
		}
		l.take(textToken, l.offset+max(end, 1))
	}
	return true
}

// arguments counts < and > in the type arguments of a tag.
func (s *scriptLexer) arguments(l *lexer, c byte) bool {
	switch c {
	case '<':
		s.enter(l, argumentsMode)
	case '>':
		s.modes = s.modes[:len(s.modes)-1]
	default:
		return false
	}
	l.bracket(1)
	return true
}
