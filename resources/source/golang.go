package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	gotoken "go/token"
	"slices"
	"strconv"
	"strings"
)

// goLexis is used for comments and token positions. Declarations come from go/parser.
var goLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}},
	quotes: []quote{{"`", "`", false, true}, {`"`, `"`, true, false}, {"'", "'", true, false}},
}

// scanGo scans the top-level functions, methods, types, constants and variables of a Go
// file, and its imports.
func scanGo(in input) Facts {
	u := scanned(in, &goLexis)
	if u.outline && !u.unbalanced && u.Partial == "" {
		// Top-level names do not depend on the content of braces. Its line ends stay.
		kept, at := make([]byte, 0, len(u.data)), 0
		for i := 0; i < len(u.tokens); i++ {
			if t := u.tokens[i]; u.data[t.from] == '{' && int(t.pair) > i {
				i = int(t.pair)
				end := int(u.tokens[i].from)
				kept = append(kept, u.data[at:t.to]...)
				for range bytes.Count(u.data[t.to:end], []byte{'\n'}) {
					kept = append(kept, '\n')
				}
				at = end
			}
		}
		in.data = append(kept, u.data[at:]...)
	}
	fset := gotoken.NewFileSet()
	file, err := parser.ParseFile(fset, "", in.data, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil || !file.FileStart.IsValid() {
		u.Partial = "does not parse"
		return u.finish()
	}
	g := goFile{data: in.data, file: fset.File(file.FileStart), outline: u.outline}
	if list, ok := err.(scanner.ErrorList); ok {
		u.Partial = "does not parse"
		for _, e := range list {
			g.errors = append(g.errors, e.Pos.Offset)
		}
		slices.Sort(g.errors)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.group(d)
		}
	}
	if u.Symbols = g.all; file.Name != nil {
		u.Package = file.Name.Name
	}
	used := map[string][]string{}
	for _, i := range file.Imports {
		used[calledInGo(i)] = nil
	}
	// This may add names of a local variable with the same name as a package.
	for i := 2; i < len(u.tokens); i++ {
		if u.data[u.tokens[i-1].from] != '.' || u.kindOf(i) != wordToken || u.kindOf(i-2) != wordToken || !u.is(i-1, ".") || u.is(i-3, ".") {
			continue
		}
		names, imported := used[string(u.bytes(i-2))]
		if name := u.text(i); imported && !slices.Contains(names, name) {
			used[u.text(i-2)] = append(names, name)
		}
	}
	for _, i := range file.Imports {
		u.bring(g.importOf(i, used))
	}
	return u.finish()
}

// goFile collects the declarations of one file.
type goFile struct {
	data    []byte
	file    *gotoken.File
	errors  []int // sorted offsets of syntax errors
	outline bool
	all     []Symbol
}

// function adds a function or a method.
func (g *goFile) function(d *ast.FuncDecl) {
	s := Symbol{Owner: ownerOf(d.Recv), Kind: Function}
	if d.Recv != nil {
		s.Kind = Method
	}
	g.add(s, d.Name, g.tokens(d), d, d.Type.End())
}

// add adds the declaration of a node. Its signature ends at head. tokens is nil if it does
// not parse.
func (g *goFile) add(s Symbol, name *ast.Ident, tokens []byte, n ast.Node, head gotoken.Pos) {
	if s.Name = name.Name; s.Name == "_" {
		return
	}
	if tokens != nil {
		s.Body = hexSum(tokens)
	}
	s.Exported = name.IsExported()
	s.From, s.To = g.line(n.Pos()), g.line(n.End())
	g.all = append(g.all, g.signed(s, n, head))
}

// line returns the physical line, ignoring //line comments.
func (g *goFile) line(at gotoken.Pos) int { return g.file.PositionFor(at, false).Line }

// signed sets the signature of a declaration.
func (g *goFile) signed(s Symbol, n ast.Node, head gotoken.Pos) Symbol {
	if g.outline {
		return s
	}
	from, to := g.file.Offset(n.Pos()), g.file.Offset(head)
	s.Signature = cut(strings.Join(strings.Fields(string(g.data[from:max(from, to)])), " "), maxSignature)
	return s
}

// goType returns the kind of a type declaration, and the end of its signature.
func goType(spec *ast.TypeSpec) (kind string, head gotoken.Pos) {
	switch t := spec.Type.(type) {
	case *ast.StructType:
		return Class, t.Struct + gotoken.Pos(len("struct"))
	case *ast.InterfaceType:
		return Interface, t.Interface + gotoken.Pos(len("interface"))
	}
	return Type, spec.End()
}

