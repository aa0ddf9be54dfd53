package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// lexer splits the text of a file into tokens in one pass. Its methods that
// take a token at the current position return false, and take nothing, if
// another text is there.
type lexer struct {
	*lexis
	data       []byte
	offset     int // offset of the next byte
	row        int32
	tokens     []token // without comments
	comments   []token
	classes    [256]class
	open       []int32 // unmatched opening brackets
	heredocEnd int     // end of the heredocs that begin in the next line; 0 if there are none
	partial    string  // reason why it stopped early
	unbalanced bool    // unmatched brackets, or an unterminated string
	// State of the preprocessor: open conditions, and pairs of brackets that share a
	// closing bracket.
	conditions []condition
	twins      [][2]int32
	directives []directive
}

// lex returns the tokens of a file. It skips invalid input and never fails.
func lex(data []byte, row *lexis) *lexer {
	l := &lexer{lexis: row, data: data, row: 1}
	l.classify()
	if l.partial = unreadable(data); l.partial != "" {
		return l
	}
	l.tokens = make([]token, 0, len(data)/5) // a typical ratio
	for l.offset < len(data) && l.partial == "" {
		l.next()
	}
	l.unbalanced = l.unbalanced || len(l.open) > 0
	for _, t := range l.twins {
		if end := l.tokens[t[0]].pair; end > t[1] {
			l.tokens[t[1]].pair = end
		}
	}
	return l
}

// unreadable returns why a file is not scanned, or "" if it is scanned.
func unreadable(data []byte) string {
	switch {
	case len(data) > maxScanned:
		return "over 1 MiB"
	case bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0:
		return "binary"
	}
	for rest := data; len(rest) > maxLine; {
		end := bytes.IndexByte(rest[:maxLine+1], '\n')
		if end < 0 {
			return "minified"
		}
		rest = rest[end+1:]
	}
	return ""
}

// next takes one token, one comment, or white space.
func (l *lexer) next() {
	switch c := l.data[l.offset]; {
	case c == '\n' && l.heredocEnd > l.offset:
		l.take(textToken, l.heredocEnd)
	case c == '\n':
		l.row++
		l.offset++
	case l.classes[c]&blankClass != 0:
		for l.offset < len(l.data) && l.classes[l.data[l.offset]]&blankClass != 0 {
			l.offset++
		}
	case l.odd != nil && l.odd(l):
	case l.classes[c]&markClass != 0 && (l.comment() || l.quoted()):
	case l.letter(c):
		l.take(wordToken, l.wordEnd(l.offset))
	case '0' <= c && c <= '9':
		l.take(numberToken, l.numberEnd())
	case c >= utf8.RuneSelf:
		l.foreign()
	default:
		l.operator()
	}
}

// take adds a token that ends at an offset.
func (l *lexer) take(kind tokenKind, to int) {
	t := token{from: int32(l.offset), to: int32(to), line: l.row, pair: -1, kind: kind}
	l.row += int32(bytes.Count(l.data[l.offset:to], []byte{'\n'}))
	l.offset = to
	switch {
	case kind == commentToken && len(l.comments) >= maxComments:
		l.partial = "over 25,000 comments"
	case kind == commentToken:
		l.comments = append(l.comments, t)
	case len(l.tokens) >= maxTokens:
		l.partial = "over 500,000 tokens"
	default:
		l.tokens = append(l.tokens, t)
	}
}

// has reports whether the input continues with text.
func (l *lexer) has(text string) bool {
	return len(l.data)-l.offset >= len(text) && string(l.data[l.offset:l.offset+len(text)]) == text
}

