package source

// calls adds the imports of import("a") and require("a") calls in all statements.
func (s *script) calls() {
	inside := -1 // end of the enclosing function
	for i := range s.tokens {
		if s.is(i, "{") && i > inside && !s.objectOrControl(i) {
			inside = int(s.tokens[i].pair)
		}
		if !s.word(i, "import", "require") || !s.is(i+1, "(") || s.is(i-1, ".") || s.word(i-1, "function") {
			continue
		}
		if from := s.literal(i + 2); from != "" && s.is(i+3, ")", ",") {
			s.bring(s.call(i, from, i < inside))
		}
	}
}

// objectOrControl reports whether a { begins an object, or a block that runs as part of the
// enclosing code.
func (s *script) objectOrControl(i int) bool {
	switch {
	case !s.blockBegins(i):
		return true
	case s.is(i-1, ")"):
		return !s.operand(i - 1)
	}
	return i == 0 || s.is(i-1, ";", "{", "}") || s.word(i-1, "else", "do", "try", "finally") ||
		s.word(i-2, "namespace", "module") || s.word(i-1, "global")
}

// call returns the import of the import(from) or require(from) call at a token.
func (s *script) call(i int, from string, inside bool) Import {
	b := Import{From: from, Kind: ValueImport, Names: []string{"*"}, Line: s.lineOf(i)}
	end := s.tokenAfter(i + 1)
	before := i - 1
	if s.word(before, "await") {
		before--
	}
	switch {
	case s.word(i, "import") && s.typePosition(i, end):
		b.Kind = TypeImport
		if s.is(end, ".") && s.isWord(end+1) {
			b.Names = []string{s.text(end + 1)}
		}
		return b
	case s.word(i, "import") || inside || s.is(before, "=>"):
		b.Kind = DynamicImport
	case s.is(before, "=") && s.word(before-2, "type") && s.word(before-3, "import"):
		b.Kind = TypeImport
	}
	switch {
	case s.is(before, "=") && s.is(before-1, "}"):
		b.Names = s.keys(before - 1)
	case s.is(end, ".") && s.isWord(end+1) && before == i-1 && !s.is(end+1, "then", "catch", "finally"):
		b.Names = []string{s.text(end + 1)}
	case s.word(i, "require") && (before < 0 || s.is(before, ";", "{", "}") || s.newLine(i) && !s.incomplete(before)) && !s.is(end, ".", "("):
		b.Names = nil
	}
	return b
}

// typePosition reports whether import("a") at a token is a type.
func (s *script) typePosition(i, end int) bool {
	if s.word(i-1, "typeof", "keyof", "as", "satisfies", "extends", "is") || s.is(i-1, "<", "|", "&") && !s.adjoins(i-1) {
		return true
	}
	return s.is(i-1, ":", "|", "&", "=", ",") && s.is(end, ".") && s.isWord(end+1) && !s.is(end+1, "then", "catch", "finally") && !s.is(end+2, "(")
}

// keys returns the property names in a destructuring pattern, given its closing bracket.
func (s *script) keys(end int) (names []string) {
	for i := int(s.tokens[end].pair) + 1; i > 0 && i < end; i++ {
		switch name, next := s.memberName(i); {
		case s.is(i, "..."):
			names = append(names, "*")
		case name != "":
			names = append(names, name)
			i = next
		}
		for i < end && !s.is(i, ",") {
			i = s.tokenAfter(i)
		}
	}
	return names
}

// assignment processes exports.a = b, module.exports = b, and A.b = function at the
// start of a statement.
func (s *script) assignment(first int) (next int, found bool) {
	var targets [][]int
	i := first
	for {
		path, after := s.path(i)
		if len(path) == 0 || !s.is(after, "=") || len(path) == 1 && !s.is(path[0], "exports") && len(targets) == 0 {
			break
		}
		targets, i = append(targets, path), after+1
	}
	if len(targets) == 0 {
		return first, false
	}
	end := s.expression(i)
	last := s.terminated(end - 1)
	for _, path := range targets {
		s.assigned(path, first, i, end, last)
	}
	for end = last + 1; s.is(end, ","); {
		end = s.expression(end + 1)
	}
	return s.terminated(end-1) + 1, true
}

// path returns the names of a.b.c and the token after it. module.exports counts as one
// name, exports.
func (s *script) path(i int) (path []int, after int) {
	if s.word(i, "module") && s.is(i+1, ".") && s.word(i+2, "exports") {
		i += 2
	}
	for s.isWord(i) {
		path = append(path, i)
		switch {
		case s.is(i+1, ".") && s.isWord(i+2):
			i += 2
		case s.is(i+1, "[") && s.literal(i+2) != "" && s.is(i+3, "]"):
			return append(path, i+2), i + 4
		default:
			return path, i + 1
		}
	}
	return nil, i
}

// assigned declares and exports the target of an assignment.
func (s *script) assigned(path []int, first, value, end, last int) {
	exports := s.is(path[0], "exports")
	kind, head := s.valued(Variable, value-1, end)
	function := kind == Function || s.word(value, "class") || s.word(value, "async", "function")
	name, _ := s.memberName(path[len(path)-1])
	sym := Symbol{Name: name, Kind: kind, Exported: true}
	switch {
	case exports && len(path) == 1:
		s.assignedAll(path[0], value, end)
		return
	case exports && len(path) == 2:
		e := Export{Name: name, Line: s.lineOf(path[0])}
		if s.isWholeExpression(value) {
			e.Local = s.text(value)
			s.locals[e.Local] = true
		}
		if s.give(e); s.isWord(value) && end == value+1 {
			return
		}
	case exports || !function || s.is(path[0], "this", "window"):
		return
	default:
		owner := path[:len(path)-1]
		if n := len(owner) - 1; n > 0 && s.is(owner[n], "prototype") {
			owner = owner[:n]
		}
		for _, o := range owner {
			sym.Owner = ownedBy(sym.Owner, s.text(o))
		}
	}
	if sym.Kind == Function && sym.Owner != "" {
		sym.Kind = Method
	}
	s.declare(sym, first, head, last)
}

// assignedAll exports the value that is assigned to module.exports.
func (s *script) assignedAll(at, value, end int) {
	s.giveDefault(at, value)
	if from := s.literal(value + 2); s.word(value, "require") && from != "" && s.tokenAfter(value+1) == end {
		s.give(Export{Name: "*", From: from, Line: s.lineOf(at)})
	}
	if !s.is(value, "{") || s.tokenAfter(value) != end {
		return
	}
	for i := value + 1; i < end-1; i++ {
		s.giveProperty(i)
		for i < end-1 && !s.is(i, ",") {
			i = s.tokenAfter(i)
		}
	}
}

// giveProperty exports a property of the object that is assigned to module.exports.
func (s *script) giveProperty(i int) {
	if s.is(i, "...") {
		if from := s.literal(i + 3); s.word(i+1, "require") && from != "" {
			s.give(Export{Name: "*", From: from, Line: s.lineOf(i)})
		}
		return
	}
	if i, _ = s.modifiers(i); s.is(i, "*") {
		i++
	}
	name, after := s.memberName(i)
	e := Export{Name: name, Line: s.lineOf(i)}
	switch {
	case s.is(after, ",", "}"):
		e.Local = name
	case s.is(after, ":") && s.isWholeExpression(after+1):
		e.Local = s.text(after + 1)
	}
	if s.is(i, "[") {
		return
	}
	if e.Local != "" {
		s.locals[e.Local] = true
	}
	s.give(e)
}
