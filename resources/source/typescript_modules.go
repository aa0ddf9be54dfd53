package source

// give adds an export of the file. It ignores duplicates and exports of namespaces.
func (s *script) give(e Export) {
	once := e
	once.Line = 0
	if len(s.blocks) == 0 && e.Name != "" && !s.exports[once] {
		s.exports[once] = true
		s.Exports = append(s.Exports, e)
	}
}

// exporting processes the text after the keyword export.
func (s *script) exporting(first, i int) (next int) {
	switch {
	case s.begins(i) && s.word(i, "import", "export"):
		return i
	case s.word(i, "default"):
		return s.exportDefault(first, i+1)
	case s.is(i, "="):
		s.giveDefault(i, i+1)
		return s.skipStatement(i + 1)
	case s.word(i, "as") && s.word(i+1, "namespace"):
		return s.terminated(i+2) + 1
	case s.is(i, "*", "{"):
		return s.exportList(i, false)
	case s.word(i, "type") && s.is(i+1, "*", "{"):
		return s.exportList(i+1, true)
	case s.word(i, "import"):
		return s.exportAlias(i + 1)
	}
	if next, found := s.declaration(first, s.decorators(i), true); found {
		return next
	}
	return s.skipStatement(i)
}

// exportAlias processes export import a = b.
func (s *script) exportAlias(i int) (next int) {
	kind := s.word(i, "type") && s.isWord(i+1)
	if kind {
		i++
	}
	s.give(Export{Name: s.text(i), Local: s.text(i), Type: kind, Line: s.lineOf(i - 1)})
	return s.skipStatement(i)
}

// exportDefault processes the text after export default.
func (s *script) exportDefault(first, i int) (next int) {
	begin := i
	i = s.decorators(i)
	for s.word(i, "abstract", "async") && s.word(i+1, "class", "function") && !s.newLine(i+1) {
		i++
	}
	e := Export{Name: "default", Line: s.lineOf(begin - 1)}
	n := len(s.Symbols)
	switch {
	case s.word(i, "function"):
		next = s.function(first, i+1, false)
	case s.word(i, "class"):
		next = s.class(first, i+1, Class, false)
	case s.word(i, "interface") && s.isWord(i+1):
		e.Type = true
		next = s.class(first, i+1, Interface, false)
	default:
		s.giveDefault(begin-1, begin)
		return s.skipStatement(begin)
	}
	if n < len(s.Symbols) && s.Symbols[n].Name != "default" {
		e.Local = s.Symbols[n].Name
		s.locals[e.Local] = true
	}
	s.give(e)
	return next
}

// giveDefault exports the value at token i as default. If the value is a name, the export
// refers to it.
func (s *script) giveDefault(at, i int) {
	e := Export{Name: "default", Line: s.lineOf(at)}
	if s.isWholeExpression(i) {
		e.Local = s.text(i)
		s.locals[e.Local] = len(s.blocks) == 0
	}
	s.give(e)
}

// isWholeExpression reports whether a token is a name and an entire expression.
func (s *script) isWholeExpression(i int) bool {
	return s.isWord(i) && (i+1 == len(s.tokens) || s.is(i+1, ";", ",", "}") || s.newLine(i+1) && s.ends(i+1, false))
}

// exportList processes * from "a", * as b from "a", {a, b as c} and {a} from "b".
func (s *script) exportList(i int, types bool) (next int) {
	at, names := i, []specifier{{name: "*", alias: "*", types: types, line: s.lineOf(i)}}
	if next = i + 1; s.is(i, "{") {
		next = s.tokenAfter(i)
		names = s.specifiers(i+1, next-1, types)
	} else if s.word(next, "as") {
		names[0].alias, _ = s.memberName(next + 1)
		next += 2
	}
	from := ""
	if s.word(next, "from") && s.isText(next+1) {
		from = s.literal(next + 1)
		next = s.attributes(next + 2)
		s.bringAll(Import{From: from, Kind: ReExport, Line: s.lineOf(at - 1)}, names)
	}
	for _, n := range names {
		if from == "" && len(s.blocks) == 0 {
			s.locals[n.name] = true
		}
		local := n.name
		if n.alias == "*" {
			local = ""
		}
		s.give(Export{Name: n.alias, Local: local, From: from, Type: n.types, Line: n.line})
	}
	return s.terminated(next-1) + 1
}

