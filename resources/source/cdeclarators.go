package source

// declarator is the part of a declaration that declares one name.
type declarator struct {
	name       int // token of the name; -1 if there is none
	stop       int // first token after it: a value, a body, the next declarator or the end
	parameters int // for functions: the opening bracket; otherwise 0
}

// declarator parses the declarator, including its type, that begins at token i.
func (c cFile) declarator(i, end int) declarator {
	d := declarator{name: -1}
	nameEnd := i
	for d.stop = i; d.stop < end && !c.is(d.stop, ";", ",", "=", "{", "}", ":", ")"); {
		at := d.stop
		d.stop = c.tokenAfter(at)
		switch {
		case c.is(at, "operator"):
			d.name, d.parameters = at, c.until(at+1, end, "(", ";")
			d.stop = d.parameters
			return d
		case c.is(at, "(") && c.isAttribute(at-1):
		case c.is(at, "("):
			if inner, found := c.parenthesized(at); found {
				inner.stop = c.until(d.stop, end, ";", ",", "=", "{", "}", ":")
				return inner
			}
			if d.name >= 0 && at == nameEnd && !c.annotates(i, d.name, at) {
				d.parameters, d.stop = at, at
				return d
			}
		case c.is(at, "<") && at == nameEnd:
			nameEnd = d.stop
		case c.word(at) && !c.isAttribute(at) && !c.isQualifier(at) && !(d.name > i && c.inCapitals(at) && c.is(at+1, "(") && c.annotates(i, d.name, at+1)):
			d.name, nameEnd = at, at+1
		}
	}
	return d
}

// isQualifier reports whether a word is part of a type and not a name.
func (c cFile) isQualifier(i int) bool {
	return c.is(i, "const", "volatile", "restrict", "__restrict", "__restrict__", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "void",
		"bool", "auto", "struct", "class", "union", "enum", "typename", "final", "override")
}

// annotates reports whether a bracket after a word belongs to a macro that annotates the
// declaration that begins at first: EXPORT(int) f(), int x GUARDED_BY(lock).
func (c cFile) annotates(first, name, bracket int) bool {
	after := c.tokenAfter(bracket)
	if name == first && bracket == name+1 {
		return c.word(after) && !c.is(after, "const", "noexcept", "override", "final", "throw", "try", "requires", "volatile", "catch") && !c.isAttribute(after) &&
			(c.inCapitals(name) || !c.inCapitals(after) && c.is(after+1, ";", ",", "=", "["))
	}
	return bracket > name+1 && c.is(after, ";", "=", ",")
}

// parenthesized parses a declarator with a name in brackets: (*f)(int), (f)(int).
func (c cFile) parenthesized(bracket int) (d declarator, found bool) {
	after := c.tokenAfter(bracket)
	if !c.is(after, "(", "[") || bracket == 0 {
		return d, false
	}
	d.name = -1
	at := bracket + 1
	for ; at < after-1 && !c.is(at, "(", "["); at++ {
		switch {
		case c.word(at):
			d.name = at
		case !c.is(at, "*", "&", "^", "::"):
			return d, false
		}
	}
	switch {
	case c.is(at, "("):
		d.parameters = at
	case d.name == bracket+1 && c.is(after, "("):
		d.parameters = after
	}
	return d, d.name > 0
}

// declaration declares a function or variables. Their type begins at token i.
func (c cFile) declaration(s scope, i int) int {
	d := c.declarator(i, s.end)
	switch {
	case d.parameters > 0 && !c.typedef(s, i) && !c.isValue(i, d):
		return c.function(s, i, d)
	case d.parameters > 0:
		d.stop = c.until(d.stop, s.end, ";", ",", "=", "{")
	}
	if c.is(d.stop, "{") && d.stop < s.end && (d.name <= i || !c.is(c.tokenAfter(d.stop), ";", ",")) || c.is(d.stop, "}", ")") {
		return c.tokenAfter(d.stop)
	}
	keyed := c.is(i, "class", "struct", "union", "enum")
	if keyed && c.is(d.stop, ";", ":") && (d.name == i+1 || d.name == i+2 && c.is(i+1, "class", "struct")) {
		return c.until(d.stop, s.end, ";") + 1 // a forward declaration
	}
	c.variables(s, i, i+1, d)
	return c.until(d.stop, s.end, ";") + 1
}

// typedef reports whether the declaration with a type at token i is a typedef.
func (c cFile) typedef(s scope, i int) bool {
	for at := s.next; at < i; at++ {
		if c.is(at, "typedef") {
			return true
		}
	}
	return false
}

// isValue reports whether a bracketed list is the initializer of a variable, not a
// parameter list.
func (c cFile) isValue(i int, d declarator) bool {
	at := d.parameters + 1
	return d.name > i && !c.is(d.name, "operator") && c.is(c.tokenAfter(d.parameters), ";", ",") &&
		(c.kindOf(at) == numberToken || c.kindOf(at) == textToken || c.is(at, "&", "-", "nullptr", "true", "false", "new", "this", "sizeof"))
}

// variables declares the variables of a declaration with a type at token i. It ignores
// names before token least. It returns the first name. The checksum of each variable covers
// the type and its value.
func (c cFile) variables(s scope, i, least int, d declarator) (first string) {
	kind := Variable
	if c.typedef(s, i) || c.is(i, "concept") {
		kind = Type
	}
	exported := s.gives() && (s.kind == Class || !c.is(s.next, "static"))
	with := c.shared(s.next, max(least, d.name))
	for begin := least; ; {
		end := c.until(d.stop, s.end, ",", ";")
		last := end - 1
		if c.is(end, ";") {
			last = end
		}
		if d.name >= begin && c.word(d.name) {
			if first == "" {
				first = c.text(d.name)
			}
			c.declareApart(Symbol{Name: c.text(d.name), Owner: c.ownerOf(s, d.name), Kind: kind, Exported: exported}, with, d.name, end, min(last, s.end-1))
		}
		if !c.is(end, ",") || end >= s.end {
			return first
		}
		begin = end + 1
		d = c.declarator(begin, s.end)
	}
}
