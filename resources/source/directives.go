package source

import (
	"bytes"
	"sort"
	"strings"
)

// directive is a preprocessor line, including continuation lines.
type directive struct {
	nextToken           int32  // the token after it
	firstLine, lastLine int    // lines
	text                string // text without # and comments, with single spaces
}

// preprocess takes a preprocessor line. It records comments in the line as comments of the
// file.
func (l *lexer) preprocess() {
	d := directive{nextToken: int32(len(l.tokens)), firstLine: int(l.row), lastLine: int(l.row)}
	word := l.directive()
	l.branch(word)
	var text []byte
	for l.offset < len(l.data) && l.data[l.offset] != '\n' {
		switch c := l.data[l.offset]; {
		case c == '\\' && l.joins() || c == ' ' || c == '\t' || c == '\r':
			l.offset++
			text = append(text, ' ')
		case c == '/' && l.has("//"):
			l.take(commentToken, l.continuedEnd(l.offset))
		case c == '/' && l.comment():
			text = append(text, ' ')
		default:
			end := l.pieceEnd(l.offset)
			text = append(text, l.data[l.offset:end]...)
			l.offset = end
		}
	}
	if d.lastLine = int(l.row); l.offset == len(l.data) && l.data[l.offset-1] == '\n' {
		d.lastLine-- // the final backslash is at the end of the file
	}
	d.text = strings.Join(strings.Fields(strings.TrimPrefix(string(text), "#")), " ")
	l.directives = append(l.directives, d)
	if n := len(l.conditions); word == "if" && n > 0 && d.text == "if 0" {
		l.conditions[n-1].dead = true
		l.passDead()
	}
}

// joins takes the line end after a backslash at the next byte, if there is one.
func (l *lexer) joins() bool {
	rest := bytes.TrimPrefix(l.data[l.offset+1:], []byte{'\r'})
	if len(rest) == 0 || rest[0] != '\n' {
		return false
	}
	l.offset = len(l.data) - len(rest)
	l.row++
	return true
}

// pieceEnd returns the end of the string at an offset in a preprocessor line, or the next
// offset for any other byte. An apostrophe in such a line need not begin a string.
func (l *lexer) pieceEnd(from int) int {
	c := l.data[from]
	if c != '"' && c != '\'' {
		return from + 1
	}
	for at := from + 1; at < len(l.data) && l.data[at] != '\n'; at++ {
		switch l.data[at] {
		case c:
			return at + 1
		case '\\':
			if at++; at < len(l.data) && l.data[at] == '\n' {
				return at - 1
			}
		}
	}
	return max(from+1, len(bytes.TrimRight(l.data[:l.lineEnd(from)], "\r\\")))
}

// passDead skips the content of #if 0, which may be any text.
func (l *lexer) passDead() {
	for depth := 0; l.offset < len(l.data); {
		end := l.lineEnd(l.offset)
		if line := bytes.TrimLeft(l.data[l.offset:end], " \t"); len(line) > 0 && line[0] == '#' {
			l.offset = end - len(line)
			switch word := l.directive(); {
			case strings.HasPrefix(word, "if"):
				depth++
			case depth == 0 && (word == "endif" || strings.HasPrefix(word, "el")):
				return
			case word == "endif":
				depth--
			}
		}
		if l.offset = end; end < len(l.data) {
			l.offset++
			l.row++
		}
	}
	l.unbalanced = true
}

// directivesAfter returns the directives after a token.
func (l *lexer) directivesAfter(i int) []directive {
	return l.directives[sort.Search(len(l.directives), func(n int) bool { return int(l.directives[n].nextToken) > i }):]
}