// attributes skips import attributes: with {type: "json"}.
func (s *script) attributes(i int) int {
	if s.word(i, "with", "assert") && s.is(i+1, "{") && !s.newLine(i) {
		return s.tokenAfter(i + 1)
	}
	return i
}

// specifier is one name in an import or export list: {type a as b}.
type specifier struct {
	name, alias string
	types       bool
	line        int
}

// specifiers parses an import or export list.
func (s *script) specifiers(i, end int, types bool) (all []specifier) {
	for ; i < end; i++ {
		n := specifier{types: types, line: s.lineOf(i)}
		if s.word(i, "type", "typeof") && (s.isWord(i+1) || s.isText(i+1)) && (!s.word(i+1, "as") || s.word(i+2, "as")) {
			n.types = true
			i++
		}
		n.name, _ = s.memberName(i)
		if n.alias = n.name; s.word(i+1, "as") {
			n.alias, _ = s.memberName(i + 2)
		}
		if n.name != "" {
			all = append(all, n)
		}
		for i < end && !s.is(i, ",") {
			i = s.tokenAfter(i)
		}
	}
	return all
}

// bringAll adds an import, and a separate type import for names that the compiler removes.
func (s *script) bringAll(i Import, names []specifier) {
	types := Import{From: i.From, Kind: TypeImport, Line: i.Line}
	for _, n := range names {
		if n.types {
			types.Names = append(types.Names, n.name)
		} else {
			i.Names = append(i.Names, n.name)
		}
	}
	if len(i.Names) > 0 || len(types.Names) == 0 {
		s.bring(i)
	}
	if len(types.Names) > 0 {
		s.bring(types)
	}
}

// importing processes the import at a token: import "a", import a, {b as c} from "d",
// import * as a from "b", and import a = b. calls adds the require call in the last form.
func (s *script) importing(at int) (next int) {
	i := at + 1
	if s.isText(i) {
		s.bring(Import{From: s.literal(i), Kind: ValueImport, Line: s.lineOf(at)})
		return s.terminated(s.attributes(i+1)-1) + 1
	}
	types := s.word(i, "type", "typeof") && !s.is(i+1, ",", "=") && !(s.word(i+1, "from") && s.isText(i+2))
	if types || s.word(i, "defer", "source") && (s.is(i+1, "*") || s.isWord(i+1) && !s.is(i+1, "from")) {
		i++
	}
	var names []specifier
	for i < len(s.tokens) {
		switch {
		case s.begins(i):
			return i
		case s.word(i, "from") && s.isText(i+1):
			s.bringAll(Import{From: s.literal(i + 1), Kind: ValueImport, Line: s.lineOf(at)}, names)
			return s.terminated(s.attributes(i+2)-1) + 1
		case s.is(i, "{"):
			names = append(names, s.specifiers(i+1, s.tokenAfter(i)-1, types)...)
		case s.is(i, "*"):
			names = append(names, specifier{name: "*", types: types})
		case s.isWord(i) && !s.is(i, "as") && !s.word(i-1, "as"):
			names = append(names, specifier{name: "default", types: types})
		case !s.is(i, ",") && !s.isWord(i):
			return s.skipStatement(i)
		}
		i = s.tokenAfter(i)
	}
	return i
}

// passedOn sets Exported of declarations that are exported by name elsewhere in the file.
// Members of a type or namespace are only exported if their owner is.
func (s *script) passedOn() {
	exported := map[string]bool{}
	for n := range s.Symbols {
		sym := &s.Symbols[n]
		if around, known := exported[sym.Owner]; known {
			sym.Exported = sym.Exported && around
		} else if sym.Owner == "" && s.locals[sym.Name] {
			sym.Exported = true
		}
		exported[sym.Full()] = exported[sym.Full()] || sym.Exported
	}
}
