package source

import (
	"bytes"
	"slices"
)

// script is the scanner state of a TypeScript or JavaScript file.
type script struct {
	*unit
	blocks  []scriptBlock   // enclosing namespaces
	exports map[Export]bool // exports so far, without lines
	locals  map[string]bool // local names that are exported separately from their declaration
}

// scriptBlock is an open namespace.
type scriptBlock struct {
	owner   string
	end     int  // its closing bracket
	ambient bool // all its declarations are exported
}

// word reports whether a token is one of some lower-case keywords, and not a string with
// the same text.
func (s *script) word(i int, texts ...string) bool {
	return s.kindOf(i) == wordToken && s.data[s.tokens[i].from] >= 'a' && s.data[s.tokens[i].from] <= 'z' && s.is(i, texts...)
}

// isWord reports whether a token exists and is a word.
func (s *script) isWord(i int) bool { return i < len(s.tokens) && s.kindOf(i) == wordToken }

// isText reports whether a token is a string.
func (s *script) isText(i int) bool { return s.kindOf(i) == textToken }

// angles pairs < and > around types, so that they are skipped like brackets.
func (s *script) angles() {
	var open, base []int // open <, and their number before each enclosing bracket
	for i := 0; i < len(s.tokens); i++ {
		least := 0
		if len(base) > 0 {
			least = base[len(base)-1]
		}
		switch pair := int(s.tokens[i].pair); {
		case s.isText(i) && pair > i, s.is(i, "<") && pair > i: // a template or an element
			i = pair
		case pair > i:
			base = append(base, len(open))
		case pair >= 0 && len(base) > 0:
			open, base = open[:least], base[:len(base)-1]
		case s.dividesTypes(i):
			open = open[:least]
		case s.is(i, "<") && s.opensTypes(i):
			open = append(open, i)
		case s.is(i, ">") && len(open) > least:
			if first := open[len(open)-1]; s.closesTypes(first, i) {
				s.lexer.pair(first, i)
			}
			open = open[:len(open)-1]
		}
	}
}

// dividesTypes reports whether a token cannot be between < and > around types.
func (s *script) dividesTypes(i int) bool {
	switch s.kindOf(i) {
	case punctToken:
		return s.is(i, ";", "==", "!=") || s.is(i, "&", "|") && s.adjoins(i) && s.text(i-1) == s.text(i)
	case wordToken:
		return s.is(i, "var", "let", "return", "function", "class", "if", "for", "export") || s.is(i, "const") && !s.is(i-1, "<", ",")
	}
	return false
}

// opensTypes reports whether the "<" at an index opens type arguments or parameters, and is not a
// comparison.
func (s *script) opensTypes(i int) bool {
	return !s.operand(i-1) || s.adjoins(i) && s.kindOf(i-1) != numberToken || s.newLine(i) ||
		s.word(i-1, "function", "async", "class") || s.word(i-2, "function", "class", "interface", "type")
}

// closesTypes reports whether the ">" at i closes the type arguments that open at first, by the
// token that follows.
func (s *script) closesTypes(first, i int) bool {
	if !s.operand(first-1) || s.newLine(i+1) {
		return true
	}
	switch s.kindOf(i + 1) {
	case wordToken:
		return s.is(i+1, "extends", "implements", "is", "as", "satisfies", "of", "in", "with")
	case numberToken:
		return false
	case textToken:
		return s.bytes(i + 1)[0] == '`'
	}
	return true
}

// prefixTypes lists the prefix operators of types.
var prefixTypes = [...]string{"keyof", "typeof", "readonly", "unique", "infer", "new", "abstract", "asserts"}

// typeEnd returns the token after the type at token i.
func (s *script) typeEnd(i int) int {
	choices, wants := 0, true // open conditional types, and whether an operand must follow
	for i < len(s.tokens) {
		next := i
		if wants {
			next, wants = s.typeOperand(i)
		} else {
			next, wants = s.typeOperator(i, &choices)
		}
		if next == i {
			break
		}
		i = next
	}
	return i
}

// typeOperand skips an operand or prefix of a type. It returns i if neither
// starts there. wants reports whether the type needs another operand.
func (s *script) typeOperand(i int) (next int, wants bool) {
	switch {
	case s.begins(i):
		return i, true
	case s.kindOf(i) != punctToken:
		prefix := s.word(i, prefixTypes[:]...) && !s.is(i-1, ".") && !s.newLine(i+1) &&
			(s.kindOf(i+1) != punctToken || s.is(i+1, "(", "[", "{", "<")) && !s.word(i+1, "is", "extends")
		return s.tokenAfter(i), prefix
	case s.is(i, "(", "[", "{"):
		return s.tokenAfter(i), false
	case s.is(i, "<") && int(s.tokens[i].pair) > i:
		return s.tokenAfter(i), true
	case s.is(i, "|", "&", "-", "?", "..."):
		return i + 1, true
	}
	return i, true
}

