package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/frame"
)

// lookups are how our code looks up one variable in an environment that it is given. The last
// argument names it.
var lookups = []string{"env.get", "e.get", "getenv", "frame.Getenv"}

// wholesale are functions that read the environment of this very process, which in the controller
// is another one than the hook's.
var wholesale = []string{
	"os.Environ", "os.Getenv", "os.LookupEnv", "os.ExpandEnv", "os.UserHomeDir", "os.UserConfigDir", "os.UserCacheDir", "os.TempDir",
	"syscall.Getenv", "syscall.Environ", "exec.LookPath",
}

// notInAnswers are the reads that change no answer of the controller's, by package.
var notInAnswers = []string{
	"cmd/idumb-hook os.Environ",   // all of it, for frame.RelevantEnv to take from
	"controller/hooks os.Environ", // handed on when the lasting process runs itself anew
	"controller/hooks PATH",       // where a hook finds a controller to start
	"controller/hooks CI",         // how long that one is to live
	// The user's git settings, for git itself. The hook and the controller belong to the same user.
	"controller/gitcommand os.Environ", "controller/gitcommand os.Getenv", "controller/gitcommand os.TempDir",
	"controller/hooks/hosts os.UserHomeDir", // where the skills of that user are
}

// TestWhatDecidesIsSent walks the sources of all that the hook links: a variable that it reads
// must reach the controller, or the two would answer differently.
func TestWhatDecidesIsSent(t *testing.T) {
	var decide []string
	for _, r := range readsOf(t, ".") {
		if slices.Contains(notInAnswers, r.pkg+" "+r.what) {
			continue
		}
		assert.True(t, frame.IsRelevant(r.what), "%s reads %s, which frame.Decides does not list", r.at, r.what)
		decide = append(decide, r.what)
	}
	for _, known := range []string{"HOME", "XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "IDUMB_ENFORCE", "IDUMB_TRUST"} {
		assert.Contains(t, decide, known, "the walk does not find what is read")
	}
}

// environmentRead is one place where the environment is read.
type environmentRead struct{ pkg, what, at string }

// readsOf lists them, of our packages among a program and all that it links, on every system.
func readsOf(t *testing.T, program string) []environmentRead {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,IgnoredGoFiles", program).Output()
	require.NoError(t, err)
	w := walk{fset: token.NewFileSet(), constants: map[string]ast.Expr{}}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			ImportPath, Dir         string
			Standard                bool
			GoFiles, IgnoredGoFiles []string
		}
		require.NoError(t, d.Decode(&p))
		if p.Standard {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(w.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			w.add(strings.TrimPrefix(p.ImportPath, module), file)
		}
	}
	for _, f := range w.files {
		ast.Inspect(f.file, func(n ast.Node) bool {
			w.look(f.pkg, n)
			return true
		})
	}
	return w.found
}

// walk looks for reads of the environment in parsed files.
type walk struct {
	fset  *token.FileSet
	files []struct {
		pkg  string
		file *ast.File
	}
	constants map[string]ast.Expr // by the last element of the package's path, and name
	found     []environmentRead
}

// add takes a file with its constants.
func (w *walk) add(pkg string, file *ast.File) {
	w.files = append(w.files, struct {
		pkg  string
		file *ast.File
	}{pkg, file})
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, spec := range decl.Specs {
			values := spec.(*ast.ValueSpec)
			for i, name := range values.Names {
				if i < len(values.Values) {
					w.constants[path.Base(pkg)+"."+name.Name] = values.Values[i]
				}
			}
		}
	}
}

// look notes what a node reads: a function of the standard library wherever it is named, and
// what one of ours is asked for.
func (w *walk) look(pkg string, n ast.Node) {
	note := func(what string) {
		w.found = append(w.found, environmentRead{pkg, what, w.fset.Position(n.Pos()).String()})
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if from, ok := n.X.(*ast.Ident); ok && slices.Contains(wholesale, from.Name+"."+n.Sel.Name) {
			note(from.Name + "." + n.Sel.Name)
		}
	case *ast.CallExpr:
		if slices.Contains(lookups, called(n.Fun)) {
			note(cmp.Or(w.text(path.Base(pkg), n.Args[len(n.Args)-1]), "a variable that no constant names"))
		}
	}
}

// called is the name of a function with what stands right in front of it: "env.get" of h.env.get.
func called(f ast.Expr) string {
	name := ""
	if s, ok := f.(*ast.SelectorExpr); ok {
		f, name = s.X, "."+s.Sel.Name
		if from, ok := f.(*ast.SelectorExpr); ok {
			f = from.Sel
		}
	}
	if id, ok := f.(*ast.Ident); ok {
		return id.Name + name
	}
	return ""
}

// text is the value of a constant text, "" for anything else.
func (w *walk) text(pkg string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.Ident:
		if value := w.constants[pkg+"."+e.Name]; value != nil {
			return w.text(pkg, value)
		}
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok && w.constants[from.Name+"."+e.Sel.Name] != nil {
			return w.text(from.Name, w.constants[from.Name+"."+e.Sel.Name])
		}
	}
	return ""
}
