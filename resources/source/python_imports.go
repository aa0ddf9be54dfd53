package source

import (
	"slices"
	"strings"
)

// imports adds the imports of an import or from statement. It also records the
// local names that may be modules, for uses.
func (p *pythonFile) imports(s statement, kind string) {
	line := p.lineOf(s.first)
	switch p.text(s.first) {
	case "import":
		for i := s.first + 1; i < s.end; i++ {
			from := i
			for i < s.end && !p.is(i, ",", "as") {
				i++
			}
			p.bring(Import{From: p.dotted(from, i), Kind: kind, Line: line})
			switch {
			case p.is(i, "as") && i+1 < s.end:
				p.recordModule(i+1, "")
			case i == from+1:
				p.recordModule(from, "")
			}
			for i < s.end && !p.is(i, ",") {
				i++
			}
		}
	case "from":
		i := s.first + 1
		for i < s.end && !p.is(i, "import") {
			i++
		}
		p.bring(Import{From: p.dotted(s.first+1, i), Kind: kind, Names: p.imported(i+1, s.end), Line: line})
		p.recordModules(i+1, s.end)
	}
}

// recordModules records imported names that may be modules. Names with a capital first letter are
// classes.
func (p *pythonFile) recordModules(i, end int) {
	for ; i < end; i++ {
		if p.kindOf(i) != wordToken || p.is(i, "as") {
			continue
		}
		name, local := p.text(i), i
		if p.is(i+1, "as") && i+2 < end {
			local = i + 2
		}
		if i = local; name[0] == '_' || 'a' <= name[0] && name[0] <= 'z' {
			p.recordModule(local, name)
		}
	}
}

// recordModule records the local name of a module from the last import. name is the imported name,
// or "" for the module itself.
func (p *pythonFile) recordModule(local int, name string) {
	if len(p.Imports) == 0 {
		return // the import was invalid
	}
	if p.brought == nil {
		p.brought = map[string]importedName{}
	}
	p.brought[p.text(local)] = importedName{len(p.Imports) - 1, name}
}

// uses adds the attributes used of imported modules to the imports: "y.z" for z of y, and
// ".z" for z of the module itself.
func (p *pythonFile) uses() {
	if len(p.brought) == 0 {
		return
	}
	for i := range p.tokens {
		b, known := p.brought[string(p.bytes(i))]
		if !known || !p.is(i+1, ".") || p.kindOf(i+2) != wordToken || i > 0 && p.is(i-1, ".") {
			continue
		}
		names := &p.Imports[b.importIndex].Names
		if used := b.name + "." + p.text(i+2); !slices.Contains(*names, used) {
			*names = append(*names, used)
		}
	}
}

// dotted returns the name of the module in some tokens.
func (p *pythonFile) dotted(from, end int) string {
	var b strings.Builder
	for ; from < end; from++ {
		b.Write(p.bytes(from))
	}
	return b.String()
}

// imported returns the imported names in a list, without aliases.
func (p *pythonFile) imported(i, end int) (names []string) {
	for ; i < end; i++ {
		switch {
		case p.is(i, "as"):
			i++
		case p.is(i, "*") || p.kindOf(i) == wordToken:
			names = append(names, p.text(i))
		}
	}
	return names
}

// typesOnly reports whether a statement is "if TYPE_CHECKING", so that its suite never
// runs.
func (p *pythonFile) typesOnly(s statement) bool {
	if !p.is(s.first, "if") {
		return false
	}
	i := s.first + 1
	for p.kindOf(i) == wordToken && p.is(i+1, ".") {
		i += 2
	}
	return p.is(i, "TYPE_CHECKING") && (i+1 == s.colon || p.is(i+1, "and"))
}

// listExports parses an assignment to __all__ with literal names.
func (p *pythonFile) listExports(s statement) {
	if !p.is(s.first, "__all__") || s.end == s.first+1 {
		return
	}
	for i := s.first + 1; i < s.end; i++ {
		if p.is(i, "for") {
			return
		}
	}
	if p.exported == nil {
		p.exported = map[string]bool{}
	}
	for i := s.first + 1; i < s.end; i++ {
		if p.kindOf(i) == textToken {
			p.exported[p.unquoted(i)] = true
		}
	}
}

// export sets Exported of each symbol. With __all__, it must list the symbol or its
// outermost owner. Without it, the name of that owner must not begin with an underscore.
// Names of inner owners and members must not begin with an underscore either.
func (p *pythonFile) export() {
	for i := range p.Symbols {
		top, rest, _ := strings.Cut(p.Symbols[i].Full(), ".")
		listed := p.exported[top] || p.exported == nil && top[0] != '_'
		p.Symbols[i].Exported = listed && (rest == "" || rest[0] != '_' && !strings.Contains(rest, "._"))
	}
}
