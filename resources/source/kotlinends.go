package source

// head returns the end of the part of a declaration before its body or value: at { or =, or
// at the end of a line that is not continued. For functions and properties (value is true),
// accessors and delegates also end it. For classes, delegates are part of it.
func (k kotlin) head(i, end int, value bool) int {
	for from := i; i < end; i = k.tokenAfter(i) {
		switch {
		case k.is(i, "{", "=", ";", "}", ")"), value && (k.is(i, "by") || i > from-1 && k.accessor(i)):
			return i
		case k.newLine(i) && !k.headGoesOn(i, value):
			return i
		}
	}
	return min(i, end)
}

// headGoesOn reports whether a token at the start of a line continues the head of a
// declaration.
func (k kotlin) headGoesOn(i int, value bool) bool {
	if k.is(i, ":", "where", ".", "->", ",", "&") || k.is(i-1, ":", ",", ".", "->", "where", "&", "by", "(") {
		return true
	}
	if value {
		return k.is(i, "by")
	}
	_, at := k.modifiers(i)
	return k.is(at, "constructor") || k.is(i, "by", "(") || k.is(i-1, "constructor")
}

// expression returns the token after an expression or statement: a semicolon, a closing
// bracket, or the first token of a line that cannot continue it.
func (k kotlin) expression(i, end int) int {
	infix := false // the previous token is an infix function
	for from := i; i < end; i = k.tokenAfter(i) {
		if k.is(i, ";", ")", "]", "}") || i > from && k.newLine(i) && !infix && !k.incomplete(i-1) && !k.goesOn(i) {
			return i
		}
		infix = !infix && k.word(i) && k.infix(i)
		if k.is(i, "@") && !k.adjoins(i) {
			from = k.annotation(i)
			i = from - 1
		}
	}
	return min(i, end)
}

// goesOn reports whether a token continues the expression of the previous line.
func (k kotlin) goesOn(i int) bool {
	switch {
	case k.is(i, ".", "::"), k.is(i, "else", "catch", "finally", "as", "by"):
		return true
	case k.is(i, "?"):
		return k.adjoins(i+1) && k.is(i+1, ".", ":", "::")
	case k.is(i, "&", "|"):
		return k.adjoins(i+1) && k.text(i+1) == k.text(i)
	}
	return false
}

// incomplete reports whether an expression cannot end with a token.
func (k kotlin) incomplete(i int) bool {
	switch {
	case k.kindOf(i) == wordToken:
		return k.is(i, "else", "in", "is", "as", "by", "throw", "try", "do", "finally", "val", "var") && !k.is(i-1, ".")
	case k.is(i, ")"):
		return k.headed(i) && !k.is(i+1, "}")
	case k.kindOf(i) != punctToken || k.is(i, "]", "}", "?"):
		return false
	case k.is(i, ">"):
		return k.tokens[i].pair < 0
	case k.is(i, "!"):
		return !(k.is(i-1, "!") && k.adjoins(i))
	case k.is(i, "+", "-"):
		return !(k.text(i-1) == k.text(i) && k.adjoins(i) && k.adjoins(i-1))
	}
	return true
}

// headed reports whether a bracket ends the condition of a statement, so that its body
// follows.
func (k kotlin) headed(i int) bool {
	return k.tokens[i].pair > 0 && k.is(int(k.tokens[i].pair)-1, "if", "for", "while", "when", "catch") && !k.is(int(k.tokens[i].pair)-2, ".", "fun")
}

// infix reports whether a word is an infix function between two operands: a or b.
func (k kotlin) infix(i int) bool {
	if i == 0 || k.newLine(i) || k.adjoins(i) {
		return false
	}
	switch before := i - 1; {
	case k.kindOf(before) == wordToken:
		return !k.is(before, "else", "in", "is", "as", "by", "throw", "return", "object", "break", "continue", "do", "try", "finally", "val", "var", "fun", "class",
			"interface", "typealias", "package", "import") && !k.is(before-1, "@")
	case k.is(before, ")"):
		return !k.headed(before)
	default:
		return k.kindOf(before) != punctToken || k.is(before, "]", "}")
	}
}
