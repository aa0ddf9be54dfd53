package source

import "strings"

// scanRust scans the items of a Rust file and of its modules, traits and impl blocks, the
// fields of structs and the variants of enums. The owner of items in an impl block is the
// implementing type. It does not expand macros, except that it scans the items in
// cfg_select! and cfg_if!. A module in another file (mod x;) is an import of "mod x".
func scanRust(in input) Facts {
	r := rust{scanned(in, &rustLexis)}
	r.angles(func(i int) bool {
		return r.kindOf(i) != punctToken || !r.is(i, ";", "==", "!=", "=>", "<=", "|", "/", "%", "^", "$")
	})
	r.scopes(r.item)
	return r.finishBalanced()
}

// rust collects the declarations of one file.
type rust struct{ *unit }

// attributes returns the token after the outer attributes at token i.
func (r rust) attributes(i int) int {
	for r.is(i, "#") && r.is(i+1, "[") {
		i = r.tokenAfter(i + 1)
	}
	return i
}

// visible reports whether an unrestricted pub is at token i, and returns the token after
// it.
func (r rust) visible(i int) (bool, int) {
	switch {
	case r.is(i, "pub") && r.is(i+1, "("):
		return false, r.tokenAfter(i + 1)
	case r.is(i, "pub"):
		return true, i + 1
	}
	return false, i
}

// qualified skips the qualifiers of an item: const fn becomes fn.
func (r rust) qualified(i int) int {
	for {
		switch {
		case r.is(i, "const") && r.is(i+1, "fn", "unsafe", "async", "extern"),
			r.is(i, "unsafe", "async", "safe", "default", "auto", "gen") && r.word(i+1) && !r.is(i+1, "as"):
			i++
		case r.is(i, "extern") && r.kindOf(i+1) == textToken:
			i += 2
		case r.is(i, "extern") && r.is(i+1, "fn"):
			i++
		default:
			return i
		}
	}
}

// rawName returns a name without the prefix r# for names that are keywords.
func (r rust) rawName(i int) string {
	if !r.word(i) || r.is(i, "_") {
		return ""
	}
	return strings.TrimPrefix(r.text(i), "r#")
}

// item scans one item of a file, a module, a trait, or an impl or extern block.
func (r rust) item(s scope) (int, *scope) {
	if r.is(s.next, "#") && r.is(s.next+1, "!") && r.is(s.next+2, "[") {
		return r.tokenAfter(s.next + 2), nil
	}
	if s.kind == rustArms {
		// Items of the arm belong to the scope around the macro call.
		head := r.until(s.next, s.end, "{")
		if !r.is(head, "{") || head >= s.end {
			return s.end, nil
		}
		return r.tokenAfter(head), &scope{next: head + 1, end: r.closing(head, s.end), owner: s.owner, kind: s.name, open: s.open}
	}
	start := r.attributes(s.next)
	public, i := r.visible(start)
	again := i > start
	i = r.qualified(i)
	d := Symbol{Name: r.rawName(i + 1), Owner: s.owner, Exported: public || s.open}
	switch {
	case i >= s.end:
		return i, nil
	case r.is(i, "use"):
		return r.uses(i, s.end, again), nil
	case r.is(i, "extern") && r.is(i+1, "crate"):
		r.bring(Import{From: r.rawName(i + 2), Kind: rustImport(again), Line: r.lineOf(i)})
		return r.until(i, s.end, ";") + 1, nil
	case r.is(i, "mod") && r.word(i+1):
		return r.module(s, d, i)
	case r.is(i, "impl"):
		return r.block(s, i)
	case r.is(i, "{") && (r.is(i-1, "extern") || r.kindOf(i-1) == textToken):
		return r.tokenAfter(i), &scope{next: i + 1, end: r.closing(i, s.end), owner: s.owner, kind: s.kind}
	case r.is(i, "macro_rules") && r.is(i+1, "!"):
		d.Name, d.Kind = r.rawName(i+2), Function
		d.Exported = r.is(s.next, "#") && strings.Contains(r.joined(s.next, start), "macro_export")
		return r.simple(s, d, i), nil
	case r.word(i + 1):
		return r.declaration(s, d, i)
	}
	return r.call(i, s.end), r.arms(s, i)
}

// rustArms is the kind of a scope for the arms of cfg_select! or cfg_if!. These macros
// contain ordinary items, unlike other macros.
const rustArms = "arms"

// arms returns the scope that such a macro call opens, or nil for other items. The name of
// the scope is the kind of the enclosing scope.
func (r rust) arms(s scope, i int) *scope {
	head := r.until(i, s.end, "{", ";")
	if !r.is(head, "{") || !r.is(head-1, "!") || !r.is(head-2, "cfg_select", "cfg_if") {
		return nil
	}
	return &scope{next: head + 1, end: r.closing(head, s.end), owner: s.owner, name: s.kind, kind: rustArms, open: s.open}
}

