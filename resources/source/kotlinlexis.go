package source

import "bytes"

var kotlinLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, nested: true,
	quotes: []quote{{"'", "'", true, false}},
	silent: ";",
	odd: func(l *lexer) bool {
		switch l.data[l.offset] {
		case '"', '$':
			if quotes := l.offset + l.run(l.offset, '$'); quotes == len(l.data) || l.data[quotes] != '"' {
				l.take(punctToken, quotes)
			} else {
				l.take(textToken, l.kotlinEnd())
			}
			return true
		case '`':
			return l.kotlinName()
		case '#':
			if l.offset == 0 && l.has("#!") {
				l.take(commentToken, l.lineEnd(0))
				return true
			}
		}
		return false
	},
}

// kotlinName takes a name in backticks, which may contain spaces.
func (l *lexer) kotlinName() bool {
	end := bytes.IndexAny(l.data[l.offset+1:l.lineEnd(l.offset)], "`")
	if end <= 0 {
		return false
	}
	l.take(wordToken, l.offset+end+2)
	return true
}

// kotlinText is an open string of Kotlin, or an open expression in a string.
type kotlinText struct {
	raw          bool // triple-quoted
	dollars      int  // number of $ that begin an expression, before a brace
	inExpression bool // an expression
	braces       int  // in an expression: open braces
}

// kotlinEnd returns the end of the string that begins at the next byte. Expressions in a
// string may contain strings.
func (l *lexer) kotlinEnd() int {
	at, first := l.kotlinOpen(l.offset)
	open := []kotlinText{first}
	for at < len(l.data) && len(open) > 0 && len(open) < maxDepth {
		t := &open[len(open)-1]
		var inner *kotlinText
		var ends bool
		if t.inExpression {
			at, inner, ends = l.kotlinHole(t, at)
		} else {
			at, inner, ends = l.kotlinPiece(t, at)
		}
		switch {
		case ends:
			open = open[:len(open)-1]
		case inner != nil:
			open = append(open, *inner)
		}
	}
	l.unbalanced = l.unbalanced || len(open) > 0
	return min(at, len(l.data))
}

// kotlinOpen returns the start of the text of a string. Dollar signs before the quotes set
// the number that begins an expression.
func (l *lexer) kotlinOpen(at int) (int, kotlinText) {
	t := kotlinText{dollars: l.run(at, '$')}
	at += t.dollars
	t.dollars = max(t.dollars, 1)
	if t.raw = bytes.HasPrefix(l.data[at:], []byte(`"""`)); t.raw {
		return at + 3, t
	}
	return at + 1, t
}

// kotlinPiece scans a piece of a string's text, up to the end of the string
// (ends) or to an expression (inner).
func (l *lexer) kotlinPiece(t *kotlinText, at int) (after int, inner *kotlinText, ends bool) {
	switch c := l.data[at]; {
	case c == '"' && !t.raw:
		return at + 1, nil, true
	case c == '"':
		n := l.run(at, '"')
		return at + n, nil, n >= 3
	case c == '\\' && !t.raw:
		return at + 2, nil, false
	case c == '\n' && !t.raw:
		l.unbalanced = true
		return at, nil, true
	case c == '$':
		n := l.run(at, '$')
		if n >= t.dollars && at+n < len(l.data) && l.data[at+n] == '{' {
			return at + n + 1, &kotlinText{inExpression: true}, false
		}
		return at + n, nil, false
	}
	return at + 1, nil, false
}

// kotlinHole scans a piece of an expression in a string, up to its end (ends)
// or to a nested string (inner).
func (l *lexer) kotlinHole(t *kotlinText, at int) (after int, inner *kotlinText, ends bool) {
	switch l.data[at] {
	case '"':
		after, text := l.kotlinOpen(at)
		return after, &text, false
	case '\'':
		if end := l.run(at+1, '\\') + at + 2; end < len(l.data) && l.data[end] == '\'' {
			return end + 1, nil, false
		}
	case '{':
		t.braces++
	case '}':
		t.braces--
		return at + 1, nil, t.braces < 0
	}
	return at + 1, nil, false
}
