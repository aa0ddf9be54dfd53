package source

import "bytes"

// scriptLexis is the context-free part of the lexis of TypeScript and JavaScript. A
// scriptLexer handles regular expressions, templates and JSX.
var scriptLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, letters: "$#",
	quotes:     []quote{{`"`, `"`, true, false}, {"'", "'", true, false}},
	sameQuotes: true, silent: ";",
}

// scriptLexer tracks the templates and JSX elements that contain the next byte.
type scriptLexer struct {
	jsx   bool // < may begin an element
	modes []scriptMode
	bare  int // offset before which no regular expression ends
}

// scriptMode is an open template or element. It applies while the number of open brackets
// is depth. Code between { and } in it has more open brackets.
type scriptMode struct {
	kind  modeKind
	depth int // number of open brackets
	first int // its first token
}

// modeKind is the syntax that applies inside a template, a JSX element or type arguments.
type modeKind uint8

const (
	noMode        modeKind = iota
	templateMode           // a template, in ${ }
	tagMode                // <a b="c">
	closingMode            // </a>
	childrenMode           // between an opening and a closing tag
	argumentsMode          // <a<T> b="c">
)

// lexScript returns the tokens of a file.
func lexScript(in input, jsx bool) *unit {
	s, row := scriptLexer{jsx: jsx}, scriptLexis
	row.odd = s.odd
	u := scanned(in, &row)
	u.unbalanced = u.unbalanced || len(s.modes) > 0
	return u
}

// odd takes a token that needs the current mode, such as a template, JSX or a regular expression.
// It returns false for ordinary tokens.
func (s *scriptLexer) odd(l *lexer) bool {
	s.leave(l)
	c := l.data[l.offset]
	if c == '}' {
		s.brace(l)
		return true
	}
	switch s.mode(l) {
	case tagMode, closingMode:
		return s.tag(l, c)
	case childrenMode:
		return s.childToken(l, c)
	case argumentsMode:
		return s.arguments(l, c)
	}
	switch {
	case c == '`':
		s.piece(l, l.offset+1, len(l.tokens))
	case c == '/' && !l.has("//") && !l.has("/*"):
		return s.expression(l)
	case c == '<' && s.jsx && s.elementFollows(l):
		s.enter(l, tagMode)
		l.bracket(1)
	case c == '#' && l.offset == 0 && l.has("#!"):
		l.take(commentToken, l.lineEnd(0))
	default:
		return false
	}
	return true
}

// mode returns the mode of the next byte.
func (s *scriptLexer) mode(l *lexer) modeKind {
	if n := len(s.modes) - 1; n >= 0 && s.modes[n].depth == len(l.open) {
		return s.modes[n].kind
	}
	return noMode
}

// enter enters a mode at the current position.
func (s *scriptLexer) enter(l *lexer, kind modeKind) {
	s.modes = append(s.modes, scriptMode{kind, len(l.open), len(l.tokens)})
}

// leave removes the modes that ended with an enclosing bracket, and returns the outermost
// one.
func (s *scriptLexer) leave(l *lexer) (left scriptMode) {
	for n := len(s.modes) - 1; n >= 0 && s.modes[n].depth > len(l.open); n-- {
		left, s.modes = s.modes[n], s.modes[:n]
	}
	return left
}

// brace takes a }, and continues the template if the brace ended an expression in it.
func (s *scriptLexer) brace(l *lexer) {
	l.bracket(1)
	if left := s.leave(l); left.kind == templateMode {
		s.piece(l, l.offset, left.first)
	}
}

// piece takes the text of a template up to its end or to a ${. first is the template's
// first token.
func (s *scriptLexer) piece(l *lexer, at, first int) {
	for at < len(l.data) && l.data[at] != '`' && !bytes.HasPrefix(l.data[at:], []byte("${")) {
		if l.data[at] == '\\' {
			at++
		}
		at++
	}
	switch {
	case at >= len(l.data):
		l.unbalanced = true
		l.take(textToken, len(l.data))
	case l.data[at] == '`':
		l.take(textToken, at+1)
		l.pair(first, len(l.tokens)-1)
	default:
		if at > l.offset {
			l.take(textToken, at)
		}
		l.bracket(2)
		s.modes = append(s.modes, scriptMode{templateMode, len(l.open), first})
	}
}

// pair marks two tokens as matching ends, so that tokenAfter skips everything
// in between.
func (l *lexer) pair(first, last int) {
	if first < last && last < len(l.tokens) {
		l.tokens[first].pair, l.tokens[last].pair = int32(last), int32(first)
	}
}

// expression takes a regular expression if the slash at the next byte begins one.
func (s *scriptLexer) expression(l *lexer) bool {
	if l.offset < s.bare || l.operand(len(l.tokens)-1) {
		return false
	}
	class := false
	for at := l.offset + 1; at < len(l.data) && l.data[at] != '\n'; at++ {
		switch c := l.data[at]; {
		case c == '\\' && at+1 < len(l.data) && l.data[at+1] != '\n':
			at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.take(textToken, l.wordEnd(at+1))
			return true
		}
	}
	s.bare = l.lineEnd(l.offset)
	return false
}

// beforeOperand lists keywords that an operand follows.
var beforeOperand = [...]string{
	"return", "typeof", "case", "in", "delete", "void", "throw", "new", "instanceof", "else", "do", "await", "yield", "extends", "default",
}

// operand reports whether a token ends an operand, so that a following slash or < is an
// operator.
func (l *lexer) operand(i int) bool {
	if i < 0 {
		return false
	}
	switch l.kindOf(i) {
	case wordToken:
		return !l.is(i, beforeOperand[:]...) || l.is(i-1, ".")
	case punctToken:
		return l.closesOperand(i)
	}
	return true
}

// closesOperand reports whether a closing token or operator ends an operand, so that a "/" after it
// is a division.
func (l *lexer) closesOperand(i int) bool {
	pair := int(l.tokens[i].pair)
	switch l.bytes(i)[0] {
	case ')':
		return pair < 0 || !l.is(pair-1, "if", "while", "for", "with") && !(l.is(pair-1, "await") && l.is(pair-2, "for")) || l.is(pair-2, ".")
	case ']':
		return true
	case '}':
		return pair >= 0 && !l.blockBegins(pair)
	case '>':
		return pair >= 0
	case '!':
		return l.adjoins(i) && l.operand(i-1)
	case '+', '-':
		return l.adjoins(i) && l.text(i-1) == l.text(i) && l.adjoins(i-1) && l.operand(i-2)
	}
	return false
}

// adjoins reports whether no white space precedes a token.
func (l *lexer) adjoins(i int) bool {
	return i > 0 && i < len(l.tokens) && l.tokens[i-1].to == l.tokens[i].from
}

// blockBegins reports whether a { begins statements or members, as opposed to an object.
func (l *lexer) blockBegins(i int) bool {
	switch l.kindOf(i - 1) {
	case wordToken:
		return l.is(i-1, "else", "do") || !l.is(i-1, beforeOperand[:]...)
	case punctToken:
		return i == 0 || l.is(i-1, ";", "{", "}", ")", "=>", ">", "]")
	}
	return true
}
