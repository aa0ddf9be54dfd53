package source

// scanTypeScript scans a TypeScript file without JSX.
func scanTypeScript(in input) Facts { return scanScript(in, false) }

// scanJSX scans JavaScript, and TypeScript with JSX.
func scanJSX(in input) Facts { return scanScript(in, true) }

// scanScript scans the declarations at the top level of a file, of its namespaces and of
// its types, and the imports and exports.
func scanScript(in input, jsx bool) Facts {
	s := script{unit: lexScript(in, jsx), exports: map[Export]bool{}, locals: map[string]bool{}}
	if s.Partial == "" {
		s.angles()
		for i := 0; i < len(s.tokens); {
			if n := len(s.blocks) - 1; n >= 0 && i >= s.blocks[n].end {
				i, s.blocks = s.blocks[n].end+1, s.blocks[:n]
				continue
			}
			i = max(s.statement(i), i+1)
		}
		s.calls()
		s.passedOn()
		s.doubt()
	}
	return s.finish()
}

// owner returns the enclosing namespaces of the next statement.
func (s *script) owner() string {
	if n := len(s.blocks) - 1; n >= 0 {
		return s.blocks[n].owner
	}
	return ""
}

// ambient reports whether the next statement is in a context that exports all declarations.
func (s *script) ambient() bool {
	n := len(s.blocks) - 1
	return n >= 0 && s.blocks[n].ambient
}

