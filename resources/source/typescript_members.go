package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// memberWords lists the modifiers before a member's name.
var memberWords = [...]string{
	"public", "private", "protected", "static", "readonly", "abstract", "override", "declare", "accessor", "async", "get", "set", "const", "in", "out",
}

// class declares a class or an interface and its members. The name is optional.
func (s *script) class(first, name int, kind string, exported bool) (next int) {
	open := s.classBody(name)
	last := open - 1
	if s.is(open, "{") {
		last = s.tokenAfter(open) - 1
	}
	n := len(s.Symbols)
	s.addOrDefault(kind, name, first, open, last, exported)
	if s.is(open, "{") && n < len(s.Symbols) {
		s.members(open+1, last, s.Symbols[n])
	}
	return last + 1
}

// classBody returns the opening bracket of a class body. It skips the bodies of functions
// and classes in an extends clause.
func (s *script) classBody(i int) int {
	for others := 0; i < len(s.tokens) && !s.is(i, ";", "}", ")") && !s.begins(i); i = s.tokenAfter(i) {
		switch {
		case s.word(i, "function", "class") && s.word(i-1, "extends", "async"):
			others++
		case s.is(i, "{") && others == 0:
			return i
		case s.is(i, "{"):
			others--
		}
	}
	return i
}

// members declares the members between two tokens.
func (s *script) members(i, end int, of Symbol) {
	for i < end {
		if s.is(i, ";", ",") {
			i++
			continue
		}
		i = max(s.member(i, end, of), i+1)
	}
}

// member declares one member, and returns the token after it.
func (s *script) member(first, end int, of Symbol) (next int) {
	i, private := s.modifiers(s.decorators(first))
	if s.is(i, "*") {
		i++
	}
	name, after := s.memberName(i)
	if name == "" || s.word(i, "new") && of.Kind == Interface && s.is(after, "(", "<") {
		// a static block, a call or index signature, or a member without a suitable name
		if s.is(i, "[") || s.word(i, "new") || s.isText(i) {
			i = s.tokenAfter(i)
		}
		if i = s.header(i); s.is(i, "{") {
			return s.tokenAfter(i)
		}
		if s.is(i, "=") {
			i = s.expression(i + 1)
		}
		return s.terminated(i-1) + 1
	}
	sym := Symbol{Name: name, Owner: of.Full(), Kind: Variable, Exported: !private && name[0] != '#'}
	if i = after; s.is(i, "?", "!") {
		i++
	}
	if s.is(i, "(", "<") {
		sym.Kind = Method
	}
	params := i
	if i = s.header(i); s.is(i, "=") {
		i = s.expression(i + 1)
	}
	head, last := i, s.terminated(i-1)
	if s.is(i, "{") && sym.Kind == Method {
		last = s.tokenAfter(i) - 1
	}
	last = min(last, end-1)
	s.declare(sym, first, head, last)
	if name == "constructor" && sym.Kind == Method && s.is(params, "(") {
		s.properties(params, of)
	}
	return last + 1
}

// modifiers skips the modifiers of a member, and reports whether the member is private or
// protected.
func (s *script) modifiers(i int) (next int, private bool) {
	for s.word(i, memberWords[:]...) || s.is(i, "-", "+") && s.word(i+1, "readonly") {
		named := s.kindOf(i+1) != punctToken || s.is(i+1, "[", "*", "@") || s.is(i+1, "{") && s.word(i, "static")
		if !s.is(i, "-", "+") && (!named || s.newLine(i+1) && !s.word(i, "static", "get", "set", "public", "private", "protected")) {
			break
		}
		private = private || s.word(i, "private", "protected")
		i = s.decorators(i + 1)
	}
	return i, private
}

// memberName returns the name of a member and the token after it. The name is "" if there
// is no name.
func (s *script) memberName(i int) (name string, next int) {
	switch {
	case s.isText(i):
		return s.quotedName(i), s.tokenAfter(i)
	case s.kindOf(i) != punctToken:
		return s.text(i), i + 1
	case s.is(i, "[") && !s.is(i+2, ":"):
		next = s.tokenAfter(i)
		for ; i < next; i++ {
			name += s.text(i)
		}
		return name, next
	}
	return "", i
}

// quotedName returns the text of a string if it is suitable as a name, and "" otherwise.
func (s *script) quotedName(i int) string {
	name := s.literal(i)
	control := strings.IndexFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
	if control >= 0 || len(name) > maxSignature || name != strings.TrimSpace(name) {
		return ""
	}
	return name
}

// properties declares the constructor parameters that are also members.
func (s *script) properties(open int, of Symbol) {
	end := s.tokenAfter(open) - 1
	for i := open + 1; i < end; {
		first := i
		name, private := s.modifiers(s.decorators(i))
		last := name
		if s.is(last+1, "?") {
			last++
		}
		if s.is(last+1, ":") {
			last = s.typeEnd(last+2) - 1
		}
		if s.is(last+1, "=") {
			last = s.expression(last+2) - 1
		}
		if s.isWord(name) && s.word(name-1, memberWords[:]...) && name > first {
			s.declare(Symbol{Name: s.text(name), Owner: of.Full(), Kind: Variable, Exported: !private}, first, last+1, last)
		}
		for i = last + 1; i < end && !s.is(i, ","); {
			i = s.tokenAfter(i)
		}
		i++
	}
}

// enum declares an enum and its members.
func (s *script) enum(first, name int, exported bool) (next int) {
	open := name + 1
	if !s.is(open, "{") {
		return open
	}
	last := s.tokenAfter(open) - 1
	n := len(s.Symbols)
	s.add(Enum, name, first, open, last, exported)
	for i := open + 1; i < last && n < len(s.Symbols); i++ {
		called, end := s.memberName(i)
		if s.is(end, "=") {
			end = s.expression(end + 1)
		}
		s.declare(Symbol{Name: called, Owner: s.Symbols[n].Full(), Kind: Constant, Exported: true}, i, end, end-1)
		for i = end; i < last && !s.is(i, ","); {
			i = s.tokenAfter(i)
		}
	}
	return last + 1
}
