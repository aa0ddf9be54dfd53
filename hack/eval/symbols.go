package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// What evidence that cites a declaration must reach: changes of it that are noticed, and changes of
// anything else that are not.
const (
	leastNoticed = 0.99
	mostAlarms   = 0.01
)

// goText is a file of Go that is changed.
type goText struct {
	text  string
	decls []cited
}

// cited is one declaration of a file: all of a func, or one spec of a group.
type cited struct {
	name              string
	from, to          int // of what it declares, its doc aside
	groupFrom, around int // of the whole declaration, its doc among it
}

// mutation changes a file. false: it cannot, of that declaration.
type mutation struct {
	what    string
	noticed bool // it changes what is cited
	change  func(f goText, d cited, r *rand.Rand) (string, bool)
}

// mutations are what happens to declarations, and around them.
var mutations = [...]mutation{
	{"a token of it", true, func(f goText, d cited, r *rand.Rand) (string, bool) {
		return changeToken(f.text, d.name, d.from, d.to, r)
	}},
	{"it is renamed", true, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		name := d.name[strings.LastIndexByte(d.name, '.')+1:]
		before, after, found := strings.Cut(f.text[d.from:d.to], name)
		return f.text[:d.from] + before + name + "Renamed" + after + f.text[d.to:], found
	}},
	{"it is removed", true, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		return f.text[:d.groupFrom] + f.text[d.around:], true
	}},
	{"a comment in it", false, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		at := strings.IndexByte(f.text[d.from:d.to], '{') + 1
		return f.text[:d.from+at] + " /* " + d.name + " was 3 */ " + f.text[d.from+at:], at > 0 && !inLiteral(f.text, d.from+at)
	}},
	{"its doc", false, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		return f.text[:d.groupFrom] + "// " + d.name + " is told otherwise.\n" + f.text[d.groupFrom:], true
	}},
	{"indent and blanks", false, func(f goText, _ cited, _ *rand.Rand) (string, bool) { return spaced(f.text), true }},
	{"line ends", false, func(f goText, _ cited, _ *rand.Rand) (string, bool) {
		return strings.ReplaceAll(f.text, "\n", "\r\n"), true
	}},
	{"a mention elsewhere", false, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		return f.text + "\n// " + d.name + " is used.\nfunc mentionsIt() { _ = \"" + d.name + "\"; " + d.name + "() }\n", true
	}},
	{"a line before all", false, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		return "// Here is " + d.name + ".\n" + f.text, true
	}},
	{"a neighbour", false, func(f goText, d cited, r *rand.Rand) (string, bool) {
		near := slices.DeleteFunc(slices.Clone(f.decls), func(o cited) bool { return o.groupFrom == d.groupFrom || o.name == d.name })
		if len(near) == 0 {
			return "", false
		}
		o := near[r.IntN(len(near))]
		return changeToken(f.text, o.name, o.from, o.to, r)
	}},
	{"its place", false, func(f goText, d cited, _ *rand.Rand) (string, bool) {
		return f.text[:d.groupFrom] + f.text[d.around:] + "\n" + f.text[d.groupFrom:d.around] + "\n", true
	}},
}

// symbols measures evidence that cites declarations of Go, by this repository's files and Go's own:
// each declaration is changed, and what is around it.
func (o *options) symbols() error {
	most, longest := 10_000, 100_000
	if o.quick {
		most, longest = 1_200, 15_000
	}
	files, total, err := goTexts(o.source, longest)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(13, 3))
	var tried, now, before [len(mutations)]int
	looked := 0
	for _, f := range files {
		for _, d := range f.decls {
			if r.IntN(total) >= most {
				continue
			}
			looked++
			was := source.Find("a.go", d.name, []byte(f.text))
			for i, m := range mutations {
				text, can := m.change(f, d, r)
				if !can {
					continue
				}
				is := source.Find("a.go", d.name, []byte(text))
				tried[i]++
				now[i] += count(is.SHA256 != was.SHA256)
				before[i] += count(!slices.Equal(is.Formers, was.Formers))
			}
		}
	}
	o.tellSymbols(looked, tried, now, before)
	return nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (o *options) tellSymbols(looked int, tried, now, before [len(mutations)]int) {
	fmt.Fprintf(o.out, "\n| of %d declarations of Go, changed | tried | counts as changed | by the first line that names it |\n| --- | --- | --- | --- |\n", looked)
	var sums [2]struct{ tried, now, before int }
	row := func(what string, tried, now, before int) {
		fmt.Fprintf(o.out, "| %s | %d | %.2f %% | %.2f %% |\n", what, tried, 100*share(now, tried), 100*share(before, tried))
	}
	for i, m := range mutations {
		row(m.what, tried[i], now[i], before[i])
		s := &sums[count(m.noticed)]
		s.tried, s.now, s.before = s.tried+tried[i], s.now+now[i], s.before+before[i]
	}
	row("all of the first three: noticed", sums[1].tried, sums[1].now, sums[1].before)
	row("all others: false alarms", sums[0].tried, sums[0].now, sums[0].before)
	o.atLeast("declarations that were changed", float64(looked), 1000)
	o.atLeast("changed declarations that are noticed", share(sums[1].now, sums[1].tried), leastNoticed)
	o.atLeast("declarations that are left alone otherwise", 1-share(sums[0].now, sums[0].tried), 1-mostAlarms)
}

