package source

import "strings"

// function declares a function with its body, if any. The owner of A::f is A.
func (c cFile) function(s scope, i int, d declarator) int {
	head := c.bodyOf(d.parameters, s.end)
	last := min(head, s.end-1)
	switch {
	case c.is(head, "{") && head < s.end:
		if last = c.closing(head, s.end); c.is(last+1, "catch") {
			for at := last + 1; c.is(at, "catch") && at < s.end; at = last + 1 {
				last = c.closing(c.until(at, s.end, "{"), s.end)
			}
		}
	case c.is(head, "="):
		last = min(c.until(head, s.end, ";"), s.end-1)
	case c.is(head, "}"):
		last = head - 1
	}
	f := Symbol{Name: c.text(d.name), Owner: s.owner, Kind: Function, Exported: s.gives()}
	first := d.name
	if c.is(first-1, "~") {
		first--
		f.Name = "~" + f.Name
	}
	switch owner := c.qualifiers(first); {
	case d.name == i && owner == "" && f.Name != s.name && !c.is(d.name, "operator"):
		if !c.is(head, "{") {
			return last + 1 // a macro call
		}
		if c.inCapitals(d.name) {
			f = c.tested(f, d)
		}
	case owner != "":
		f.Owner, f.Kind = ownedBy(s.owner, owner), Method
	}
	if s.kind == Class {
		f.Kind = Method
	} else if c.isStatic(s.next, i) {
		f.Exported = false
	}
	c.declare(f, s.next, head, last)
	return last + 1
}

// tested returns a function that a macro declares, named after the arguments of the macro:
// Parser.Escapes for TEST(Parser, Escapes).
func (c cFile) tested(f Symbol, d declarator) Symbol {
	given := strings.Split(c.joined(d.parameters+1, c.tokenAfter(d.parameters)-1), ",")
	for n, name := range given {
		if strings.ContainsAny(name, "(){}<>\"' \n") {
			return f
		}
		if n == len(given)-1 {
			f.Name = name
		} else {
			f.Owner = ownedBy(f.Owner, name)
		}
	}
	return f
}

// isStatic reports whether a declaration is static.
func (c cFile) isStatic(i, end int) bool {
	for ; i < end; i++ {
		if c.is(i, "static") {
			return true
		}
	}
	return false
}

// bodyOf returns the start of the body of a function, or the token after the declaration if
// it has no body. It skips the initializers of a constructor, and parameter types in K&R
// style.
func (c cFile) bodyOf(parameters, end int) int {
	i := c.until(c.tokenAfter(parameters), end, "{", ";", "=", ":", "}")
	if c.is(i, ";") && c.namesOnly(parameters) && c.word(c.tokenAfter(parameters)) {
		if body := c.oldBody(i, end); body > 0 {
			return body
		}
	}
	if !c.is(i, ":") {
		return i
	}
	for i < end {
		if i = c.until(i+1, end, "{", "(", ";"); c.is(i, ";") {
			return i
		}
		if i = c.tokenAfter(i); c.is(i, "...") {
			i++
		}
		if !c.is(i, ",") {
			return c.until(i, end, "{", ";", "}")
		}
	}
	return end
}

// namesOnly reports whether parameters have no types.
func (c cFile) namesOnly(bracket int) bool {
	end := c.tokenAfter(bracket) - 1
	for i := bracket + 1; i < end; i++ {
		if named := (i-bracket)%2 == 1; named && !c.word(i) || !named && !c.is(i, ",") {
			return false
		}
	}
	return end > bracket+1
}

// oldBody returns the start of the body after parameter types in K&R style. It returns 0 if
// there is something else.
func (c cFile) oldBody(i, end int) int {
	for range 32 {
		i = c.until(i+1, end, "{", ";", "=", "(", "}")
		if i < end && c.is(i, "{") && c.is(i-1, ";") {
			return i
		}
		if i >= end || !c.is(i, ";") {
			return 0
		}
	}
	return 0
}