// group adds the declarations of one const, type or var statement. Grouping does not affect
// checksums.
func (g *goFile) group(d *ast.GenDecl) {
	var values []value // values that the next constants repeat
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			kind, head := goType(spec)
			g.add(Symbol{Kind: kind}, spec.Name, g.joined(d.Tok.String(), g.tokens(spec)), g.statementOf(d, spec), head)
		case *ast.ValueSpec:
			if len(spec.Values) > 0 || spec.Type != nil || d.Tok != gotoken.CONST {
				values = g.values(spec)
			}
			for n, name := range spec.Names {
				if n >= len(values) {
					break // a compile error
				}
				g.add(Symbol{Kind: goValueKind(d.Tok)}, name, g.joined(d.Tok.String()+values[n].place(i), []byte(name.Name), values[n].sum),
					g.statementOf(d, spec), spec.End())
			}
		}
	}
}

// statementOf returns the entire statement if it has no brackets, and spec
// otherwise.
func (g *goFile) statementOf(d *ast.GenDecl, spec ast.Node) ast.Node {
	if d.Lparen.IsValid() {
		return spec
	}
	return d
}

// goValueKind returns the kind of symbol for a const or var declaration.
func goValueKind(tok gotoken.Token) string {
	if tok == gotoken.CONST {
		return Constant
	}
	return Variable
}

// value is the value of a constant or variable.
type value struct {
	sum    []byte // nil if it does not parse
	counts bool   // contains iota, so it depends on its position
}

// place returns the position of a constant that contains iota, as an addition to its checksum, else
// "".
func (v value) place(at int) string {
	if !v.counts {
		return ""
	}
	return " " + strconv.Itoa(at)
}

// values returns the value of each name in a line. All names share one value if the numbers
// differ.
func (g *goFile) values(spec *ast.ValueSpec) []value {
	values := make([]value, len(spec.Names))
	var shared value
	for i := range values {
		switch {
		case len(spec.Values) == len(values):
			values[i] = g.value(spec.Type, spec.Values[i])
		case i == 0:
			shared = g.value(spec.Type, spec.Values...)
			fallthrough
		default:
			values[i] = shared
		}
	}
	return values
}

// value returns the value of a declaration with a type and expressions.
func (g *goFile) value(of ast.Expr, all ...ast.Expr) (v value) {
	tokens := []byte{}
	if of != nil {
		all = append([]ast.Expr{of}, all...)
	}
	for _, e := range all {
		tokens = g.joined(string(tokens), g.tokens(e))
		v.counts = v.counts || counts(e)
	}
	if tokens != nil {
		v.sum = []byte(hexSum(tokens))
	}
	return v
}

// counts reports whether an expression contains iota.
func counts(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}

// joined appends tokens to a text. It returns nil if one of the parts is nil.
func (g *goFile) joined(text string, parts ...[]byte) []byte {
	all := []byte(text)
	for _, tokens := range parts {
		if tokens == nil {
			return nil
		}
		all = append(append(all, 0), tokens...)
	}
	return all
}

// tokens returns the tokens of a node. It returns nil if the node does not parse, and for
// an outline.
func (g *goFile) tokens(n ast.Node) []byte {
	from, to := g.file.Offset(n.Pos()), g.file.Offset(n.End())
	if at, _ := slices.BinarySearch(g.errors, from); g.outline || at < len(g.errors) && g.errors[at] <= to || to < from {
		return nil
	}
	return appendTokens([]byte{}, g.data[from:to])
}

// appendTokens appends the tokens of Go code. It omits comments, and a comma or semicolon
// before a closing bracket, which depends on line breaks.
func appendTokens(to, data []byte) []byte {
	var s scanner.Scanner
	fset := gotoken.NewFileSet()
	s.Init(fset.AddFile("", -1, len(data)), data, nil, 0)
	held := gotoken.ILLEGAL
	for {
		_, tok, text := s.Scan()
		if tok == gotoken.EOF {
			return to
		}
		closes := tok == gotoken.RPAREN || tok == gotoken.RBRACK || tok == gotoken.RBRACE
		if held != gotoken.ILLEGAL && !closes {
			to = append(append(to, held.String()...), 0)
		}
		if held = gotoken.ILLEGAL; tok == gotoken.COMMA || tok == gotoken.SEMICOLON {
			held = tok
			continue
		}
		if !tok.IsLiteral() {
			text = tok.String()
		}
		to = append(append(to, text...), 0)
	}
}

// ownerOf returns the name of a method's receiver type.
func ownerOf(receiver *ast.FieldList) string {
	if receiver == nil || len(receiver.List) == 0 {
		return ""
	}
	for t := receiver.List[0].Type; ; {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