func share(part, of int) float64 { return float64(part) / float64(max(of, 1)) }

// goTexts reads the Go files of this repository and of Go's own packages that are no longer.
func goTexts(own string, longest int) (files []goText, declarations int, err error) {
	folders := []string{own}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, 0, fmt.Errorf("go env GOROOT: %w", err)
	}
	for _, name := range []string{"strings", "net", "go", "encoding", "text", "time", "math", "cmd/internal/obj"} {
		folders = append(folders, filepath.Join(strings.TrimSpace(string(root)), "src", name))
	}
	for _, folder := range folders {
		err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") {
				return err
			}
			text, err := os.ReadFile(path)
			if f, parses := readGo(string(text)); parses && len(text) <= longest {
				files, declarations = append(files, f), declarations+len(f.decls)
			}
			return err
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return files, declarations, nil
}

// readGo lists the declarations of a file whose names stand for one of them.
func readGo(text string) (goText, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || strings.Contains(text, "\r") {
		return goText{}, false
	}
	f := goText{text: text}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	add := func(name string, what, group ast.Node, doc *ast.CommentGroup) {
		d := cited{name, at(what.Pos()), at(what.End()), at(group.Pos()), at(group.End())}
		if doc != nil {
			d.groupFrom = at(doc.Pos())
		}
		f.decls = append(f.decls, d)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(fullName(text, d, at), d, d, d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name, s, d, d.Doc)
				case *ast.ValueSpec:
					if len(s.Names) == 1 {
						add(s.Names[0].Name, s, d, d.Doc)
					}
				}
			}
		}
	}
	times := map[string]int{}
	for _, d := range f.decls {
		times[d.name]++
	}
	f.decls = slices.DeleteFunc(f.decls, func(d cited) bool { return times[d.name] > 1 || strings.HasSuffix(d.name, "_") && len(d.name) < 3 })
	return f, true
}

// fullName is the name of a function with its owner, as it is cited.
func fullName(text string, d *ast.FuncDecl, at func(token.Pos) int) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	owner := strings.TrimLeft(text[at(d.Recv.List[0].Type.Pos()):at(d.Recv.List[0].Type.End())], "*( ")
	owner, _, _ = strings.Cut(owner, "[")
	return owner + "." + d.Name.Name
}

// changeToken changes one token of a stretch of a file, its name aside: a name, a literal or an
// operator.
func changeToken(text, name string, from, to int, r *rand.Rand) (string, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	type change struct {
		at, length int
		to         string
	}
	var changes []change
	eachToken(text[from:to], func(at int, tok token.Token, lit string) {
		switch other, known := others[tok]; {
		case known:
			changes = append(changes, change{at, len(tok.String()), other.String()})
		case tok == token.IDENT && lit != name && lit != "_":
			changes = append(changes, change{at, len(lit), lit + "X"})
		case tok == token.INT:
			changes = append(changes, change{at, len(lit), lit + "1"})
		case tok == token.STRING && len(lit) > 1:
			changes = append(changes, change{at, len(lit), lit[:len(lit)-1] + "x" + lit[len(lit)-1:]})
		}
	})
	if len(changes) == 0 {
		return "", false
	}
	c := changes[r.IntN(len(changes))]
	return text[:from+c.at] + c.to + text[from+c.at+c.length:], true
}

// others are operators, and those that may stand in their places.
var others = map[token.Token]token.Token{
	token.ADD: token.SUB, token.LSS: token.GEQ, token.GTR: token.LEQ, token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR,
	token.LOR: token.LAND, token.QUO: token.REM, token.SHL: token.SHR, token.LEQ: token.GTR, token.GEQ: token.LSS,
}

// eachToken calls do with each token of a piece of Go, comments among them.
func eachToken(text string, do func(at int, tok token.Token, lit string)) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		do(file.Offset(pos), tok, lit)
	}
}

// inLiteral reports whether a place lies in a string or a comment.
func inLiteral(text string, place int) (in bool) {
	eachToken(text, func(at int, tok token.Token, lit string) {
		if tok == token.STRING || tok == token.CHAR || tok == token.COMMENT {
			in = in || at < place && place < at+len(lit)
		}
	})
	return in
}

// spaced is a file with more blanks and tabs where there are some.
func spaced(text string) string {
	var b strings.Builder
	last := 0
	eachToken(text, func(at int, tok token.Token, lit string) {
		if gap := text[last:at]; strings.TrimSpace(gap) == "" && gap != "" {
			b.WriteString(gap + "\t ")
		} else {
			b.WriteString(gap)
		}
		last = at
		if tok == token.SEMICOLON && lit == "\n" {
			return
		}
		if lit == "" {
			lit = tok.String()
		}
		b.WriteString(text[at:min(len(text), at+len(lit))])
		last = at + len(lit)
	})
	return b.String() + text[min(last, len(text)):]
}
