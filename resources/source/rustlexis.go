package source

import (
	"bytes"
	"unicode/utf8"
)

var rustLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, nested: true,
	quotes: []quote{{`"`, `"`, true, true}},
	odd: func(l *lexer) bool {
		switch l.data[l.offset] {
		case '\'':
			l.take(l.rustQuote(l.offset))
			return true
		case 'b', 'c', 'r':
			return l.rustPrefix()
		case '-':
			return l.frontmatter()
		case '#':
			if l.offset == 0 && l.has("#!") && !l.has("#![") {
				l.take(commentToken, l.lineEnd(0))
				return true
			}
		}
		return false
	},
}

// frontmatter takes the manifest of a cargo script, between lines of hyphens.
func (l *lexer) frontmatter() bool {
	n := l.run(l.offset, '-')
	if n < 3 || len(l.tokens) > 0 || !l.startOfLine() {
		return false
	}
	end := bytes.Index(l.data[l.offset:], append([]byte{'\n'}, l.data[l.offset:l.offset+n]...))
	if end >= 0 {
		l.take(commentToken, l.offset+end+1+n)
	}
	return end >= 0
}

// rustQuote returns the kind and the end of a token that begins with a single quote: a
// character or a lifetime.
func (l *lexer) rustQuote(quoteAt int) (tokenKind, int) {
	at := quoteAt + 1
	if at < len(l.data) && l.data[at] == '\\' {
		return textToken, l.quoteEnd(at, quote{close: "'", escapes: true})
	}
	_, size := utf8.DecodeRune(l.data[at:])
	if end := at + size; size > 0 && end < len(l.data) && l.data[end] == '\'' && l.data[at] != '\'' {
		return textToken, end + 1
	}
	if end := l.wordEnd(at); end > at {
		return wordToken, end
	}
	return punctToken, at
}

// rustPrefix takes a string with a prefix (b, c, r, br, cr), or a raw name.
func (l *lexer) rustPrefix() bool {
	raw := l.offset
	if l.data[raw] != 'r' {
		raw++
	}
	switch rest := l.data[raw:]; {
	case bytes.HasPrefix(rest, []byte("r")):
		hashes := len(rest) - 1 - len(bytes.TrimLeft(rest[1:], "#"))
		switch text := 1 + hashes; {
		case text < len(rest) && rest[text] == '"':
			l.take(textToken, l.rawEnd(raw+text+1, hashes))
			return true
		case raw == l.offset && hashes == 1 && text < len(rest) && (l.letter(rest[text]) || rest[text] >= utf8.RuneSelf):
			l.take(wordToken, l.wordEnd(raw+text))
			return true
		}
	case raw == l.offset:
	case bytes.HasPrefix(rest, []byte(`"`)):
		l.take(textToken, l.quoteEnd(raw+1, l.quotes[0]))
		return true
	case bytes.HasPrefix(rest, []byte("'")) && l.data[l.offset] == 'b':
		l.take(l.rustQuote(raw))
		return true
	}
	return false
}

// rawEnd returns the end of a raw string with a text at an offset, delimited by a number of
// hashes.
func (l *lexer) rawEnd(at, hashes int) int {
	closing := append([]byte{'"'}, bytes.Repeat([]byte{'#'}, hashes)...)
	if end := bytes.Index(l.data[at:], closing); end >= 0 {
		return at + end + len(closing)
	}
	l.unbalanced = true
	return len(l.data)
}
