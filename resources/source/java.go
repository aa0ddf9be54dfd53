package source

var javaLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, letters: "$",
	quotes: []quote{{`"""`, `"""`, true, true}, {`"`, `"`, true, false}, {"'", "'", true, false}},
}

// scanJava scans the types of a Java file with their methods, constructors, fields and
// components, its package and its imports.
func scanJava(in input) Facts {
	j := java{scanned(in, &javaLexis)}
	j.angles(func(i int) bool {
		return j.word(i) || j.is(i, ".", ",", "?", "@", "[", "]", "(", ")") || j.is(i, "&") && !j.is(i+1, "&") && !j.is(i-1, "&")
	})
	j.scopes(j.member)
	return j.finishBalanced()
}

// java collects the declarations of one file.
type java struct{ *unit }

// javaHead contains the modifiers of a declaration.
type javaHead struct{ public, private, final bool }

// modifiers parses modifiers and annotations, and returns the token after them.
func (j java) modifiers(i int) (javaHead, int) {
	var h javaHead
	for {
		switch {
		case j.is(i, "@") && !j.is(i+1, "interface"):
			i = j.annotation(i)
			continue
		case j.is(i, "public"):
			h.public = true
		case j.is(i, "private"):
			h.private = true
		case j.is(i, "final"):
			h.final = true
		case j.is(i, "non") && j.is(i+1, "-"):
			i += 2
		case j.is(i, "sealed") && !j.word(i+1):
			return h, i
		case !j.is(i, "sealed", "static", "protected", "abstract", "default", "synchronized", "native", "transient", "volatile", "strictfp"):
			return h, i
		}
		i++
	}
}

// annotation returns the token after the annotation at an @.
func (j java) annotation(i int) int {
	for i += 2; j.is(i, ".") && j.word(i+1); i += 2 {
	}
	if j.is(i, "(") {
		return j.tokenAfter(i)
	}
	return i
}

// member scans one declaration of a file or a type.
func (j java) member(s scope) (int, *scope) {
	h, i := j.modifiers(s.next)
	h.public = h.public || s.open && !h.private
	switch {
	case i >= s.end || j.is(i, ";", "{"):
		return j.tokenAfter(i), nil
	case s.kind == "" && j.is(i, "package"):
		end := j.until(i, s.end, ";")
		j.Package = j.joined(i+1, end)
		return end + 1, nil
	case s.kind == "" && j.is(i, "import"):
		return j.imported(i, s.end), nil
	case s.kind == "" && j.is(i, "module", "open") && j.word(i+1):
		return s.end, nil // code does not refer to declarations in module-info.java
	}
	if kind, name := j.typed(i); kind != "" {
		return j.typeBody(s, h, kind, name)
	}
	return j.value(s, h, i)
}

// imported adds an import: of a class, of an entire package or class, or of a static
// member.
func (j java) imported(i, end int) int {
	end = j.until(i, end, ";")
	from, to := i+1, end
	static := j.is(from, "static")
	if static {
		from++
	}
	b := Import{Kind: ValueImport, Line: j.lineOf(i)}
	if static || j.is(to-1, "*") {
		b.Names = []string{j.text(to - 1)}
		to -= 2
	}
	b.From = j.joined(from, to)
	j.bring(b)
	return end + 1
}

// typed returns the kind of the type declared at token i, and the token of its name.
func (j java) typed(i int) (kind string, name int) {
	switch {
	case j.is(i, "class"):
		return Class, i + 1
	case j.is(i, "interface"):
		return Interface, i + 1
	case j.is(i, "@") && j.is(i+1, "interface"):
		return Interface, i + 2
	case j.is(i, "enum") && j.word(i+1):
		return Enum, i + 1
	case j.is(i, "record") && j.word(i+1) && j.is(i+2, "(", "<"):
		return Class, i + 1
	}
	return "", 0
}

