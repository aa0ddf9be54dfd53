package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/source"
)

// folder is a folder of files as Files.
type folder struct{ dir string }

func (f folder) Paths() (paths []string) {
	_ = filepath.WalkDir(f.dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rest, _ := filepath.Rel(f.dir, p)
			paths = append(paths, filepath.ToSlash(rest))
		}
		return err
	})
	slices.Sort(paths)
	return paths
}

func (f folder) Read(path string) ([]byte, error) { return os.ReadFile(filepath.Join(f.dir, path)) }

// written writes an archive into a folder of its own.
func written(t *testing.T, archive string) folder {
	f := folder{t.TempDir()}
	require.NoError(t, txtar.Write(txtar.Parse([]byte(archive)), f.dir))
	return f
}

// imports are facts made by hand: of each file what it imports, all of it.
type imports map[string][]string

func (i imports) facts(path string) (facts source.Facts) {
	for n, from := range i[path] {
		facts.Imports = append(facts.Imports, source.Import{From: from, Kind: source.ValueImport, Names: []string{"*"}, Line: n + 1})
	}
	return facts
}

func scanned(f Files) func(string) source.Facts {
	return func(path string) source.Facts {
		data, _ := f.Read(path)
		return source.Scan(path, data)
	}
}

func ends(edges []Edge, end func(Edge) string) []string {
	paths := []string{}
	for _, e := range edges {
		paths = append(paths, end(e))
	}
	return paths
}

func to(e Edge) string   { return e.To }
func from(e Edge) string { return e.From }

const goModule = `
-- go.mod --
module example.org/m
-- a/a.go --
package a

import (
	"fmt"

	"example.org/m/b"
)

var _ = fmt.Sprint(b.One)
-- a/a_test.go --
package a

import _ "example.org/m/b"
-- b/one.go --
package b

const One = 1
-- b/two.go --
package b

const Two = 2
`

// A package of Go is its files: each is imported by who imports the package.
func TestGraphOfGo(t *testing.T) {
	f := written(t, goModule)
	g := Build(f, scanned(f))
	assert.Equal(t, []string{"b/one.go", "b/two.go"}, ends(g.Imports("a/a.go"), to))
	assert.Equal(t, []Edge{
		{"a/a.go", "b/two.go", source.ValueImport, []string{"One"}, 6},
		{"a/a_test.go", "b/two.go", TestImport, nil, 3},
	}, g.Dependents("b/two.go"))
	require.Len(t, g.External("a/a.go"), 1)
	assert.Equal(t, "fmt", g.External("a/a.go")[0].From)
	assert.Empty(t, g.Imports("none.go"))
}

// After each change the graph is the one that would have been built anew.
func TestChange(t *testing.T) {
	f := written(t, `
-- src/a.ts --
-- src/b.js --
-- lib/index.js --
-- tsconfig.json --
{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}
`)
	known := imports{"src/a.ts": {"./b", "../lib", "@/c", "@/b", "./new/deep"}, "src/b.js": {"./a"}}
	g := Build(f, known.facts)
	assert.Equal(t, []string{"src/b.js", "lib/index.js", "src/b.js"}, ends(g.Imports("src/a.ts"), to))

	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(f.dir, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, path), []byte(text), 0o644))
		g.Change(path, known.facts(path))
	}
	remove := func(path string) {
		require.NoError(t, os.Remove(filepath.Join(f.dir, path)))
		g.Remove(path)
	}
	for step, change := range []func(){
		func() { write("src/b.ts", "") },
		func() { write("src/new/deep/index.ts", "") },
		func() { write("src/new/deep.ts", "") },
		func() { remove("src/new/deep.ts") },
		func() { remove("src/new/deep/index.ts") },
		func() { write("lib/package.json", `{"main": "main.js"}`) },
		func() { write("lib/main.js", "") },
		func() { write("lib/package.json", `{"main": "index.js"}`) },
		func() { write("tsconfig.json", `{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}`) },
		func() { write("lib/c.ts", "") },
		func() { remove("tsconfig.json") },
		func() { remove("src/b.ts") },
		func() { remove("src/a.ts") },
		func() { write("src/a.ts", "") },
		func() { known["src/a.ts"] = known["src/a.ts"][:1]; write("src/a.ts", "") },
	} {
		change()
		anew := Build(f, known.facts)
		for _, p := range f.Paths() {
			assert.Equal(t, anew.Imports(p), g.Imports(p), "imports of %s after step %d", p, step)
			assert.Equal(t, anew.Dependents(p), g.Dependents(p), "dependents of %s after step %d", p, step)
			assert.Equal(t, anew.External(p), g.External(p), "external of %s after step %d", p, step)
		}
	}
	assert.Equal(t, []string{"src/b.js"}, ends(g.Dependents("src/a.ts"), from))
}

func TestIsTest(t *testing.T) {
	for _, p := range []string{"a_test.go", "src/a.test.ts", "src/__tests__/a.ts", "tests/a.py", "test_a.py", "conftest.py", "src/test/java/A.java", "ATest.java", "a.spec.tsx"} {
		assert.True(t, IsTest(p), p)
	}
	for _, p := range []string{"test.go", "latest.ts", "contest/a.go", "a.go", "attest.py", "testing.go"} {
		assert.False(t, IsTest(p), p)
	}
}
