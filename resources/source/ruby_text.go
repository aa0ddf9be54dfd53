package source

import (
	"bytes"
	"slices"
	"strings"
)

// rubyText is an open string, regular expression or word list, possibly suspended by an
// expression in it.
type rubyText struct {
	open, close byte // open is 0 if the form has no nested brackets
	nested      int
	expands     bool // it may contain expressions in #{}
	depth       int  // number of open brackets at the start of the expression
}

// rubyTexts takes tokens that are specific to Ruby. It has state for one file.
type rubyTexts struct {
	open   []rubyText // texts that are suspended by an expression
	missed []string   // starts of heredocs without a matching label
}

// odd takes texts, symbols, special variables and names that end with ? or !.
func (r *rubyTexts) odd(l *lexer) bool {
	c := l.data[l.offset]
	next := byte(0)
	if l.offset+1 < len(l.data) {
		next = l.data[l.offset+1]
	}
	switch {
	case joined(l.data[l.offset:]) > 0:
		l.offset += joined(l.data[l.offset:])
		l.row++
	case l.has("=begin") && l.startsRow():
		l.take(commentToken, l.documentEnd())
	case l.has("__END__") && l.startsRow():
		l.take(commentToken, len(l.data))
	case c == '}' && len(r.open) > 0 && len(l.open) == r.open[len(r.open)-1].depth+1:
		l.bracket(1)
		top := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		r.piece(l, l.offset, top)
	case c == ':':
		return r.symbol(l, next)
	case c == '$' && !l.letter(next) && next > ' ':
		l.take(wordToken, l.offset+2)
	case l.letter(c):
		l.take(wordToken, l.rubyWordEnd(l.offset))
	default:
		return r.text(l, c, next)
	}
	return true
}

// startsRow reports whether the next byte is the first of its line.
func (l *lexer) startsRow() bool { return l.offset == 0 || l.data[l.offset-1] == '\n' }

// documentEnd returns the end of a comment from =begin to the line of =end.
// Without =end it sets unbalanced.
func (l *lexer) documentEnd() int {
	end := bytes.Index(l.data[l.offset:], []byte("\n=end"))
	if end < 0 {
		l.unbalanced = true
		return len(l.data)
	}
	return l.lineEnd(l.offset + end + 1)
}

// rubyWordEnd returns the end of a word. It includes a final ? or ! of a method name,
// unless the character belongs to an operator.
func (l *lexer) rubyWordEnd(at int) int {
	end := l.wordEnd(at + 1)
	if rest := l.data[end:]; len(rest) > 0 && (rest[0] == '?' || rest[0] == '!') {
		if after := rest[1:]; len(after) == 0 || after[0] != '=' || len(after) > 1 && strings.IndexByte("=~>", after[1]) >= 0 {
			end++
		}
	}
	return end
}

// symbol takes :name, :"text" or :+, or a colon with another meaning.
func (r *rubyTexts) symbol(l *lexer, next byte) bool {
	before := byte(' ')
	if l.offset > 0 {
		before = l.data[l.offset-1]
	}
	afterWord := l.letter(before) || '0' <= before && before <= '9' || strings.IndexByte(`"'?!)]}:`, before) >= 0
	switch {
	case next == ':':
		l.take(punctToken, l.offset+2)
	case next == '$' && l.offset+2 < len(l.data) && !l.letter(l.data[l.offset+2]):
		l.take(wordToken, l.offset+3)
	case l.letter(next) && before != ':':
		l.take(wordToken, l.rubyWordEnd(l.offset+1))
	case afterWord:
		l.take(punctToken, l.offset+1)
	case next == '"':
		r.piece(l, l.offset+2, rubyText{close: '"', expands: true})
	case next == '\'':
		r.piece(l, l.offset+2, rubyText{close: '\''})
	case strings.IndexByte("+-*/%<>=!~^&|[`", next) >= 0:
		l.take(wordToken, l.symbolEnd())
	default:
		return false
	}
	return true
}

// rubyOperators lists operators that can be method names, longer ones first.
var rubyOperators = [...]string{"[]=", "<=>", "===", "[]", "==", "=~", "!=", "!~", "**", "+@", "-@", "<<", ">>", "<=", ">="}

// symbolEnd returns the end of an operator symbol.
func (l *lexer) symbolEnd() int {
	for _, o := range rubyOperators {
		if bytes.HasPrefix(l.data[l.offset+1:], []byte(o)) {
			return l.offset + 1 + len(o)
		}
	}
	return l.offset + 2
}

// text takes a text that begins with a quote, a percent sign, a slash or a heredoc
// operator.
func (r *rubyTexts) text(l *lexer, c, next byte) bool {
	switch named := l.names(len(l.tokens) - 1); {
	case c == '"' || c == '`' && !named:
		r.piece(l, l.offset+1, rubyText{close: c, expands: true})
	case c == '\'':
		r.piece(l, l.offset+1, rubyText{close: c})
	case named:
		return false
	case c == '/' && l.expectsValue(next):
		r.piece(l, l.offset+1, rubyText{close: '/', expands: true})
	case c == '%' && l.expectsValue(next):
		return r.percent(l, next)
	case c == '?' && l.expectsValue(next) && next > ' ':
		return r.character(l)
	case l.has("<<"):
		return r.heredoc(l)
	default:
		return false
	}
	return true
}

// names reports whether a method name follows a token: after def or a dot, but not after a
// range.
func (l *lexer) names(i int) bool { return l.is(i, "def") || l.is(i, ".") && !l.is(i-1, ".") }

