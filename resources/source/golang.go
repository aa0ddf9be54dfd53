package source

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
)

// goDeclarations lists the functions, methods, types, constants and variables at the top
// level of a Go file.
func goDeclarations(data []byte) (all []declaration, whole bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", data, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil || !file.FileStart.IsValid() {
		return nil, false
	}
	g := goFile{data: data, file: fset.File(file.FileStart)}
	if list, ok := err.(scanner.ErrorList); ok {
		for _, e := range list {
			g.errors = append(g.errors, e.Pos.Offset)
		}
		slices.Sort(g.errors)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.add(ownerOf(d.Recv), d.Name, g.tokens(d))
		case *ast.GenDecl:
			g.group(d)
		}
	}
	return g.all, err == nil
}

// goFile collects the declarations of one file.
type goFile struct {
	data   []byte
	file   *token.File
	errors []int // offsets of what does not parse, in their order
	all    []declaration
}

// add adds a declaration; no tokens: it does not parse.
func (g *goFile) add(owner string, name *ast.Ident, tokens []byte) {
	d := declaration{owner: owner, name: name.Name}
	if tokens != nil {
		d.sum = hexSum(tokens)
	}
	if name.Name != "_" {
		g.all = append(g.all, d)
	}
}

// group adds what one const, type or var declares. That it stands in a group does not count.
func (g *goFile) group(d *ast.GenDecl) {
	var values []value // those that a constant without any repeats
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			g.add("", spec.Name, g.joined(d.Tok.String(), g.tokens(spec)))
		case *ast.ValueSpec:
			if len(spec.Values) > 0 || spec.Type != nil || d.Tok != token.CONST {
				values = g.values(spec)
			}
			for n, name := range spec.Names {
				if n >= len(values) {
					break // the compiler will say so
				}
				g.add("", name, g.joined(d.Tok.String()+values[n].place(i), []byte(name.Name), values[n].sum))
			}
		}
	}
}

// value is what a constant or variable is, its name aside.
type value struct {
	sum    []byte // nil: it does not parse
	counts bool   // its place in the group makes it what it is: iota
}

func (v value) place(at int) string {
	if !v.counts {
		return ""
	}
	return " " + strconv.Itoa(at)
}

// values are those of the names of one line: of each its own, or of each all.
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

// counts reports whether an expression holds iota.
func counts(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}

// joined is a text with tokens after it; nil if some of those could not be had.
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

// tokens are those of a piece of the file; nil if something in it does not parse.
func (g *goFile) tokens(n ast.Node) []byte {
	from, to := g.file.Offset(n.Pos()), g.file.Offset(n.End())
	if at, _ := slices.BinarySearch(g.errors, from); at < len(g.errors) && g.errors[at] <= to || to < from {
		return nil
	}
	return appendTokens([]byte{}, g.data[from:to])
}

// appendTokens appends the tokens of a piece of Go, without comments, and without what
// gofmt and people add when they break lines: a comma or semicolon before a bracket that
// closes.
func appendTokens(to, data []byte) []byte {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(data)), data, nil, 0)
	held := token.ILLEGAL
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return to
		}
		closes := tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE
		if held != token.ILLEGAL && !closes {
			to = append(append(to, held.String()...), 0)
		}
		if held = token.ILLEGAL; tok == token.COMMA || tok == token.SEMICOLON {
			held = tok
			continue
		}
		if !tok.IsLiteral() {
			text = tok.String()
		}
		to = append(append(to, text...), 0)
	}
}

// ownerOf is the name of the type that a method belongs to.
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
