package source

import "strings"

// scanCSharp scans the types of a C# file with their members, its namespace and its usings.
// It ignores top-level statements, because other files cannot use their declarations.
func scanCSharp(in input) Facts {
	c := csharp{scanned(in, &csharpLexis)}
	c.angles(func(i int) bool {
		return c.word(i) || c.is(i, ".", ",", "?", "*", "::", "[", "]", "(", ")")
	})
	c.scopes(c.member)
	return c.finishBalanced()
}

// csharp collects the declarations of one file.
type csharp struct{ *unit }

// csharpHead contains the modifiers of a declaration.
type csharpHead struct{ public, isHidden, constant bool }

// modifiers parses attributes and modifiers, and returns the token after them.
func (c csharp) modifiers(i int) (csharpHead, int) {
	var h csharpHead
	for {
		switch {
		case c.is(i, "["):
			i = c.tokenAfter(i)
			continue
		case c.is(i, "partial", "required", "scoped", "file", "async") && !c.word(i+1) && !c.is(i+1, "("):
			return h, i
		case c.is(i, "public"):
			h.public = true
		case c.is(i, "private", "protected", "internal"):
			h.isHidden = true
		case c.is(i, "const", "readonly"):
			h.constant = true
		case !c.is(i, "static", "abstract", "sealed", "virtual", "override", "extern", "unsafe", "volatile", "new", "partial", "async", "required", "ref",
			"fixed", "event", "implicit", "explicit", "file", "scoped"):
			return h, i
		}
		i++
	}
}

// rawName returns a name without the prefix @ for names that are keywords.
func (c csharp) rawName(i int) string {
	if !c.word(i) {
		return ""
	}
	return strings.TrimPrefix(c.text(i), "@")
}

// member scans one declaration of a file, a namespace or a type.
func (c csharp) member(s scope) (int, *scope) {
	h, i := c.modifiers(s.next)
	h.public = h.public || s.open && !h.isHidden
	switch {
	case i >= s.end || c.is(i, ";", "{", "}"):
		return c.tokenAfter(i), nil
	case s.kind == "" && c.is(i, "using", "global"):
		return c.using(i, s.end), nil
	case s.kind == "" && c.is(i, "namespace"):
		return c.namespace(s, i)
	case c.is(i, "delegate") && c.word(i+1):
		return c.delegate(s, h, i), nil
	}
	if kind, name := c.typed(i); kind != "" {
		return c.typeBody(s, h, kind, name)
	}
	if s.kind == "" {
		return c.statement(i, s.end), nil
	}
	return c.value(s, h, i), nil
}

// statement returns the token after a statement.
func (c csharp) statement(i, end int) int {
	if i = c.until(i, end, "{", ";"); c.is(i, "{") {
		return c.tokenAfter(i)
	}
	return i + 1
}

// using adds an import: of a namespace, of the static members of a type, or of one type
// with an alias.
func (c csharp) using(i, end int) int {
	if !c.is(i, "using") {
		i++
	}
	end = c.until(i, end, ";")
	from := i + 1
	if c.is(from, "static", "unsafe") {
		from++
	}
	b := Import{Kind: ValueImport, Line: c.lineOf(min(i, len(c.tokens)-1)), Names: []string{"*"}}
	if c.is(from+1, "=") {
		from, b.Names = from+2, nil
	}
	if c.word(from) && c.is(i, "using") {
		b.From = c.joined(from, end)
		c.bring(b)
	}
	return end + 1
}

// namespace opens a namespace. It becomes the package of the file, not the owner of its
// types.
func (c csharp) namespace(s scope, i int) (int, *scope) {
	head := c.until(i, s.end, "{", ";")
	if c.Package == "" {
		c.Package = c.joined(i+1, head)
	}
	if !c.is(head, "{") {
		return head + 1, nil
	}
	return c.tokenAfter(head), &scope{next: head + 1, end: c.closing(head, s.end), owner: s.owner}
}

// delegate adds a delegate type and returns the index after its declaration.
func (c csharp) delegate(s scope, h csharpHead, i int) int {
	last := min(c.until(i, s.end, ";"), s.end-1)
	name := i + 1
	for name < last && !c.is(name+1, "(") && !(c.is(name+1, "<") && c.is(c.tokenAfter(name+1), "(")) {
		name = max(name+1, c.tokenAfter(name+1)-1)
	}
	c.declare(Symbol{Name: c.rawName(name), Owner: s.owner, Kind: Type, Exported: h.public}, s.next, last+1, last)
	return last + 1
}

// typed returns the kind of the type declared at token i, and the token of its name.
func (c csharp) typed(i int) (kind string, name int) {
	switch {
	case c.is(i, "class", "struct"):
		return Class, i + 1
	case c.is(i, "interface"):
		return Interface, i + 1
	case c.is(i, "enum"):
		return Enum, i + 1
	case c.is(i, "record") && c.is(i+1, "class", "struct") && c.word(i+2):
		return Class, i + 2
	case c.is(i, "record") && c.word(i+1) && c.is(i+2, "(", "<", "{", ";", ":"):
		return Class, i + 1
	}
	return "", 0
}

// typeBody declares a type and opens its body, if it has one.
func (c csharp) typeBody(s scope, h csharpHead, kind string, name int) (int, *scope) {
	head := c.until(name, s.end, "{", ";")
	if head >= s.end {
		return head, nil
	}
	last := head
	if c.is(head, "{") {
		last = c.closing(head, s.end)
	}
	inside := &scope{next: head + 1, end: last, owner: s.inner(c.rawName(name)), name: c.rawName(name), kind: kind, open: kind == Interface}
	c.declare(Symbol{Name: inside.name, Owner: s.owner, Kind: kind, Exported: h.public}, s.next, head, last)
	if c.is(name-1, "record") || c.is(name-2, "record") {
		c.components(*inside, name+1)
	}
	if kind == Enum {
		c.constants(*inside)
		return last + 1, nil
	}
	return last + 1, inside
}

// components declares the components of a record. Type parameters may precede them.
func (c csharp) components(s scope, i int) {
	if c.is(i, "<") {
		i = c.tokenAfter(i)
	}
	if !c.is(i, "(") {
		return
	}
	for end := c.closing(i, s.next); i < end; {
		from, to := i+1, c.until(i+1, end, ",")
		name := c.until(from, to, "=") - 1
		c.declare(Symbol{Name: c.rawName(name), Owner: s.owner, Kind: Constant, Exported: true}, from, to, to-1)
		i = to
	}
}

// constants declares the members of an enum.
func (c csharp) constants(s scope) {
	for i := s.next; i < s.end; {
		_, name := c.modifiers(i)
		to := c.until(name, s.end, ",")
		c.declare(Symbol{Name: c.rawName(name), Owner: s.owner, Kind: Constant, Exported: true}, i, to, to-1)
		i = to + 1
	}
}