// expectsValue reports whether an operator character at the next byte begins a value. This
// is the case after another operator, after a keyword, and after a name and a space if no
// space follows.
func (l *lexer) expectsValue(next byte) bool {
	last := len(l.tokens) - 1
	if last < 0 || l.beginsRow(last) {
		return true
	}
	switch l.tokens[last].kind {
	case punctToken:
		return !l.is(last, ")", "]", "}")
	case wordToken:
		if rubyContinues(l.text(last)) {
			return true
		}
		return int(l.tokens[last].to) < l.offset && next > ' ' && next != '=' && !l.is(last, "end", "self", "nil", "true", "false")
	}
	return false
}

// beginsRow reports whether the next byte begins the first token of its line.
func (l *lexer) beginsRow(last int) bool {
	return l.tokens[last].line < l.row && l.lastLine(last) < int(l.row)
}

// rubyContinues reports whether an expression follows a keyword.
func rubyContinues(word string) bool {
	switch word {
	case "if", "unless", "while", "until", "and", "or", "not", "when", "in", "return", "then", "else", "elsif", "do", "case", "begin", "ensure", "rescue", "puts", "raise", "yield", "next", "break":
		return true
	}
	return false
}

// percent takes a percent literal such as %w[a b] or %(a).
func (r *rubyTexts) percent(l *lexer, next byte) bool {
	at := l.offset + 1
	if strings.IndexByte("wWiIqQrsx", next) >= 0 {
		at++
	}
	if at >= len(l.data) || l.data[at] <= ' ' || l.letter(l.data[at]) || '0' <= l.data[at] && l.data[at] <= '9' || l.data[at] == '=' && at == l.offset+1 {
		return false
	}
	t := rubyText{close: l.data[at], expands: strings.IndexByte("wiqs", next) < 0}
	if form := strings.IndexByte("([{<", t.close); form >= 0 {
		t.open, t.close = t.close, ")]}>"[form]
	}
	r.piece(l, at+1, t)
	return true
}

// character takes a character literal such as ?a.
func (r *rubyTexts) character(l *lexer) bool {
	end := l.offset + 2
	if l.data[l.offset+1] == '\\' {
		end++
	}
	if end = min(end, len(l.data)); end < len(l.data) && l.wordEnd(end) > end && l.data[l.offset+1] < 0x80 && l.data[l.offset+1] != '\\' {
		return false
	}
	l.take(textToken, max(end, l.offset+1))
	return true
}

// piece takes a text up to its end, or up to an expression in it.
func (r *rubyTexts) piece(l *lexer, at int, t rubyText) {
	for ; at < len(l.data); at++ {
		switch c := l.data[at]; {
		case c == '\\':
			at++
		case c == '#' && t.expands && at+1 < len(l.data) && l.data[at+1] == '{':
			if at > l.offset {
				l.take(textToken, at)
			}
			t.depth = len(l.open)
			r.open = append(r.open, t)
			l.bracket(2)
			return
		case c == t.close && t.nested == 0:
			l.take(textToken, at+1)
			return
		case c == t.close:
			t.nested--
		case c == t.open && t.open != 0:
			t.nested++
		}
	}
	l.unbalanced = true
	l.take(textToken, len(l.data))
}

// maxMissed limits the unsuccessful searches for heredoc labels in one file.
const maxMissed = 10

// isMissed reports whether a search for the label of a heredoc can be skipped.
func (r *rubyTexts) isMissed(beginning string) bool {
	return len(r.missed) >= maxMissed || slices.Contains(r.missed, beginning)
}

// heredoc takes the start of a heredoc. Its text begins in the next line, after the texts
// of earlier heredocs.
func (r *rubyTexts) heredoc(l *lexer) bool {
	at := l.offset + 2
	indents := at < len(l.data) && (l.data[at] == '~' || l.data[at] == '-')
	if indents {
		at++
	}
	if at >= len(l.data) {
		return false
	}
	quoted := strings.IndexByte("\"'`", l.data[at]) >= 0
	end := l.wordEnd(at)
	if quoted {
		at++
		if end = at + bytes.IndexByte(append(l.data[at:l.lineEnd(at):l.lineEnd(at)], l.data[at-1]), l.data[at-1]); end >= l.lineEnd(at) {
			return false
		}
	}
	label := l.data[at:end]
	if len(label) == 0 || !quoted && !l.letter(label[0]) || !indents && !(quoted || label[0] == '_' || 'A' <= label[0] && label[0] <= 'Z') || !l.expectsValue(l.data[l.offset+2]) || r.isMissed(string(l.data[l.offset:end])) {
		return false
	}
	below := l.textBelow(max(l.heredocEnd, l.lineEnd(l.offset)), label, indents)
	if below < 0 {
		r.missed = append(r.missed, string(l.data[l.offset:end]))
		return false
	}
	if quoted {
		end++
	}
	l.heredocEnd = below
	l.take(textToken, end)
	return true
}

// textBelow returns the end of the text of a heredoc, including its label. It returns -1 if
// the label is missing.
func (l *lexer) textBelow(at int, label []byte, indents bool) int {
	for at < len(l.data) {
		at++
		end := l.lineEnd(at)
		line := bytes.TrimSuffix(l.data[at:end], []byte{'\r'})
		if indents {
			line = bytes.TrimLeft(line, " \t")
		}
		if bytes.Equal(line, label) {
			return end
		}
		at = end
	}
	return -1
}
