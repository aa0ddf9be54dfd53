package source

import "strings"

// scanKotlin scans the types of a Kotlin file with their members, its functions, properties
// and type aliases, its package and its imports. In a script it only scans declarations.
func scanKotlin(in input) Facts {
	k := kotlin{scanned(in, &kotlinLexis)}
	if k.Partial != "" {
		return k.finish()
	}
	k.angles(func(i int) bool {
		return k.word(i) || k.is(i, ".", ",", "?", "*", "[", "]", "(", ")", ":", "->", "@", "&")
	})
	k.scopes(k.member)
	return k.finishBalanced()
}

// kotlin collects the declarations of one file.
type kotlin struct{ *unit }

// kotlinHead contains the modifiers of a declaration.
type kotlinHead struct{ isHidden, enum, companion bool }

// modifiers parses modifiers and annotations, and returns the token after them.
func (k kotlin) modifiers(i int) (kotlinHead, int) {
	var h kotlinHead
	for {
		switch {
		case k.is(i, "@"):
			i = k.annotation(i)
			continue
		case k.is(i, "context") && k.is(i+1, "(") && k.adjoins(i+1):
			i = k.tokenAfter(i + 1)
			continue
		case !k.word(i+1) && !k.is(i+1, "@"):
			return h, i
		case k.is(i, "private", "protected", "internal"):
			h.isHidden = true
		case k.is(i, "enum"):
			h.enum = true
		case k.is(i, "companion"):
			h.companion = true
		case !k.is(i, "public", "open", "abstract", "final", "sealed", "data", "inner", "annotation", "value", "inline", "noinline", "crossinline", "const",
			"lateinit", "override", "suspend", "tailrec", "operator", "infix", "external", "expect", "actual", "vararg"):
			return h, i
		}
		i++
	}
}

// annotation returns the token after the annotation at an @.
func (k kotlin) annotation(i int) int {
	if i++; k.word(i) && k.is(i+1, ":") && k.adjoins(i+1) {
		i += 2
	}
	if k.is(i, "[") {
		return k.tokenAfter(i)
	}
	for i++; k.is(i, ".") && k.word(i+1); i += 2 {
	}
	if k.is(i, "<") && k.adjoins(i) {
		i = k.tokenAfter(i)
	}
	if k.is(i, "(") && k.adjoins(i) {
		i = k.tokenAfter(i)
	}
	return i
}

// rawName returns a name without backticks.
func (k kotlin) rawName(i int) string {
	if !k.word(i) {
		return ""
	}
	return strings.Trim(k.text(i), "`")
}

// member scans one declaration of a file or a type.
func (k kotlin) member(s scope) (int, *scope) {
	if k.is(s.next, "@") && k.is(s.next+1, "file") && k.is(s.next+2, ":") {
		return k.annotation(s.next), nil
	}
	h, i := k.modifiers(s.next)
	switch {
	case i >= s.end || k.is(i, ";", "}", "{"):
		return k.tokenAfter(i), nil
	case s.kind == "" && k.is(i, "package"):
		end := k.lineOfNames(i+1, s.end)
		k.Package = strings.ReplaceAll(k.joined(i+1, end), "`", "")
		return end, nil
	case s.kind == "" && k.is(i, "import"):
		return k.imported(i, s.end), nil
	case k.is(i, "class", "interface", "object") && (k.word(i+1) || h.companion):
		return k.typed(s, h, i)
	case k.is(i, "fun") && k.is(i+1, "interface") && k.word(i+2):
		return k.typed(s, h, i+1)
	case k.is(i, "fun"):
		return k.function(s, h, i), nil
	case k.is(i, "constructor") && s.kind != "":
		return k.finishFunction(s, h, i, i+1), nil
	case k.is(i, "val", "var"):
		return k.property(s, h, i), nil
	case k.is(i, "typealias") && k.word(i+1):
		last := k.expression(i+1, s.end) - 1
		k.declare(Symbol{Name: k.rawName(i + 1), Owner: s.owner, Kind: Type, Exported: !h.isHidden}, s.next, last+1, last)
		return last + 1, nil
	case k.is(i, "init") && k.is(i+1, "{"):
		return k.tokenAfter(i + 1), nil
	}
	return k.expression(i, s.end), nil
}

// lineOfNames returns the token after names separated by dots.
func (k kotlin) lineOfNames(i, end int) int {
	for i < end && (k.word(i) && !k.newLine(i) || k.is(i, ".")) {
		i++
	}
	return i
}

// imported adds an import of one name, with an optional alias, or of an entire package.
func (k kotlin) imported(i, end int) int {
	from := i + 1
	to := from
	for to < end && (k.word(to) && (to == from || k.is(to-1, ".")) || k.is(to, ".")) {
		to++
	}
	b := Import{Kind: ValueImport, Line: k.lineOf(i)}
	after := to
	if k.is(to, "*") {
		b.Names = []string{"*"}
		to, after = to-1, to+1
	}
	if k.is(after, "as") {
		after += 2
	}
	b.From = strings.ReplaceAll(k.joined(from, to), "`", "")
	k.bring(b)
	return after
}

// typed declares a class, an interface or an object, and opens its body, if it has one.
func (k kotlin) typed(s scope, h kotlinHead, i int) (int, *scope) {
	kind, name := Class, i+1
	switch {
	case k.is(i, "interface"):
		kind = Interface
	case h.enum:
		kind = Enum
	}
	d := Symbol{Name: k.rawName(name), Owner: s.owner, Kind: kind, Exported: !h.isHidden}
	head := name + 1
	if h.companion && (!k.word(name) || k.newLine(name)) {
		d.Name, head = "Companion", name
	}
	head = k.head(head, s.end, false)
	last := head - 1
	if k.is(head, "{") && head < s.end {
		last = k.closing(head, s.end)
	}
	inside := &scope{next: head + 1, end: last, owner: s.inner(d.Name), name: d.Name, kind: kind}
	k.declare(d, s.next, head, last)
	k.parameters(*inside, name+1, head)
	if last < head {
		return head, nil
	}
	if kind == Enum {
		inside.next = k.constants(*inside)
	}
	return last + 1, inside
}

// parameters declares the properties among the parameters of a primary constructor.
func (k kotlin) parameters(s scope, i, head int) {
	if i = k.until(i, head, "(", ":"); !k.is(i, "(") || i >= head {
		return
	}
	for end := k.closing(i, head); i < end; {
		from, to := i+1, k.until(i+1, end, ",")
		h, word := k.modifiers(from)
		if kind := k.kindOfProperty(word); kind != "" && word+1 < to {
			k.declare(Symbol{Name: k.rawName(word + 1), Owner: s.owner, Kind: kind, Exported: !h.isHidden}, from, to, to-1)
		}
		i = to
	}
}

// constants declares the constants of an enum, and returns the first token of its other
// members.
func (k kotlin) constants(s scope) int {
	for i := s.next; i < s.end; {
		first := i
		if _, i = k.modifiers(i); k.is(i, ";") {
			return i + 1
		}
		if !k.word(i) {
			i = max(i, first+1)
			continue
		}
		name := i
		if i++; k.is(i, "(") {
			i = k.tokenAfter(i)
		}
		if k.is(i, "{") {
			i = k.tokenAfter(i)
		}
		i = min(i, s.end)
		k.declare(Symbol{Name: k.rawName(name), Owner: s.owner, Kind: Constant, Exported: true}, first, i, i-1)
		if k.is(i, ",") {
			i++
		}
	}
	return s.end
}
