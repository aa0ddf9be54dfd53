package source

import "strings"

// pythonLexis is the lexis of Python. pythonOdd takes strings.
var pythonLexis = lexis{line: []string{"#"}, odd: pythonOdd, sameQuotes: true, silent: ";"}

// scanPython scans the functions, classes, variables and types at the top level of a Python
// file and in its classes, including those in if, try and with statements, and the imports.
func scanPython(in input) Facts {
	u := scanned(in, &pythonLexis)
	if u.Partial != "" {
		return u.finish()
	}
	all, broken := statements(u.lexer)
	if broken || u.unbalanced {
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
	scopes    []suite // open suites; the first one is the file
	decorated int     // first decorator of the next declaration; -1 without decorators
	exported  map[string]bool
	brought   map[string]importedName // imported names that may be modules, by local name
}

// importedName is a name that a Python import binds.
type importedName struct {
	importIndex int    // index of the import
	name        string // empty for the module itself
}

// suite is a block of Python statements with its indentation level and owner.
type suite struct {
	level  int
	symbol int    // symbol with this suite as its body; -1 if there is no such symbol
	owner  string // enclosing classes, outermost first
	local  bool   // in a function
	enum   bool   // in an enum
	types  bool   // for type checkers only
}

// statement scans one statement. In functions it only considers imports.
func (p *pythonFile) statement(s statement) {
	for s.level <= p.scopes[len(p.scopes)-1].level {
		p.scopes = p.scopes[:len(p.scopes)-1]
	}
	in := p.scopes[len(p.scopes)-1]
	p.imports(s, in.importKind())
	// imports by calls with a literal module name
	for i := s.first; i+2 < s.end; i++ {
		if p.is(i, "import_module", "__import__") && p.is(i+1, "(") && p.is(i+3, ",", ")") && stringPrefix(p.bytes(i+2)) == 0 {
			p.bring(Import{From: p.unquoted(i + 2), Kind: DynamicImport, Line: p.lineOf(i)})
		}
	}
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
		p.listExports(s)
		p.assign(s, in)
	}
}

// importKind returns the kind of an import in the suite: for types only, at run time of a function,
// or at load time.
func (in suite) importKind() string {
	switch {
	case in.types:
		return TypeImport
	case in.local:
		return DynamicImport
	}
	return ValueImport
}

// define declares the function or class whose keyword is token word, and opens its suite.
// The signature omits decorators.
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
		d.Name, body.local = "", true // members need an owner
	}
	before := len(p.Symbols)
	if p.declare(d, first, s.colon, s.last); len(p.Symbols) > before {
		p.Symbols[before].Signature = p.signature(s.first, s.colon)
		body.symbol = before
	}
	p.scopes = append(p.scopes, body)
}

// classKind returns the kind of a class, based on its base classes in round brackets. Type
// parameters in square brackets may precede them.
func (p *pythonFile) classKind(i int) string {
	if p.is(i, "[") {
		i = p.tokenAfter(i)
	}
	if !p.is(i, "(") {
		return Class
	}
	end := p.tokenAfter(i) - 1
	for i++; i < end; i = p.tokenAfter(i) {
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

// docstring adds a docstring as a comment of the enclosing function or class.
func (p *pythonFile) docstring(s statement, in suite) {
	var lines []string
	for i := s.first; i < s.end; i++ {
		_, inner := p.stringParts(p.bytes(i))
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
