package source

import "bytes"

var kotlinLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, nested: true,
	quotes: []quote{{"'", "'", true, false}},
	silent: ";",
	odd: func(l *lexer) bool {
		switch l.data[l.at] {
		case '"', '$':
			quotes := l.at + l.run(l.at, '$')
			if quotes == len(l.data) || l.data[quotes] != '"' {
				l.take(punctToken, quotes)
			} else {
				l.take(textToken, l.kotlinEnd())
			}
			return true
		case '`':
			return l.kotlinName()
		case '#':
			if l.at == 0 && l.has("#!") {
				l.take(commentToken, l.lineEnd(0))
				return true
			}
		}
		return false
	},
}

// kotlinName takes a name between backticks: it may hold blanks.
func (l *lexer) kotlinName() bool {
	end := bytes.IndexAny(l.data[l.at+1:l.lineEnd(l.at)], "`")
	if end <= 0 {
		return false
	}
	l.take(wordToken, l.at+end+2)
	return true
}

// kotlinText is a string of Kotlin that has begun, or an expression in one.
type kotlinText struct {
	raw     bool // between three quotes
	dollars int  // that begin an expression in it, with a brace
	inside  bool // an expression
	braces  int  // of an expression: open ones in it
}

// kotlinEnd is where the string ends that begins at the next byte. Expressions in it may hold
// strings.
func (l *lexer) kotlinEnd() int {
	at, first := l.kotlinOpen(l.at)
	open := []kotlinText{first}
	for at < len(l.data) && len(open) > 0 && len(open) < maxDepth {
		t := &open[len(open)-1]
		var inner *kotlinText
		var ends bool
		if t.inside {
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
	l.torn = l.torn || len(open) > 0
	return min(at, len(l.data))
}

// kotlinOpen is where the text of a string begins whose quotes stand at an offset, maybe after
// signs that say how many of them begin an expression.
func (l *lexer) kotlinOpen(at int) (int, kotlinText) {
	t := kotlinText{dollars: l.run(at, '$')}
	at += t.dollars
	t.dollars = max(t.dollars, 1)
	if t.raw = bytes.HasPrefix(l.data[at:], []byte(`"""`)); t.raw {
		return at + 3, t
	}
	return at + 1, t
}

// kotlinPiece reads a piece of a string's text: it may end it, or begin an expression.
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
		l.torn = true
		return at, nil, true
	case c == '$':
		n := l.run(at, '$')
		if n >= t.dollars && at+n < len(l.data) && l.data[at+n] == '{' {
			return at + n + 1, &kotlinText{inside: true}, false
		}
		return at + n, nil, false
	}
	return at + 1, nil, false
}

// kotlinHole reads a piece of an expression in a string: it may end it, or begin a string.
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
