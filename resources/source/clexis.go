package source

import (
	"bytes"
	"strings"
)

var cLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, marks: "'", letters: "$",
	quotes: []quote{{`"`, `"`, true, false}, {"'", "'", true, false}},
	odd: func(l *lexer) bool {
		switch c := l.data[l.offset]; {
		case c == '#' && l.startOfLine():
			l.preprocess()
		case c == '/' && l.has("//"):
			l.take(commentToken, l.continuedEnd(l.offset))
		case c == '\\': // before a line end
			l.offset++
		case c < '0' && l.is(len(l.tokens)-1, "operator"), '<' <= c && c <= '~' && !l.letter(c) && l.is(len(l.tokens)-1, "operator"):
			return l.overloaded()
		case c == '<' && l.has("<<"):
			l.take(punctToken, l.offset+2)
		case c == 'R' || c == 'L' || c == 'u' || c == 'U':
			return l.rawC()
		default:
			return false
		}
		return true
	},
}

// overloaded takes the operator symbol in a declaration "operator+" as a word, because it
// is the name.
func (l *lexer) overloaded() bool {
	end := l.offset
	if l.has("()") || l.has("[]") {
		end += 2
	}
	for end == l.offset || l.data[end-1] != ')' && l.data[end-1] != ']' {
		if end >= len(l.data) || strings.IndexByte("+-*/%^&|~!=<>,", l.data[end]) < 0 {
			break
		}
		end++
	}
	if end > l.offset {
		l.take(wordToken, end)
		return true
	}
	return false
}

// rawC takes a raw string of C++, which defines its own delimiter.
func (l *lexer) rawC() bool {
	for _, prefix := range [...]string{`R"`, `LR"`, `u8R"`, `uR"`, `UR"`} {
		if !l.has(prefix) {
			continue
		}
		from := l.offset + len(prefix)
		n := bytes.IndexByte(l.data[from:min(len(l.data), from+17)], '(')
		if n < 0 {
			return false
		}
		closing := ")" + string(l.data[from:from+n]) + `"`
		end := bytes.Index(l.data[from:], []byte(closing))
		if end < 0 {
			l.unbalanced = true
			end = len(l.data) - from - len(closing)
		}
		l.take(textToken, from+end+len(closing))
		return true
	}
	return false
}

// continuedEnd returns the end of a line, including continuation lines.
func (l *lexer) continuedEnd(at int) int {
	for {
		end := l.lineEnd(at)
		if line := bytes.TrimSuffix(l.data[at:end], []byte{'\r'}); end == len(l.data) || !bytes.HasSuffix(line, []byte{'\\'}) {
			return end
		}
		at = end + 1
	}
}
