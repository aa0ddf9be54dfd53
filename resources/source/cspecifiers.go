package source

// specifiers returns the token after the specifiers of a declaration, in any order.
func (c cFile) specifiers(i, end int) int {
	for i < end {
		switch {
		case c.is(i, "template") && c.is(i+1, "<"):
			i = c.tokenAfter(i + 1)
		case c.is(i, "requires"):
			i = c.constraint(i+1, end)
		case c.is(i, "[") && c.is(i+1, "["):
			i = c.tokenAfter(i)
		case c.is(i, "extern") && c.kindOf(i+1) == textToken:
			i += 2
		case c.isAttribute(i) && c.is(i+1, "(") && !c.is(i, "decltype", "typeof", "__typeof__", "_Atomic"):
			i = c.tokenAfter(i + 1)
		case c.is(i, "inline", "static", "const", "constexpr", "consteval", "constinit", "typedef", "extern", "virtual", "explicit", "mutable", "volatile",
			"register", "thread_local", "_Noreturn", "__inline", "__extension__", "export"):
			i++
		case c.inCapitals(i) && c.is(i+1, "namespace", "template", "class", "struct", "union", "enum", "typedef", "using", "static", "inline", "constexpr",
			"extern", "virtual", "explicit", "const", "public", "private", "protected"):
			i++
		default:
			return i
		}
	}
	return end
}

// constraint returns the token after the constraint of a template.
func (c cFile) constraint(i, end int) int {
	for i < end {
		for c.is(i, "!") {
			i++
		}
		for i = c.tokenAfter(i); c.is(i, "::") || c.word(i) && c.is(i-1, "::") || c.is(i, "<") && c.tokenAfter(i) > i+1; {
			i = c.tokenAfter(i)
		}
		if !c.is(i, "&", "|") || c.text(i) != c.text(i+1) {
			return i
		}
		i += 2
	}
	return end
}

// isAttribute reports whether a word is an attribute with arguments in brackets.
func (c cFile) isAttribute(i int) bool {
	return c.is(i, "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "noexcept", "explicit", "asm", "__asm__", "__asm", "typeof",
		"__typeof__", "_Atomic", "throw")
}

// inCapitals reports whether a word is in capitals, as macros usually are.
func (c cFile) inCapitals(i int) bool {
	return c.word(i) && len(c.bytes(i)) > 1 && inCapitals(c.text(i))
}

// invoked returns the token after a macro call that replaces a declaration. It returns the
// scope's next token if there is no such call. A macro directly above a declaration belongs
// to that declaration.
func (c cFile) invoked(s scope) int {
	i := s.next
	if !c.inCapitals(i) || c.is(i, s.name) {
		return i
	}
	after := i + 1
	if c.is(after, "(") {
		after = c.tokenAfter(after)
	}
	switch {
	case after >= s.end:
		return s.end
	case !c.newLine(after) || c.kindOf(after) == punctToken && !c.is(after, "}", "[", "~"):
		return i
	case c.lineOf(after)-c.lastLine(after-1) > 1, c.isAccess(after) && c.is(after+1, ":"), c.is(after, "namespace", "}"):
		return after
	}
	return i
}
