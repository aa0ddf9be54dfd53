package hack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programs are the places that start a program, and which one. Package gitcommand is the only one
// that starts git; a new row here needs a program that is not git.
var programs = map[string]string{
	"cmd/idumb/apply.go":                           "the diff program of KUBECTL_EXTERNAL_DIFF",
	"cmd/idumb/dash.go":                            "the user's browser",
	"cmd/idumb/run.go":                             "the command of idumb run",
	"cmd/internal/agents/codextrust.go":            "codex app-server",
	"cmd/internal/agents/selftest.go":              "idumb-hook",
	"cmd/internal/agents/version.go":               "an agent host, for its version",
	"cmd/internal/controllerprocess/start.go":      "idumb-controller",
	"cmd/internal/demo/stage.go":                   "idumb",
	"cmd/idumb/editorfile.go":                      "the user's editor",
	"cmd/internal/tools/shell_other.go":            "the command of govern_shell",
	"cmd/internal/tools/shell_unix.go":             "the command of govern_shell",
	"controller/gitcommand/gitcommand.go":          "git",
	"controller/hooks/autostart.go":                "idumb-controller",
	"controller/hooks/autostart_unix.go":           "a newer build of itself",
	"controller/headlessagent/child.go":            "an agent host, for research",
	"controller/headlessagent/research.go":         "idumb research",
	"controller/sync/engine/progengine/program.go": "the sync engine idumb-sync",
}

// gitCalls are the places that call git, all through package gitcommand.
var gitCalls = map[string]string{
	"cmd/idumb/sync.go":                             "New: the address of a remote",
	"cmd/internal/demo/stage.go":                    "New: git init of the demo",
	"cmd/internal/upgrades/upgrades.go":             "New: tracked local files",
	"controller/hooks/gitstate.go":                  "New: what a command line takes away",
	"controller/store/githistory/githistory.go":     "New: history",
	"controller/sync/engine/gitengine/gitengine.go": "Anonymous: whether a remote is public",
	"controller/sync/engine/gitengine/run.go":       "New and Remote: refs of the team",
	"controller/sync/leavegit.go":                   "New: the index",
}

// starters are the functions and types of the standard library that start a program.
var starters = map[string][]string{
	"os/exec": {"Command", "CommandContext", "Cmd"},
	"os":      {"StartProcess"},
	"syscall": {"Exec", "ForkExec", "StartProcess"},
}

// Git starts programs that a repository's configuration names. Every call of git in the product
// goes through package gitcommand, which forbids that.
func TestGitIsCalledThroughOneFunction(t *testing.T) {
	started, called := map[string]bool{}, map[string]bool{}
	for _, top := range []string{"cmd", "controller", "packer", "reconcilers", "resources", "watch"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", top), func(file string, entry fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name == "cmd/idumb-sync":
				return fs.SkipDir // a module of its own, which calls no git: see its go.mod
			case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			calls, git := uses(parsed)
			if calls && programs[name] == "" {
				t.Errorf("%s starts a program; if that is git, call it through controller/gitcommand", name)
			}
			if git && gitCalls[name] == "" {
				t.Errorf("%s calls git; list it", name)
			}
			started[name], called[name] = calls, git
			return nil
		}))
	}
	for name := range programs {
		assert.True(t, started[name], "%s starts no program; take it out of the list", name)
	}
	for name := range gitCalls {
		assert.True(t, called[name], "%s calls no git; take it out of the list", name)
	}
}

// uses reports whether a file builds a call of a program, and whether it calls git through package
// gitcommand.
func uses(file *ast.File) (programs, git bool) {
	names := map[string][]string{} // what of an import starts a program
	gitName := ""
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if list := starters[imported]; list != nil {
			names[name] = list
		}
		if imported == "github.com/idumb-dev/idumb/controller/gitcommand" {
			gitName = name
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var value ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			value = n.Fun
		case *ast.CompositeLit:
			value = n.Type
		}
		selected, ok := value.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, _ := selected.X.(*ast.Ident)
		if from == nil {
			return true
		}
		git = git || from.Name == gitName && gitName != ""
		for _, name := range names[from.Name] {
			programs = programs || selected.Sel.Name == name
		}
		return true
	})
	return programs, git
}

// A file that is listed for another program does not name git.
func TestNoListedPlaceNamesGit(t *testing.T) {
	for name := range programs {
		if name == "controller/gitcommand/gitcommand.go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				assert.NotEqual(t, `"git"`, lit.Value, "%s names git; call it through controller/gitcommand", name)
			}
			return true
		})
	}
}
