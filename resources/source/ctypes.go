package source

import (
	"slices"
	"strings"
)

// typeHead returns the start of the body of the type whose keyword is token i, and the
// colon before its base types, if any. It returns 0 if the type is only used, not declared.
func (c cFile) typeHead(i, end int) (head, colon int) {
	first := i + 1
	if c.is(i, "enum") && c.is(first, "class", "struct") {
		first++
	}
	for i = first; i < end; {
		switch {
		case c.is(i, "{"):
			return i, i
		case c.is(i, ":"):
			if head = c.until(i, end, "{", ";", "="); c.is(head, "{") && head < end {
				return head, i
			}
			return 0, 0
		case c.word(i) && c.is(i+1, "(") && (i == first || c.isAttribute(i)):
			i = c.tokenAfter(i + 1)
		case c.word(i), c.is(i, "::"):
			i++
		case c.is(i, "[") && c.is(i+1, "["), c.is(i, "<") && c.tokenAfter(i) > i+1:
			i = c.tokenAfter(i)
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// typeName returns the token of a type's name before its colon or body, and its owner.
func (c cFile) typeName(s scope, i, colon int) (name int, owner string) {
	name = colon - 1
	for name > i && (c.is(name, "final") || c.is(name, ")", "]", ">") && c.tokens[name].pair > 0) {
		if name--; !c.is(name+1, "final") {
			name = int(c.tokens[name+1].pair) - 1
		}
	}
	if c.inCapitals(name) && name-1 > i && c.word(name-1) && !c.inCapitals(name-1) && !c.is(name-1, "class", "struct") {
		name-- // an attribute after the name
	}
	if name <= i || !c.word(name) || c.is(name, "class", "struct") {
		return -1, s.owner
	}
	return name, c.ownerOf(s, name)
}

// ownerOf returns the owner of a name in a scope, including its qualifiers.
func (c cFile) ownerOf(s scope, name int) string {
	if owner := c.qualifiers(name); owner != "" {
		return s.inner(owner)
	}
	return s.owner
}

// qualifiers returns the qualifiers of a name, up to maxScopes: A.B for A::B<int>::f.
func (c cFile) qualifiers(name int) string {
	var names []string
	for at := name - 1; c.is(at, "::") && c.adjoins(at) && len(names) < maxScopes; at-- {
		if at--; c.is(at, ">") && c.tokens[at].pair > 0 {
			at = int(c.tokens[at].pair) - 1
		}
		if !c.word(at) {
			break
		}
		names = append(names, c.text(at))
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// typed declares a class, struct, union or enum, and the variables declared after its body.
// Members of an unnamed type belong to the first such variable, or else to the enclosing
// scope.
func (c cFile) typed(s scope, i, head, colon int) (int, *scope) {
	last := c.closing(head, s.end)
	after := last + 1
	name, owner := c.typeName(s, i, colon)
	inside := &scope{next: head + 1, end: last, owner: s.owner, kind: Class, open: !c.is(i, "class") && (name > 0 || s.gives())}
	if name > 0 {
		d := Symbol{Name: c.text(name), Owner: owner, Kind: Class, Exported: s.gives()}
		if c.is(i, "enum") {
			d.Kind = Enum
		}
		inside.owner, inside.name = ownedBy(owner, d.Name), d.Name
		c.declare(d, s.next, head, last)
	}
	if d := c.declarator(after, s.end); d.stop < s.end && c.is(d.stop, ";", "=", ",", ":") {
		if first := c.variables(s, i, after, d); name < 0 && first != "" {
			inside.owner = ownedBy(inside.owner, first)
		}
		after = c.until(d.stop, s.end, ";") + 1
	}
	if c.is(i, "enum") {
		c.enumerators(*inside, s.gives())
		return after, nil
	}
	return after, inside
}

// enumerators adds the constants of an enum.
func (c cFile) enumerators(s scope, exported bool) {
	for i := s.next; i < s.end; {
		to := c.until(i, s.end, ",")
		if c.word(i) && !c.is(i+1, "(") && to > i {
			c.declare(Symbol{Name: c.text(i), Owner: s.owner, Kind: Constant, Exported: exported}, i, to, to-1)
		}
		i = to + 1
	}
}
