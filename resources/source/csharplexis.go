package source

var csharpLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}},
	quotes: []quote{{"'", "'", true, false}},
	odd: func(l *lexer) bool {
		switch l.data[l.offset] {
		case '#':
			if !l.startOfLine() {
				return false
			}
			l.branch(l.directive())
			l.offset = l.lineEnd(l.offset)
			return true
		case '"', '$', '@':
			if _, ok := csharpText(l.data, l.offset); ok {
				l.take(textToken, l.csharpEnd())
				return true
			}
			if l.data[l.offset] == '@' && l.offset+1 < len(l.data) && l.letter(l.data[l.offset+1]) {
				l.take(wordToken, l.wordEnd(l.offset+1))
				return true
			}
		}
		return false
	},
}

// startOfLine reports whether only white space precedes the next byte in its line.
func (l *lexer) startOfLine() bool {
	for at := l.offset - 1; at >= 0; at-- {
		switch l.data[at] {
		case '\n':
			return true
		case ' ', '\t', '\r', 0xef, 0xbb, 0xbf:
		default:
			return false
		}
	}
	return true
}

// csharpString is an open string of C#, or an open expression in a string.
type csharpString struct {
	start        int // start of its text
	verbatim     bool
	quotes       int  // number of quotes that end it
	holes        int  // number of braces that begin an expression in it; 0 if it has no expressions
	inExpression bool // it is an expression
	depth        int  // in an expression: open brackets
}

// csharpText parses the start of a string.
func csharpText(data []byte, at int) (s csharpString, ok bool) {
	for ; at < len(data) && (data[at] == '$' || data[at] == '@'); at++ {
		if data[at] == '$' {
			s.holes++
		} else {
			s.verbatim = true
		}
	}
	for ; at < len(data) && data[at] == '"'; at++ {
		s.quotes++
	}
	s.start = at
	if n := s.quotes; n > 0 && (n < 3 || s.verbatim) {
		s.quotes, s.start = 1, at-n+1
	}
	return s, s.quotes > 0
}

// run returns the length of the run of byte c at an offset.
func (l *lexer) run(at int, c byte) (n int) {
	for at+n < len(l.data) && l.data[at+n] == c {
		n++
	}
	return n
}

// csharpEnd returns the end of the string that begins at the next byte. Expressions in a
// string may contain strings.
func (l *lexer) csharpEnd() int {
	first, _ := csharpText(l.data, l.offset)
	open, at := []csharpString{first}, first.start
	for at < len(l.data) && len(open) > 0 && len(open) < maxConditions {
		s := &open[len(open)-1]
		var inner csharpString
		var ends bool
		if s.inExpression {
			at, inner, ends = l.csharpHole(s, at)
		} else {
			at, inner, ends = l.csharpPiece(s, at)
		}
		switch {
		case ends:
			open = open[:len(open)-1]
		case inner.quotes > 0 || inner.inExpression:
			open = append(open, inner)
		}
	}
	l.unbalanced = l.unbalanced || len(open) > 0
	return min(at, len(l.data))
}

// csharpPiece scans a piece of a string's text, up to the end of the string
// (ends) or to an expression (inner).
func (l *lexer) csharpPiece(s *csharpString, at int) (after int, inner csharpString, ends bool) {
	switch c := l.data[at]; {
	case c == '"' && s.quotes >= 3:
		n := l.run(at, '"')
		return at + n, inner, n >= s.quotes
	case c == '"' && s.verbatim && l.run(at, '"') > 1:
		return at + 2, inner, false
	case c == '"':
		return at + 1, inner, true
	case c == '\\' && !s.verbatim && s.quotes < 3:
		return at + 2, inner, false
	case c == '\n' && !s.verbatim && s.quotes < 3:
		l.unbalanced = true
		return at, inner, true
	case c == '{' && s.holes > 0:
		n := l.run(at, '{')
		if s.quotes < 3 {
			inner.inExpression = n%2 == 1
		} else {
			inner.inExpression = n >= s.holes
		}
		inner.holes = max(1, s.holes)
		return at + n, inner, false
	}
	return at + 1, inner, false
}

// csharpHole scans a piece of an expression in a string, up to its end (ends)
// or to a nested string (inner).
func (l *lexer) csharpHole(s *csharpString, at int) (after int, inner csharpString, ends bool) {
	switch c := l.data[at]; c {
	case '"', '$', '@':
		if text, ok := csharpText(l.data, at); ok {
			return text.start, text, false
		}
	case '\'':
		if end := l.run(at+1, '\\') + at + 2; end < len(l.data) && l.data[end] == '\'' {
			return end + 1, inner, false
		}
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		if s.depth == 0 {
			return at + max(1, min(s.holes, l.run(at, '}'))), inner, true
		}
		s.depth--
	}
	return at + 1, inner, false
}
