package source

import "strings"

// scanC scans the functions, types, variables, macros and includes of a C or C++ file. It
// does not expand macros: declarations in macros are not found.
func scanC(in input) Facts {
	c := cFile{scanned(in, &cLexis)}
	if c.Partial != "" {
		return c.finish()
	}
	c.angles(func(i int) bool { return c.kindOf(i) != punctToken || !c.is(i, ";", "{", "}", "<<") })
	c.scopes(c.member)
	before := ""
	for _, d := range c.directives {
		switch word, rest, _ := strings.Cut(d.text, " "); word {
		case "define":
			c.macro(d, rest, before)
		case "include", "include_next", "import":
			c.included(d, rest)
		}
		before = d.text
	}
	return c.finishBalanced()
}

// cFile collects the declarations of one file.
type cFile struct{ *unit }

// member scans one declaration of a file, a namespace or a type.
func (c cFile) member(s scope) (int, *scope) {
	if after := c.invoked(s); after > s.next {
		return after, nil
	}
	i := c.specifiers(s.next, s.end)
	switch {
	case i >= s.end || c.is(i, ";", "}"):
		return i + 1, nil
	case c.is(i, "{"):
		if c.kindOf(i-1) == textToken { // extern "C"
			inside := s
			inside.next, inside.end = i+1, c.closing(i, s.end)
			return inside.end + 1, &inside
		}
		return c.tokenAfter(i), nil
	case s.kind == Class && c.word(i) && (c.is(i+1, ":") || c.word(i+1) && c.is(i+2, ":") && c.isAccess(i)):
		return c.section(s, i)
	case c.is(i, "namespace"):
		return c.namespace(s, i)
	case c.is(i, "using"):
		return c.using(s, i), nil
	case c.is(i, "friend", "static_assert", "_Static_assert", "template"):
		return c.pastBody(i, s.end), nil
	case c.is(i, "class", "struct", "union", "enum"):
		if head, colon := c.typeHead(i, s.end); head > 0 {
			return c.typed(s, i, head, colon)
		}
	}
	return c.declaration(s, i), nil
}

// isAccess reports whether a word is an access specifier of a class.
func (c cFile) isAccess(i int) bool {
	return c.is(i, "public", "private", "protected", "signals", "Q_SIGNALS")
}

// section opens the part of a class after an access specifier.
func (c cFile) section(s scope, label int) (int, *scope) {
	inside := s
	for inside.next = label + 1; !c.is(inside.next-1, ":"); inside.next++ {
	}
	if !c.isAccess(label) {
		return inside.next, nil
	}
	inside.open = !c.is(label, "private")
	for inside.end = inside.next; inside.end < s.end && !(c.isAccess(inside.end) && c.is(c.tokenAfter(inside.end), ":", "slots", "Q_SLOTS")); {
		inside.end = c.tokenAfter(inside.end)
	}
	inside.end = min(inside.end, s.end)
	return inside.end, &inside
}

// pastBody returns the token after a declaration that is not recorded.
func (c cFile) pastBody(i, end int) int {
	if i = c.until(i, end, "{", ";"); c.is(i, "{") {
		return c.tokenAfter(i)
	}
	return i + 1
}

// gives reports whether declarations of the scope are visible outside of it.
func (s scope) gives() bool { return s.kind == "" || s.open }

// namespace declares and opens a namespace.
func (c cFile) namespace(s scope, i int) (int, *scope) {
	head := c.until(i, s.end, "{", ";", "=")
	if !c.is(head, "{") || head >= s.end {
		return c.until(head, s.end, ";") + 1, nil
	}
	from := i + 1
	for c.is(from, "[") {
		from = c.tokenAfter(from)
	}
	to := from
	for to < head && c.word(to) && (to == from || c.is(to-1, "::", "inline")) || c.is(to, "::") {
		to++
	}
	inside := &scope{next: head + 1, end: c.closing(head, s.end), owner: s.owner, kind: Module, open: s.gives() && to > from}
	if to > from {
		name := strings.ReplaceAll(strings.ReplaceAll(c.joined(from, to), "::inline", "::"), "::", ".")
		inside.owner = s.inner(name)
		c.declare(Symbol{Name: name, Owner: s.owner, Kind: Module, Exported: s.gives()}, s.next, head, inside.end)
	}
	return inside.end + 1, inside
}

// using declares the type alias of a using declaration.
func (c cFile) using(s scope, i int) int {
	last := min(c.until(i, s.end, ";"), s.end-1)
	at := i + 2
	for c.is(at, "[") {
		at = c.tokenAfter(at)
	}
	if c.word(i+1) && c.is(at, "=") {
		c.declare(Symbol{Name: c.text(i + 1), Owner: s.owner, Kind: Type, Exported: s.gives()}, s.next, last+1, last)
	}
	return last + 1
}

// macro declares a macro, except include guards.
func (c cFile) macro(d directive, text, before string) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && !c.letter(byte(r)) && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	kind := Constant
	if strings.HasPrefix(text[end:], "(") {
		kind = Function
	}
	if end > 0 && (end < len(text) || before != "ifndef "+text) {
		s := Symbol{Name: text[:end], Kind: kind, Exported: true, From: d.firstLine, To: d.lastLine}
		if !c.outline {
			s.Signature, s.Body = cut("#define "+text, maxSignature), hexSum([]byte(text))
		}
		c.Symbols = append(c.Symbols, s)
	}
}

// included adds an import. Its path includes the angle brackets of a system header.
func (c cFile) included(d directive, text string) {
	switch {
	case strings.HasPrefix(text, `"`):
		text, _, _ = strings.Cut(text[1:], `"`)
	case strings.HasPrefix(text, "<") && strings.Contains(text, ">"):
		text = text[:strings.IndexByte(text, '>')+1]
	default:
		return // the path is a macro
	}
	c.bring(Import{From: text, Kind: ValueImport, Names: []string{"*"}, Line: d.firstLine})
}
