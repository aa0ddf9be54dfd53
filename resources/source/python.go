package source

import "strings"

// pythonLexis is that of Python; pythonOdd takes its strings.
var pythonLexis = lexis{line: []string{"#"}, odd: pythonOdd, sameQuotes: true, silent: ";"}

// scanPython reads the functions, classes, variables and types at the top level of a Python
// file and in its classes, also where if, try or with stand around them, and its imports.
func scanPython(in input) Facts {
	u := scanned(in, &pythonLexis)
	if u.Partial != "" {
		return u.finish()
	}
	all, broken := statements(u.lexer)
	if broken || u.torn {
		u.Partial = "does not parse"
	}
	p := pythonFile{unit: u, scopes: []suite{{level: -1, symbol: -1}}, decorated: -1}
	for _, s := range all {
		p.statement(s)
	}
	p.uses()
	p.export()
	return u.finish()
}

// pythonFile collects the declarations of one file.
type pythonFile struct {
	*unit
	scopes    []suite // those that are open, the file's first
	decorated int     // the first decorator of what comes next; -1 if there is none
	exported  map[string]bool
	brought   map[string]brought // what may be modules, by what they are called here
}

// brought is a name that an import takes.
type brought struct {
	by   int    // the import's number
	name string // "" for the whole module
}

// suite is what statements stand in that are deeper than a level.
type suite struct {
	level  int
	symbol int    // the one whose head opened it; -1 if none did
	owner  string // the classes around, outermost first
	local  bool   // in a function
	enum   bool   // in an enum
	types  bool   // for type checkers alone
}

// statement reads one. Of a function's body only imports count.
func (p *pythonFile) statement(s statement) {
	for s.level <= p.scopes[len(p.scopes)-1].level {
		p.scopes = p.scopes[:len(p.scopes)-1]
	}
	in := p.scopes[len(p.scopes)-1]
	p.imports(s, in.importKind())
	p.called(s)
	first := s.first
	if p.decorated >= 0 {
		first, p.decorated = p.decorated, -1
	}
	switch {
	case p.kindOf(s.first) == commentToken:
		p.docstring(s, in)
	case p.typesOnly(s):
		in.level, in.types = s.level, true
		p.scopes = append(p.scopes, in)
	case in.local:
	case p.is(s.first, "@"):
		p.decorated = first
	case p.is(s.first, "def", "class"):
		p.define(s, first, s.first, in)
	case p.is(s.first, "async") && p.is(s.first+1, "def"):
		p.define(s, first, s.first+1, in)
	case s.colon < 0:
		p.list(s)
		p.assign(s, in)
	}
}

func (in suite) importKind() string {
	switch {
	case in.types:
		return TypeImport
	case in.local:
		return DynamicImport
	}
	return ValueImport
}

// define declares a function or a class, whose word stands at a token, and opens its suite. Its
// signature is without decorators.
func (p *pythonFile) define(s statement, first, word int, in suite) {
	d := Symbol{Name: p.text(word + 1), Owner: in.owner, Kind: Function}
	body := suite{level: s.level, symbol: -1, owner: d.Full(), types: in.types}
	switch {
	case p.is(word, "class"):
		d.Kind = p.classKind(word + 2)
		body.enum = d.Kind == Enum
	case in.owner != "":
		d.Kind = Method
		fallthrough
	default:
		body.local = true
	}
	if p.kindOf(word+1) != wordToken {
		d.Name, body.local = "", true // no name, no members
	}
	before := len(p.Symbols)
	if p.declare(d, first, s.colon, s.last); len(p.Symbols) > before {
		p.Symbols[before].Signature = p.signature(s.first, s.colon)
		body.symbol = before
	}
	p.scopes = append(p.scopes, body)
}

// classKind is what a class is by what it is made from, which stands in brackets after its
// name, and after its parameters in square ones.
func (p *pythonFile) classKind(i int) string {
	if p.is(i, "[") {
		i = p.past(i)
	}
	if !p.is(i, "(") {
		return Class
	}
	end := p.past(i) - 1
	for i++; i < end; i = p.past(i) {
		if !p.is(i+1, ",", ")", "[") {
			continue
		}
		switch p.text(i) {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices":
			return Enum
		case "Protocol":
			return Interface
		}
	}
	return Class
}

// docstring adds one as a comment: of the function or class whose head stands before it.
func (p *pythonFile) docstring(s statement, in suite) {
	var lines []string
	for i := s.first; i < s.end; i++ {
		_, inner := p.parts(p.bytes(i))
		for line := range strings.Lines(string(inner)) {
			lines = append(lines, strings.TrimRight(strings.TrimSpace(line), " \\"))
		}
	}
	c := Comment{Text: strings.Trim(strings.Join(lines, "\n"), "\n"), From: p.lineOf(s.first), To: p.lastLine(s.end - 1)}
	if in.symbol >= 0 {
		d := &p.Symbols[in.symbol]
		if c.Symbol = d.Full(); in.level == s.level-1 {
			c.Doc = true
			d.Doc, d.DocSum = p.docOf(c.Text)
		}
	}
	p.Comments = append(p.Comments, c)
	p.notes(c)
}