// lineEnd returns the end of the line that contains an offset.
func (l *lexer) lineEnd(at int) int {
	if end := bytes.IndexByte(l.data[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(l.data)
}

// comment takes a comment, if one starts at the current position.
func (l *lexer) comment() bool {
	if slices.ContainsFunc(l.line, l.has) {
		l.take(commentToken, l.lineEnd(l.offset))
		return true
	}
	for _, marks := range l.block {
		if l.has(marks[0]) {
			l.take(commentToken, l.blockEnd(marks))
			return true
		}
	}
	return false
}

// blockEnd returns the end of the comment that begins at the next byte.
func (l *lexer) blockEnd(marks [2]string) int {
	depth := 1
	for at := l.offset + len(marks[0]); at < len(l.data); {
		switch rest := l.data[at:]; {
		case bytes.HasPrefix(rest, []byte(marks[1])):
			at += len(marks[1])
			if depth--; depth == 0 {
				return at
			}
		case l.nested && bytes.HasPrefix(rest, []byte(marks[0])):
			at, depth = at+len(marks[0]), depth+1
		default:
			at++
		}
	}
	l.unbalanced = true
	return len(l.data)
}

// quoted takes a string, if one starts at the current position.
func (l *lexer) quoted() bool {
	for _, q := range l.quotes {
		if l.has(q.open) {
			l.take(textToken, l.quoteEnd(l.offset+len(q.open), q))
			return true
		}
	}
	return false
}

// quoteEnd returns the end of a string. Its text begins at an offset.
func (l *lexer) quoteEnd(at int, q quote) int {
	for at < len(l.data) {
		switch c := l.data[at]; {
		case c == '\\' && q.escapes:
			at = min(at+2, len(l.data))
			if l.data[at-1] == '\r' && at < len(l.data) && l.data[at] == '\n' {
				at++
			}
		case c == '\n' && !q.lines:
			l.unbalanced = true
			return at
		case c == q.close[0] && bytes.HasPrefix(l.data[at:], []byte(q.close)):
			return at + len(q.close)
		default:
			at++
		}
	}
	l.unbalanced = true
	return at
}

// letter reports whether a word can begin with a byte.
func (l *lexer) letter(c byte) bool { return l.classes[c]&letterClass != 0 }

// wordEnd returns the end of a word. All non-ASCII characters except spaces are letters.
func (l *lexer) wordEnd(at int) int {
	for at < len(l.data) {
		c := l.data[at]
		if !l.letter(c) && !('0' <= c && c <= '9') && (c < utf8.RuneSelf || blankAt(l.data[at:]) > 0) {
			break
		}
		at++
	}
	return at
}

// numberEnd returns the end of the number at the next byte. A range (0..5) is two numbers,
// and 1e-5 is one.
func (l *lexer) numberEnd() int {
	at := l.offset + 1
	for ; at < len(l.data); at++ {
		switch c, before := l.data[at], l.data[at-1]|0x20; {
		case '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || l.marks != "" && strings.IndexByte(l.marks, c) >= 0:
		case c == '.' && at+1 < len(l.data) && '0' <= l.data[at+1] && l.data[at+1] <= '9':
		case (c == '+' || c == '-') && (before == 'e' || before == 'p') && !l.hexadecimal():
		default:
			return at
		}
	}
	return at
}

// hexadecimal reports whether the number has the prefix 0x. The plus in 0xe+1 is an
// operator.
func (l *lexer) hexadecimal() bool { return l.has("0x") || l.has("0X") }

// foreign takes non-ASCII white space, or a word in another script.
func (l *lexer) foreign() {
	if n := blankAt(l.data[l.offset:]); n > 0 {
		l.offset += n
		return
	}
	l.take(wordToken, l.wordEnd(l.offset+1))
}

// blankAt returns the length of the non-ASCII space at the start of data, in bytes:
// no-break space, byte order mark, line or paragraph separator. It returns 0 if there is
// none.
func blankAt(data []byte) int {
	for _, blank := range [...]string{"\u00a0", "\ufeff", "\u2028", "\u2029"} {
		if bytes.HasPrefix(data, []byte(blank)) {
			return len(blank)
		}
	}
	return 0
}

// operator takes the longest operator at the current position, or a single character.
func (l *lexer) operator() {
	for _, o := range operators {
		if l.data[l.offset] == o[0] && l.has(o) {
			l.take(punctToken, l.offset+len(o))
			return
		}
	}
	l.bracket(1)
}

// bracket takes size bytes as one token. The last byte decides if it opens or closes a
// bracket.
func (l *lexer) bracket(size int) {
	c := l.data[l.offset+size-1]
	before := len(l.tokens)
	l.take(punctToken, l.offset+size)
	if len(l.tokens) == before {
		return
	}
	switch c {
	case '(', '[', '{':
		if l.open = append(l.open, int32(before)); len(l.open) > maxDepth {
			l.partial = "deeper than 256 brackets"
		}
	case ')', ']', '}':
		l.close(int32(before), c)
	}
}

// close pairs a closing bracket with the last opening bracket of its type. Brackets in
// between remain unmatched.
func (l *lexer) close(at int32, c byte) {
	for i := len(l.open) - 1; i >= 0; i-- {
		opening := l.data[l.tokens[l.open[i]].to-1]
		if opening == '(' && c == ')' || opening == '[' && c == ']' || opening == '{' && c == '}' {
			l.unbalanced = l.unbalanced || i < len(l.open)-1
			l.tokens[at].pair, l.tokens[l.open[i]].pair = l.open[i], at
			l.open = l.open[:i]
			return
		}
	}
	l.unbalanced = true
}

// bytes returns the bytes of a token, or nil if the index is out of range.
func (l *lexer) bytes(i int) []byte {
	if i < 0 || i >= len(l.tokens) {
		return nil
	}
	return l.data[l.tokens[i].from:l.tokens[i].to]
}

// text returns the text of a token, or "" if the index is out of range.
func (l *lexer) text(i int) string { return string(l.bytes(i)) }

// is reports whether the text of a token is in texts.
func (l *lexer) is(i int, texts ...string) bool {
	at := l.bytes(i)
	for _, t := range texts {
		if string(at) == t {
			return t != ""
		}
	}
	return false
}

// kindOf returns the kind of a token, or punctToken if the index is out of range.
func (l *lexer) kindOf(i int) tokenKind {
	if i < 0 || i >= len(l.tokens) {
		return punctToken
	}
	return l.tokens[i].kind
}

// tokenAfter returns the token after the matching bracket, or after the token itself if it has
// none.
func (l *lexer) tokenAfter(i int) int {
	if i >= 0 && i < len(l.tokens) && int(l.tokens[i].pair) > i {
		return int(l.tokens[i].pair) + 1
	}
	return i + 1
}

// lineOf returns the line on which a token begins.
func (l *lexer) lineOf(i int) int { return int(l.tokens[i].line) }

// lastLine returns the line on which a token ends.
func (l *lexer) lastLine(i int) int {
	return int(l.tokens[i].line) + breaks(l.bytes(i))
}

// newLine reports whether a token is on a later line than the end of the previous one.
func (l *lexer) newLine(i int) bool {
	return i > 0 && i < len(l.tokens) && l.lastLine(i-1) < l.lineOf(i)
}

// breaks counts the line ends inside a token. It ignores a final line end, which only an
// unterminated token has.
func breaks(token []byte) int {
	return bytes.Count(bytes.TrimSuffix(token, []byte{'\n'}), []byte{'\n'})
}