// ownedBy returns a name with its owner in front, if there is one.
func ownedBy(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// statement processes one statement and its declarations.
func (s *script) statement(first int) (next int) {
	i := s.decorators(first)
	if s.word(i, "declare") && s.word(i+1, "export") { // Flow
		i++
	}
	if s.word(i, "export") {
		return s.exporting(first, i+1)
	}
	if s.word(i, "import") && !s.is(i+1, "(", ".") {
		return s.importing(i)
	}
	if next, found := s.declaration(first, i, false); found {
		return next
	}
	if next, found := s.assignment(i); found {
		return next
	}
	return s.skipStatement(i)
}

// decorators skips decorators: @a, @a.b and @a<T>(b).
func (s *script) decorators(i int) int {
	for s.is(i, "@") {
		for i++; ; i = s.tokenAfter(i) {
			if s.is(i, "(") && s.is(i-1, "@") || s.isWord(i) && s.is(i-1, "@", ".") {
				continue
			}
			if !s.is(i, ".", "!") && !s.is(i, "<", "(") || s.newLine(i) && !s.is(i, ".") {
				break
			}
		}
	}
	return i
}

// declaration scans the declaration at token i, after decorators and export. found is false
// if there is no declaration.
func (s *script) declaration(first, i int, exported bool) (next int, found bool) {
	for s.word(i, "declare", "abstract", "async") && s.isWord(i+1) && !s.newLine(i+1) {
		i++
	}
	switch named := s.isWord(i+1) && !s.newLine(i+1); {
	case s.word(i, "function"):
		return s.function(first, i+1, exported), true
	case s.word(i, "class"):
		return s.class(first, i+1, Class, exported), true
	case s.word(i, "interface") && named:
		return s.class(first, i+1, Interface, exported), true
	case s.word(i, "const") && s.word(i+1, "enum"):
		return s.enum(first, i+2, exported), true
	case s.word(i, "enum") && named:
		return s.enum(first, i+1, exported), true
	case s.word(i, "type") && named && s.is(i+2, "=", "<"):
		return s.alias(first, i+1, exported), true
	case s.word(i, "namespace", "module") && named, s.word(i, "module") && s.isText(i+1), s.word(i, "global") && s.is(i+1, "{"):
		return s.namespace(first, i, exported), true
	case s.word(i, "await") && s.word(i+1, "using") && s.isWord(i+2):
		return s.variables(first, i+2, exported), true
	case s.word(i, "const", "var"), s.word(i, "let") && (s.isWord(i+1) && !s.is(i+1, "in", "instanceof") || s.is(i+1, "{", "[")), s.word(i, "using") && named && s.is(i+2, "=", ":"):
		return s.variables(first, i+1, exported), true
	}
	return i, false
}

// add declares a symbol in the current namespace, and exports it if requested.
func (s *script) add(kind string, name, first, head, last int, exported bool) {
	sym := Symbol{Name: s.text(name), Owner: s.owner(), Kind: kind, Exported: exported || s.ambient()}
	s.declare(sym, first, head, last)
	if exported {
		s.give(Export{Name: sym.Name, Local: sym.Name, Type: kind == Interface || kind == Type, Line: s.lineOf(name)})
	}
}

// function declares a function, given the token of its name or of the * before it. A
// function without a name is the default export.
func (s *script) function(first, i int, exported bool) (next int) {
	if s.is(i, "*") {
		i++
	}
	name := i
	if s.isWord(i) {
		i++
	}
	i = s.header(i)
	head, last := i, s.terminated(i-1)
	if s.is(i, "{") {
		last = s.tokenAfter(i) - 1
	}
	s.addOrDefault(Function, name, first, head, last, exported)
	return last + 1
}

// header skips the type parameters, parameters and result of a function.
func (s *script) header(i int) int {
	if s.is(i, "<") {
		i = s.tokenAfter(i)
	}
	if s.is(i, "(") {
		i = s.tokenAfter(i)
	}
	if s.is(i, ":") {
		i = s.typeEnd(i + 1)
	}
	return i
}

// addOrDefault declares a symbol with an optional name.
func (s *script) addOrDefault(kind string, name, first, head, last int, exported bool) {
	if s.isWord(name) && !s.word(name, "extends", "implements") && !s.begins(name) {
		s.add(kind, name, first, head, last, exported)
		return
	}
	s.declare(Symbol{Name: "default", Owner: s.owner(), Kind: kind, Exported: true}, first, head, last)
}

// alias declares a type alias.
func (s *script) alias(first, name int, exported bool) (next int) {
	i := name + 1
	if s.is(i, "<") {
		i = s.tokenAfter(i)
	}
	if s.is(i, "=") {
		i = s.typeEnd(i + 1)
	}
	last := s.terminated(i - 1)
	s.add(Type, name, first, i, last, exported)
	return last + 1
}

// namespace declares a namespace, and schedules its statements.
func (s *script) namespace(first, i int, exported bool) (next int) {
	ambient := s.ambient() || s.word(i-1, "declare")
	if !s.word(i, "global") {
		i++
	}
	name, outer := i, s.owner()
	for ; s.is(i+1, ".") && s.isWord(i+2); i += 2 {
		outer = ownedBy(outer, s.text(i))
		name = i + 2
	}
	sym := Symbol{Name: s.text(name), Owner: outer, Kind: Module, Exported: exported || s.ambient()}
	if s.isText(name) || s.is(name, "global") {
		sym.Name, _ = s.memberName(name)
		sym.Exported = true
	}
	if exported {
		s.give(Export{Name: s.text(s.base(name)), Local: s.text(s.base(name)), Line: s.lineOf(name)})
	}
	open := i + 1
	if !s.is(open, "{") {
		last := s.terminated(i)
		s.declare(sym, first, last, last)
		return last + 1
	}
	end := s.tokenAfter(open) - 1
	s.declare(sym, first, open, end)
	if end > open {
		s.blocks = append(s.blocks, scriptBlock{sym.Full(), end, ambient})
	}
	return open + 1
}

// base returns the first name of several names separated by dots.
func (s *script) base(i int) int {
	for s.is(i-1, ".") {
		i -= 2
	}
	return i
}

// headed lists the keywords that are followed by brackets and a statement.
var headed = [...]string{"if", "for", "while", "with", "switch", "catch"}

// skipStatement skips a statement that declares nothing.
func (s *script) skipStatement(i int) (next int) {
	for {
		switch {
		case s.word(i, headed[:]...) && !s.is(i+1, ".", "="):
			if i++; s.word(i, "await") {
				i++
			}
			if s.is(i, "(") {
				i = s.tokenAfter(i)
			}
		case s.word(i, "else", "do", "try", "finally"):
			i++
		case s.isWord(i) && s.is(i+1, ":"):
			i += 2
		case s.is(i, "{"):
			return s.tokenAfter(i)
		default:
			for i = s.expression(i); s.is(i, ","); {
				i = s.expression(i + 1)
			}
			return s.terminated(i-1) + 1
		}
	}
}
