package source

import "bytes"

// beginsLine reports whether a line end without a backslash precedes a token.
func (l *lexer) beginsLine(i int) bool {
	if i <= 0 || i >= len(l.tokens) {
		return true
	}
	gap := l.data[l.tokens[i-1].to:l.tokens[i].from]
	for at := 0; at < len(gap); at++ {
		switch gap[at] {
		case '\n', '#':
			return true
		case '\\':
			at += max(joined(gap[at:])-1, 0)
		}
	}
	return false
}

// joined returns the length of a backslash and the following line end, or 0 if there is
// none.
func joined(data []byte) int {
	switch {
	case bytes.HasPrefix(data, []byte("\\\n")):
		return 2
	case bytes.HasPrefix(data, []byte("\\\r\n")):
		return 3
	}
	return 0
}
