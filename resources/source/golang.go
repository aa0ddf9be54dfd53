package source

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	gotoken "go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// goLexis is for comments and the lines of tokens; declarations come from Go's own parser.
var goLexis = lexis{
	line: []string{"//"}, block: [][2]string{{"/*", "*/"}},
	quotes: []quote{{"`", "`", false, true}, {`"`, `"`, true, false}, {"'", "'", true, false}},
}

// scanGo reads the functions, methods, types, constants and variables at the top level of a Go
// file, and its imports.
func scanGo(name string, data []byte) Facts {
	u := scanned(name, data, &goLexis)
	fset := gotoken.NewFileSet()
	file, err := parser.ParseFile(fset, "", data, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil || !file.FileStart.IsValid() {
		u.Partial = "does not parse"
		return u.finish()
	}
	g := goFile{data: data, file: fset.File(file.FileStart)}
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
	used := u.qualified()
	for _, i := range file.Imports {
		u.bring(g.brought(i, used))
	}
	return u.finish()
}

// qualified are the names that stand behind a word and a point, by the word: of an import, what is
// used of it. A local variable of the same name may add some.
func (u *unit) qualified() map[string][]string {
	used := map[string][]string{}
	for i := 2; i < len(u.tokens); i++ {
		if !u.is(i-1, ".") || u.kindOf(i) != wordToken || u.kindOf(i-2) != wordToken || u.is(i-3, ".") {
			continue
		}
		if name, of := u.text(i), u.text(i-2); !slices.Contains(used[of], name) {
			used[of] = append(used[of], name)
		}
	}
	return used
}

// goFile collects the declarations of one file.
type goFile struct {
	data   []byte
	file   *gotoken.File
	errors []int // offsets of what does not parse, in their order
	all    []Symbol
}

// brought is an import, with the names that are used of it: none where it is called _, and all where
// it is called a dot. Without another name it is called as its package, which its path ends in, but
// for a version or what gopkg.in adds.
func (g *goFile) brought(i *ast.ImportSpec, used map[string][]string) Import {
	from, _ := strconv.Unquote(i.Path.Value)
	b := Import{From: from, Kind: ValueImport, Line: g.file.Line(i.Pos())}
	switch {
	case i.Name == nil:
		b.Names = used[goPackageName(from)]
	case i.Name.Name == ".":
		b.Names = []string{"*"}
	case i.Name.Name != "_":
		b.Names = used[i.Name.Name]
	}
	b.Names = slices.DeleteFunc(slices.Clone(b.Names), func(name string) bool { return name != "*" && !ast.IsExported(name) })
	slices.Sort(b.Names)
	return b
}

// goPackageName is what a package is called most often, by the path that it is imported by.
func goPackageName(from string) string {
	name := path.Base(from)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(from))
	}
	name, _, _ = strings.Cut(name, ".v")
	name = strings.TrimPrefix(name, "go-")
	return name
}

func (g *goFile) function(d *ast.FuncDecl) {
	s := Symbol{Owner: ownerOf(d.Recv), Kind: Function}
	if d.Recv != nil {
		s.Kind = Method
	}
	g.add(s, d.Name, g.tokens(d), d, d.Type.End())
}

// add adds a declaration that stands in a node, its signature up to head; no tokens: it does
// not parse.
func (g *goFile) add(s Symbol, name *ast.Ident, tokens []byte, n ast.Node, head gotoken.Pos) {
	if s.Name = name.Name; s.Name == "_" {
		return
	}
	if tokens != nil {
		s.Body = hexSum(tokens)
	}
	s.Exported = name.IsExported()
	s.From, s.To = g.file.Line(n.Pos()), g.file.Line(n.End())
	from, to := g.file.Offset(n.Pos()), g.file.Offset(head)
	s.Signature = cut(strings.Join(strings.Fields(string(g.data[from:max(from, to)])), " "), maxSignature)
	g.all = append(g.all, s)
}

// goType is a declaration of a type: with its kind, and where the text that names it ends.
func goType(spec *ast.TypeSpec) (kind string, head gotoken.Pos) {
	switch t := spec.Type.(type) {
	case *ast.StructType:
		return Class, t.Struct + gotoken.Pos(len("struct"))
	case *ast.InterfaceType:
		return Interface, t.Interface + gotoken.Pos(len("interface"))
	}
	return Type, spec.End()
}

// group adds what one const, type or var declares. That it stands in a group does not count.
func (g *goFile) group(d *ast.GenDecl) {
	var values []value // those that a constant without any repeats
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			kind, head := goType(spec)
			g.add(Symbol{Kind: kind}, spec.Name, g.joined(d.Tok.String(), g.tokens(spec)), g.around(d, spec), head)
		case *ast.ValueSpec:
			if len(spec.Values) > 0 || spec.Type != nil || d.Tok != gotoken.CONST {
				values = g.values(spec)
			}
			for n, name := range spec.Names {
				if n >= len(values) {
					break // the compiler will say so
				}
				g.add(Symbol{Kind: goValueKind(d.Tok)}, name, g.joined(d.Tok.String()+values[n].place(i), []byte(name.Name), values[n].sum),
					g.around(d, spec), spec.End())
			}
		}
	}
}

// around is the whole declaration where a spec is all that it declares.
func (g *goFile) around(d *ast.GenDecl, spec ast.Node) ast.Node {
	if d.Lparen.IsValid() {
		return spec
	}
	return d
}

func goValueKind(tok gotoken.Token) string {
	if tok == gotoken.CONST {
		return Constant
	}
	return Variable
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
