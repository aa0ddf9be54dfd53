package source

import "bytes"

// script is a file of TypeScript or JavaScript while its statements are walked.
type script struct {
	*unit
	blocks []scriptBlock   // namespaces that the statement stands in
	given  map[Export]bool // what was exported so far, without lines
	locals map[string]bool // what is exported by its name here, apart from its declaration
}

// scriptBlock is a namespace's, from its name to its end.
type scriptBlock struct {
	owner   string
	end     int  // the token that closes it
	ambient bool // all that is declared in it is exported
}

// word reports whether a token is one of some words of the language, which begin with a small
// letter, and not a string that reads so.
func (s *script) word(i int, texts ...string) bool {
	return s.kindOf(i) == wordToken && s.data[s.tokens[i].from] >= 'a' && s.data[s.tokens[i].from] <= 'z' && s.is(i, texts...)
}

func (s *script) isWord(i int) bool { return i < len(s.tokens) && s.kindOf(i) == wordToken }
func (s *script) isText(i int) bool { return s.kindOf(i) == textToken }

// angles pairs < and > where they hold types, so that they are passed over as brackets are.
func (s *script) angles() {
	var open, base []int // <; and how many of them stand before each bracket around
	for i := 0; i < len(s.tokens); i++ {
		least := 0
		if len(base) > 0 {
			least = base[len(base)-1]
		}
		switch pair := int(s.tokens[i].pair); {
		case s.isText(i) && pair > i, s.is(i, "<") && pair > i: // a template, an element
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

// dividesTypes reports whether a token cannot stand between < and > that hold types.
func (s *script) dividesTypes(i int) bool {
	switch s.kindOf(i) {
	case punctToken:
		return s.is(i, ";", "==", "!=") || s.is(i, "&", "|") && s.adjoins(i) && s.text(i-1) == s.text(i)
	case wordToken:
		return s.is(i, "var", "let", "return", "function", "class", "if", "for", "export") || s.is(i, "const") && !s.is(i-1, "<", ",")
	}
	return false
}

func (s *script) opensTypes(i int) bool {
	return !s.operand(i-1) || s.adjoins(i) && s.kindOf(i-1) != numberToken || s.newLine(i) ||
		s.word(i-1, "function", "async", "class") || s.word(i-2, "function", "class", "interface", "type")
}

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

// prefixTypes stand before a type and make another one of it.
var prefixTypes = [...]string{"keyof", "typeof", "readonly", "unique", "infer", "new", "abstract", "asserts"}

// typeEnd is the token after the type that begins at a token.
func (s *script) typeEnd(i int) int {
	choices, wants := 0, true // ? without their :, and whether an operand must follow
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

// typeOperand passes over what may stand where a type begins; it stays where nothing may.
func (s *script) typeOperand(i int) (next int, wants bool) {
	switch {
	case s.begins(i):
		return i, true
	case s.kindOf(i) != punctToken:
		prefix := s.word(i, prefixTypes[:]...) && !s.is(i-1, ".") && !s.newLine(i+1) &&
			(s.kindOf(i+1) != punctToken || s.is(i+1, "(", "[", "{", "<")) && !s.word(i+1, "is", "extends")
		return s.past(i), prefix
	case s.is(i, "(", "[", "{"):
		return s.past(i), false
	case s.is(i, "<") && int(s.tokens[i].pair) > i:
		return s.past(i), true
	case s.is(i, "|", "&", "-", "?", "..."):
		return i + 1, true
	}
	return i, true
}

// typeOperator passes over what may follow a type and belong to it.
func (s *script) typeOperator(i int, choices *int) (next int, wants bool) {
	sameLine := !s.newLine(i)
	switch {
	case s.is(i, ".", "|", "&"), s.is(i, "=>") && s.is(i-1, ")"):
		return i + 1, true
	case s.is(i, "<") && int(s.tokens[i].pair) > i && sameLine, s.is(i, "[") && sameLine, s.is(i, "(") && s.word(i-1, "import"):
		return s.past(i), false
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

// expression is the token after the expression that begins at a token: a comma, a semicolon, a
// bracket that closes, or what begins the next line where that cannot go on with it.
func (s *script) expression(i int) int {
	body := false // that of a function or class is still to come
	for from := i; i < len(s.tokens); i = s.past(i) {
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

// beginStatement are words that never go on with an expression.
var beginStatement = [...]string{
	"const", "var", "export", "if", "for", "while", "do", "return", "throw", "switch", "try", "with", "break", "continue", "debugger", "enum",
}

// ends reports whether a token, the first of its line, begins the next statement.
func (s *script) ends(i int, body bool) bool {
	return s.begins(i) || !s.incomplete(i-1) && !s.goesOn(i, body)
}

// begins reports whether a token is the first of its line, and a word that begins a statement
// whatever stands before: that may be unfinished.
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

// goesOn reports whether a token goes on with the expression of the line before.
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

// terminated is the last token of a statement whose last one before a semicolon is given.
func (s *script) terminated(last int) int {
	if s.is(last+1, ";") {
		return last + 1
	}
	return last
}

// literal is the text of a string that is one token: no template with code in it.
func (s *script) literal(i int) string {
	if b := s.bytes(i); s.isText(i) && len(b) > 1 && bytes.IndexByte([]byte("\"'`"), b[0]) >= 0 && b[len(b)-1] == b[0] {
		return string(b[1 : len(b)-1])
	}
	return ""
}