// declaration scans an item that begins with a keyword and a name.
func (r rust) declaration(s scope, d Symbol, i int) (int, *scope) {
	switch {
	case r.is(i, "fn"):
		if d.Kind = Function; s.kind == Class || s.kind == Interface {
			d.Kind = Method
		}
	case r.is(i, "struct"), r.is(i, "union") && r.is(i+2, "{", "<", "where"):
		d.Kind = Class
		return r.typed(s, d, i, r.field), nil
	case r.is(i, "enum"):
		d.Kind = Enum
		return r.typed(s, d, i, r.variant), nil
	case r.is(i, "trait"):
		d.Kind = Interface
		after := r.simple(s, d, i)
		if head := r.until(i, s.end, "{", ";"); r.is(head, "{") {
			return after, &scope{next: head + 1, end: r.closing(head, s.end), owner: s.inner(d.Name), kind: Interface, open: d.Exported}
		}
		return after, nil
	case r.is(i, "const", "static"):
		if d.Kind = Constant; r.is(i+1, "mut") {
			d.Kind, d.Name = Variable, r.rawName(i+2)
		}
		return r.valued(s, d, i), nil
	case r.is(i, "type"):
		d.Kind = Type
		return r.valued(s, d, i), nil
	case r.is(i, "macro"):
		d.Kind = Function
	default:
		return r.call(i, s.end), nil
	}
	return r.simple(s, d, i), nil
}

// simple declares an item that ends with its body or a semicolon.
func (r rust) simple(s scope, d Symbol, i int) int {
	head := r.until(i, s.end, "{", ";")
	if d.Name != "" && r.is(i, "macro_rules") && !r.is(head-1, d.Name) {
		head = r.until(i, s.end, ";") // macro_rules! name ( … );
	}
	last := head
	if r.is(head, "{") {
		last = r.closing(head, s.end)
	}
	last = min(last, s.end-1)
	r.declare(d, s.next, head, last)
	return last + 1
}

// valued declares an item that ends with a semicolon, even after braces.
func (r rust) valued(s scope, d Symbol, i int) int {
	last := min(r.until(i, s.end, ";"), s.end-1)
	r.declare(d, s.next, last+1, last)
	return last + 1
}

// call returns the token after a macro call.
func (r rust) call(i, end int) int {
	if i = r.until(i, end, "{", ";"); r.is(i, "{") {
		return r.tokenAfter(i)
	}
	return i + 1
}

// module declares a module with a body. A module without a body is an import.
func (r rust) module(s scope, d Symbol, i int) (int, *scope) {
	if !r.is(i+2, "{") {
		r.bring(Import{From: "mod " + d.Name, Kind: ValueImport, Line: r.lineOf(i)})
		return r.until(i, s.end, ";") + 1, nil
	}
	d.Kind = Module
	after := r.simple(s, d, i)
	return after, &scope{next: i + 3, end: r.closing(i+2, s.end), owner: s.inner(d.Name)}
}

// typed declares a struct, union or enum. It calls member for each comma-separated part of
// the body, with the owner.
func (r rust) typed(s scope, d Symbol, i int, member func(owner string, first, name, end int)) int {
	after := r.simple(s, d, i)
	head := r.until(i, s.end, "{", ";")
	if !r.is(head, "{") || d.Name == "" {
		return after
	}
	for i, end := head+1, r.closing(head, s.end); i < end; {
		_, name := r.visible(r.attributes(i))
		to := r.until(name, end, ",")
		if r.word(name) {
			member(s.inner(d.Name), i, name, to)
		}
		i = to + 1
	}
	return after
}

// field adds a field of a struct.
func (r rust) field(owner string, first, name, end int) {
	public, _ := r.visible(r.attributes(first))
	r.declare(Symbol{Name: r.rawName(name), Owner: owner, Kind: Variable, Exported: public}, first, end, end-1)
}

// variant adds a variant of an enum.
func (r rust) variant(owner string, first, name, end int) {
	r.declare(Symbol{Name: r.rawName(name), Owner: owner, Kind: Constant, Exported: true}, first, end, end-1)
}

// block opens an impl block. The owner of its members is the implementing type.
func (r rust) block(s scope, i int) (int, *scope) {
	from := i + 1
	if r.is(from, "<") && !r.is(r.tokenAfter(from), "::") {
		from = r.tokenAfter(from)
	}
	head := r.until(from, s.end, "{", ";")
	if !r.is(head, "{") {
		return head + 1, nil
	}
	inside := &scope{next: head + 1, end: r.closing(head, s.end), kind: Class}
	for k := from; k < head && !r.is(k, "where"); k = r.tokenAfter(k) {
		if r.is(k, "for") && !r.is(k+1, "<") {
			from, inside.open = k+1, true
		}
	}
	inside.owner = s.owner
	if name := r.implementing(from, head); name != "" {
		inside.owner = s.inner(name)
	}
	return inside.end + 1, inside
}

// implementing returns the last name in the path of a type. It returns "" for a slice, a
// tuple, a function or a macro call.
func (r rust) implementing(i, end int) (name string) {
	for ; i < end && !r.is(i, "where", "+", "(", "[", "!", "fn"); i = r.tokenAfter(i) {
		if r.word(i) && !r.is(i, "dyn", "mut", "const") && !strings.HasPrefix(r.text(i), "'") {
			name = r.rawName(i)
		}
	}
	if r.is(i, "(", "[", "!", "fn") {
		return ""
	}
	return name
}