// typeOperator skips an operator that continues a type. It returns i if the
// type ends there. wants reports whether the type needs another operand.
func (s *script) typeOperator(i int, choices *int) (next int, wants bool) {
	switch sameLine := !s.newLine(i); {
	case s.is(i, ".", "|", "&"), s.is(i, "=>") && s.is(i-1, ")"):
		return i + 1, true
	case s.is(i, "<") && int(s.tokens[i].pair) > i && sameLine, s.is(i, "[") && sameLine, s.is(i, "(") && s.word(i-1, "import"):
		return s.tokenAfter(i), false
	case s.word(i, "is", "extends") && sameLine:
		return i + 1, true
	case s.is(i, "?") && !s.is(i+1, ":", "=", ",", ")"):
		*choices++
		return i + 1, true
	case s.is(i, ":") && *choices > 0:
		*choices--
		return i + 1, true
	}
	return i, false
}

// expression returns the token after the expression at token i: a comma, a semicolon, a
// closing bracket, or the first token of a line that cannot continue the expression.
func (s *script) expression(i int) int {
	body := false // the body of a function or class follows
	for from := i; i < len(s.tokens); i = s.tokenAfter(i) {
		switch {
		case s.is(i, ",", ";", ")", "]", "}") && s.kindOf(i) == punctToken, i > from && s.newLine(i) && s.ends(i, body), s.begins(i):
			return i
		case s.word(i, "function", "class") && !s.is(i-1, "."):
			body = true
		case s.is(i, "{"):
			body = false
		case s.is(i, "@"):
			from = s.decorators(i)
			i = from - 1
		}
	}
	return i
}

// beginStatement lists keywords that never continue an expression.
var beginStatement = [...]string{
	"const", "var", "export", "if", "for", "while", "do", "return", "throw", "switch", "try", "with", "break", "continue", "debugger", "enum",
}

// ends reports whether the first token of a line begins the next statement.
func (s *script) ends(i int, body bool) bool {
	return s.begins(i) || !s.incomplete(i-1) && !s.goesOn(i, body)
}

// begins reports whether a token is the first of its line and a keyword that begins a
// statement, even after an incomplete statement.
func (s *script) begins(i int) bool {
	return s.newLine(i) && !s.is(i-1, ".") && (s.word(i, beginStatement[:]...) || s.word(i, "import") && !s.is(i+1, "(", "."))
}

// incomplete reports whether an expression cannot end with a token.
func (s *script) incomplete(i int) bool {
	switch s.kindOf(i) {
	case wordToken:
		return !s.is(i-1, ".") && s.is(i, "typeof", "new", "in", "instanceof", "await", "as", "satisfies", "extends", "implements", "keyof",
			"void", "delete", "function", "class", "else", "default", "case", "readonly")
	case punctToken:
		return !s.is(i, ")", "]", "}") && !s.closesOperand(i)
	}
	return false
}

// goesOn reports whether a token continues the expression of the previous line.
func (s *script) goesOn(i int, body bool) bool {
	switch s.kindOf(i) {
	case textToken:
		return s.bytes(i)[0] == '`'
	case wordToken:
		return s.is(i, "in", "instanceof") || body && s.is(i, "extends", "implements")
	case numberToken:
		return false
	}
	switch s.bytes(i)[0] {
	case '{':
		return body
	case '!':
		return s.is(i, "!=")
	case '@', '~':
		return false
	case '+', '-':
		return !s.adjoins(i+1) || s.text(i) != s.text(i+1)
	case '<':
		return int(s.tokens[i].pair) < 0
	case '(', '[':
		return !s.arrowBody(i - 1)
	case '.':
		return s.is(i, ".")
	}
	return true
}

// arrowBody reports whether a token ends the block of an arrow function.
func (s *script) arrowBody(i int) bool {
	return s.is(i, "}") && s.is(int(s.tokens[i].pair)-1, "=>")
}

// terminated returns the last token of a statement, including an optional semicolon after
// token last.
func (s *script) terminated(last int) int {
	if s.is(last+1, ";") {
		return last + 1
	}
	return last
}

// literal returns the text of a string that is one token, or "" for other tokens and for
// templates with expressions.
func (s *script) literal(i int) string {
	if b := s.bytes(i); s.isText(i) && len(b) > 1 && bytes.IndexByte([]byte("\"'`"), b[0]) >= 0 && b[len(b)-1] == b[0] {
		return string(b[1 : len(b)-1])
	}
	return ""
}

// doubt removes the checksums of declarations whose extent is uncertain, because brackets
// or strings in the file do not match.
func (s *script) doubt() {
	if !s.unbalanced {
		return
	}
	s.Partial = "does not parse"
	before, after, lines := s.unmatched()
	for n := range s.Symbols {
		from, to := s.Symbols[n].From-1, s.Symbols[n].To+1
		at, _ := slices.BinarySearch(lines, from)
		if from <= before || to >= after || at < len(lines) && lines[at] <= to {
			s.Symbols[n].Body = ""
		}
	}
}

// unmatched returns the uncertain lines: all lines before the last unmatched closing
// bracket, all lines after the first unclosed bracket, and the lines of other unclosed
// brackets. If all brackets match, the entire file is uncertain.
func (s *script) unmatched() (before, after int, lines []int) {
	after = s.Lines + 2
	for i, t := range s.tokens {
		switch {
		case t.kind != punctToken || t.pair >= 0:
		case s.is(i, ")", "]", "}"):
			before = int(t.line)
		case s.is(i, "(", "[", "{", "${"):
			lines = append(lines, int(t.line))
		}
	}
	if len(s.open) > 0 {
		after = s.lineOf(int(s.open[0]))
	}
	if before == 0 && len(lines) == 0 {
		return s.Lines + 1, after, nil
	}
	return before, after, lines
}