// typeBody declares a type and opens its body.
func (j java) typeBody(s scope, h javaHead, kind string, name int) (int, *scope) {
	head := j.until(name, s.end, "{", ";")
	if !j.word(name) || !j.is(head, "{") {
		return head, nil
	}
	last := j.closing(head, s.end)
	inside := &scope{next: head + 1, end: last, owner: s.inner(j.text(name)), name: j.text(name), kind: kind, open: kind == Interface}
	j.declare(Symbol{Name: inside.name, Owner: s.owner, Kind: kind, Exported: h.public}, s.next, head, last)
	if j.is(name-1, "record") {
		j.components(*inside, name+1)
	}
	if kind == Enum {
		inside.next = j.constants(*inside)
	}
	return last + 1, inside
}

// components declares the components of a record. Type parameters may precede them.
func (j java) components(s scope, i int) {
	if j.is(i, "<") {
		i = j.tokenAfter(i)
	}
	for end := j.closing(i, s.next); i < end; {
		from, to := i+1, j.until(i+1, end, ",")
		if j.word(to-1) && j.is(to, ",", ")") {
			j.declare(Symbol{Name: j.text(to - 1), Owner: s.owner, Kind: Constant, Exported: true}, from, to, to-1)
		}
		i = to
	}
}

// constants declares the constants of an enum, and returns the first token of its other
// members.
func (j java) constants(s scope) int {
	for i := s.next; i < s.end; {
		if j.is(i, ";") {
			return i + 1
		}
		first := i
		if _, i = j.modifiers(i); !j.word(i) {
			i = max(i, first+1)
			continue
		}
		name, head := i, i+1
		if j.is(head, "(") {
			head = j.tokenAfter(head)
		}
		if i = head; j.is(i, "{") {
			i = j.tokenAfter(i)
		}
		j.declare(Symbol{Name: j.text(name), Owner: s.owner, Kind: Constant, Exported: true}, first, head, min(i, s.end)-1)
	}
	return s.end
}

// value declares a method, a constructor, or fields with a type at token i.
func (j java) value(s scope, h javaHead, i int) (int, *scope) {
	if j.is(i, "<") {
		i = j.tokenAfter(i)
	}
	for i < s.end && !j.is(i, "(", "=", ";", ",", "{", "}") {
		if j.is(i, "@") {
			i = j.annotation(i)
			continue
		}
		i = j.tokenAfter(i)
	}
	name := i - 1
	for j.is(name, "]") && j.tokens[name].pair >= 0 {
		name = int(j.tokens[name].pair) - 1
	}
	switch {
	case i >= s.end || name < s.next || !j.word(name):
		return j.tokenAfter(i), nil
	case j.is(i, "(") || j.is(i, "{") && j.text(name) == s.name:
		return j.method(s, h, name), nil
	case j.is(i, "{", "}"):
		return j.tokenAfter(i), nil
	}
	return j.fields(s, h, name), nil
}

// method declares a method or constructor, up to its body or semicolon. The default
// value of an annotation method may contain braces.
func (j java) method(s scope, h javaHead, name int) int {
	head := name + 1
	if j.is(head, "(") {
		head = j.tokenAfter(head)
	}
	head = j.until(head, s.end, "{", ";", "default", "}")
	last := head
	switch {
	case j.is(head, "default"):
		last = j.until(head, s.end, ";")
	case j.is(head, "{"):
		last = j.closing(head, s.end)
	}
	last = min(last, s.end-1)
	kind := Method
	if s.kind == "" {
		kind = Function
	}
	j.declare(Symbol{Name: j.text(name), Owner: s.owner, Kind: kind, Exported: h.public}, s.next, head, last)
	return last + 1
}

// fields declares the fields of a declaration, starting with the first name. The
// checksum of each field covers the modifiers and its value.
func (j java) fields(s scope, h javaHead, name int) int {
	kind := Variable
	if h.final || s.kind == Interface {
		kind = Constant
	}
	with := j.shared(s.next, name)
	for {
		end := j.until(name, s.end, ",", ";", "}")
		last := end - 1
		if j.is(end, ";") {
			last = end
		}
		j.declareApart(Symbol{Name: j.text(name), Owner: s.owner, Kind: kind, Exported: h.public}, with, name, end, last)
		if name = end + 1; !j.is(end, ",") || !j.word(name) {
			return end + 1
		}
	}
}
