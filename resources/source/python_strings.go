package source

import "bytes"

// pythonOdd takes strings with prefixes, and a backslash that joins two lines.
func pythonOdd(l *lexer) bool {
	if n := joined(l.data[l.offset:]); n > 0 {
		l.offset += n
		l.row++
		return true
	}
	prefix := stringPrefix(l.data[l.offset:])
	if prefix < 0 {
		return false
	}
	from := l.offset + prefix
	q := pythonQuote(l.data[from:])
	if bytes.ContainsAny(l.data[l.offset:from], "fFtT") && !l.unbalanced {
		if end := l.formattedEnd(l.offset, from); end > 0 {
			l.take(textToken, end)
			return true
		}
		l.unbalanced = true
	}
	l.take(textToken, l.quoteEnd(from+len(q.open), q))
	return true
}

// stringPrefix returns the length of the prefix before the quote of the string at the start
// of data. It returns -1 if data does not begin with a string.
func stringPrefix(data []byte) int {
	for i, c := range data[:min(len(data), 3)] {
		if c == '"' || c == '\'' {
			return i
		}
		if bytes.IndexByte([]byte("rRbBuUfFtT"), c) < 0 {
			return -1
		}
	}
	return -1
}

// pythonQuote returns the form of the string with a quote at the start of data.
func pythonQuote(data []byte) quote {
	mark := string(data[:1])
	if triple := mark + mark + mark; bytes.HasPrefix(data, []byte(triple)) {
		return quote{triple, triple, true, true}
	}
	return quote{mark, mark, true, false}
}

// formatted is the state in a formatted string: in its text, in the expression in braces,
// or in the format after a colon.
type formatted struct {
	quote
	raw        bool
	expression bool
	format     bool
	depth      int // open brackets in the expression
}

// formattedEnd returns the end of a formatted string, given the offsets of its prefix
// and of its quote. Expressions in braces may contain the same quotes (since Python
// 3.12) and formatted strings. It returns -1 if the string is not terminated.
func (l *lexer) formattedEnd(prefix, at int) int {
	open := []formatted{newFormatted(l.data[prefix:at], l.data[at:])}
	at += len(open[0].open)
	for at < len(l.data) && len(open) <= maxDepth {
		in := &open[len(open)-1]
		if in.expression {
			at, open = l.inExpression(at, open)
			continue
		}
		switch c := l.data[at]; {
		case c == '\\':
			at = l.escaped(at, in.raw)
		case c == in.close[0] && bytes.HasPrefix(l.data[at:], []byte(in.close)):
			if at += len(in.close); in.format {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return at
			}
		case c == '\n' && !in.lines:
			return -1
		case c == '{' && !in.format && l.data[min(at+1, len(l.data)-1)] == '{':
			at += 2
		case c == '{':
			open = append(open, formatted{quote: in.quote, raw: in.raw, expression: true})
			at++
		case c == '}' && in.format:
			open = open[:len(open)-2]
			at++
		default:
			at++
		}
	}
	return -1
}

// newFormatted returns the state for scanning an f-string that starts with these bytes.
func newFormatted(prefix, data []byte) formatted {
	return formatted{quote: pythonQuote(data), raw: bytes.ContainsAny(prefix, "rR")}
}

// escaped returns the offset after an escape. A backslash does not escape a brace, and \N
// is followed by a name in braces.
func (l *lexer) escaped(at int, raw bool) int {
	switch next := l.data[min(at+1, len(l.data)-1)]; {
	case next == '{' || next == '}':
		return at + 1
	case next == 'N' && !raw && at+2 < len(l.data) && l.data[at+2] == '{':
		if end := bytes.IndexAny(l.data[at:], "}\n"); end > 0 {
			return at + end + 1
		}
	case next == '\r' && at+2 < len(l.data) && l.data[at+2] == '\n':
		return at + 3
	}
	return at + 2
}

// inExpression continues an expression by a bracket, a string, a word or a character.
func (l *lexer) inExpression(at int, open []formatted) (int, []formatted) {
	in := &open[len(open)-1]
	switch c := l.data[at]; {
	case c == '#':
		return l.lineEnd(at), open
	case c == '(' || c == '[' || c == '{':
		in.depth++
	case c == '}' && in.depth == 0:
		open = open[:len(open)-1]
	case c == ')' || c == ']' || c == '}':
		in.depth = max(in.depth-1, 0)
	case c == ':' && in.depth == 0:
		open = append(open, formatted{quote: in.quote, raw: in.raw, format: true})
	case l.letter(c) || c == '"' || c == '\'':
		return l.inString(at, open)
	}
	return at + 1, open
}

// inString continues an expression by a word or a plain string, or enters a formatted
// string.
func (l *lexer) inString(at int, open []formatted) (int, []formatted) {
	prefix := stringPrefix(l.data[at:])
	if prefix < 0 {
		return l.wordEnd(at + 1), open
	}
	from := at + prefix
	q := pythonQuote(l.data[from:])
	if bytes.ContainsAny(l.data[at:from], "fFtT") {
		return from + len(q.open), append(open, newFormatted(l.data[at:from], l.data[from:]))
	}
	return l.quoteEnd(from+len(q.open), q), open
}
