package resolve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/source"
)

// repository writes the files of an archive into a folder, and returns a resolver for them.
func repository(t *testing.T, archive *txtar.Archive) *Resolver {
	dir := t.TempDir()
	require.NoError(t, txtar.Write(archive, dir))
	var paths []string
	for _, f := range archive.Files {
		paths = append(paths, f.Name)
	}
	slices.Sort(paths)
	return New(paths, func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, path)) })
}

// expectation is a line before the files of an archive: file, import, names, -> targets.
type expectation struct {
	file   string
	taken  source.Import
	wanted []string
}

func expectations(t *testing.T, comment []byte) (all []expectation) {
	for line := range strings.Lines(string(comment)) {
		left, right, found := strings.Cut(line, "->")
		if !found {
			continue
		}
		words := strings.Fields(left)
		require.GreaterOrEqual(t, len(words), 2, line)
		e := expectation{words[0], source.Import{From: strings.Join(words[1:2], " "), Kind: source.ValueImport}, strings.Fields(right)}
		if words[1] == "mod" {
			e.taken.From, words = "mod "+words[2], words[:2]
		}
		if len(words) > 2 {
			e.taken.Names = strings.Split(words[2], ",")
		}
		all = append(all, e)
	}
	require.NotEmpty(t, all)
	return all
}

func resolved(r *Resolver, e expectation) (paths []string) {
	targets, _ := r.Resolve(e.file, e.taken)
	for _, t := range targets {
		paths = append(paths, t.Path)
	}
	return paths
}

func TestResolve(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			r := repository(t, archive)
			for _, e := range expectations(t, archive.Comment) {
				require.True(t, r.tree.files[e.file], e.file)
				assert.Equal(t, e.wanted, append([]string{}, resolved(r, e)...), "%s imports %s %v", e.file, e.taken.From, e.taken.Names)
			}
		})
	}
}

// A module that stands in the file takes "super" to be the file.
func TestImportsOfInlineModules(t *testing.T) {
	facts := source.Facts{Language: "Rust", Symbols: []source.Symbol{{Name: "tests", Kind: source.Module, From: 5, To: 9}, {Name: "a", Kind: source.Module, From: 1, To: 1}}}
	for from, wanted := range map[string]string{
		"super": "self", "super::a": "self::a", "super::super::a": "super::a", "crate::a": "crate::a", "self::a": "self::a", "a": "a", "mod a": "mod tests::a",
	} {
		facts.Imports = []source.Import{{From: from, Line: 3}, {From: from, Line: 6}}
		assert.Equal(t, []source.Import{{From: from, Line: 3}, {From: wanted, Line: 6}}, Imports(facts))
	}
}

// Whatever stands in manifests and imports, resolving ends, without a panic, at files that are
// there or folders that have members.
func FuzzResolve(f *testing.F) {
	manifests := []string{"package.json", "p/package.json", "p/q/package.json", "tsconfig.json", "p/tsconfig.json", "pnpm-workspace.yaml", "go.mod", "p/go.mod", "go.work", "Cargo.toml", "pyproject.toml"}
	files := append([]string{"a.ts", "p/index.ts", "p/src/b.ts", "p/a.go", "a.go", "src/lib.rs", "src/a.rs", "a.py", "p/__init__.py", "p/C.java", "a.c"}, manifests...)
	slices.Sort(files)
	f.Add(`{"name": "p", "workspaces": ["*"], "exports": {"./*": ["./*", null]}, "imports": {"#a": "p"}}`, "#a")
	f.Add(`{"extends": ["./tsconfig.json", "p"], "compilerOptions": {"baseUrl": "..", "paths": {"*": ["*", "/*"], "**": []}}, "references": [{"path": "."}]}`, "x")
	f.Add("module m\nreplace m => ./p\nuse (\n./p\n.\n", "m/p")
	f.Add("[package]\nname = 'p'\n[lib]\npath = '../..'\n[[bin]]\npath = ''", "super::super::super")
	f.Add("packages:\n  - '**'\n  - '!'\n", "....")
	f.Add("{", "..")
	f.Fuzz(func(t *testing.T, text, from string) {
		r := New(files, func(string) ([]byte, error) { return []byte(text), nil })
		for _, file := range files {
			targets, _ := r.Resolve(file, source.Import{From: from, Names: []string{"a", "*", "self", ""}})
			for _, target := range targets {
				if !r.tree.files[target.Path] && len(r.Members(target.Path)) == 0 {
					t.Fatalf("%s imports %q: %q is not there", file, from, target.Path)
				}
			}
		}
	})
}
