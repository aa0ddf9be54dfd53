package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/source"
)

// spoken are the imports that stand before the files of an archive of the resolver's tests.
func spoken(comment string) func(path string) source.Facts {
	known := map[string]source.Facts{}
	for line := range strings.Lines(comment) {
		left, _, found := strings.Cut(line, "->")
		words := strings.Fields(left)
		if !found || len(words) < 2 {
			continue
		}
		i := source.Import{From: words[1], Kind: source.ValueImport, Line: len(known[words[0]].Imports) + 1}
		if len(words) > 2 {
			i.Names = strings.Split(words[2], ",")
		}
		facts := known[words[0]]
		facts.Imports = append(facts.Imports, i)
		known[words[0]] = facts
	}
	return func(path string) source.Facts { return known[path] }
}

// After each file of each language's fixtures is taken away and put back, the graph is the one
// that would have been built anew.
func TestChangeFollowsEveryFile(t *testing.T) {
	archives, err := filepath.Glob("resolve/testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			f := folder{t.TempDir()}
			require.NoError(t, txtar.Write(archive, f.dir))
			facts := spoken(string(archive.Comment))
			g := Build(f, facts)
			for _, file := range archive.Files {
				place := filepath.Join(f.dir, file.Name)
				require.NoError(t, os.Remove(place))
				g.Remove(file.Name)
				sameGraph(t, Build(f, facts), g, f, "without "+file.Name)
				require.NoError(t, os.WriteFile(place, file.Data, 0o644))
				g.Change(file.Name, facts(file.Name))
				sameGraph(t, Build(f, facts), g, f, "with "+file.Name)
			}
		})
	}
}

// Each manifest is emptied and written again.
func TestChangeFollowsManifests(t *testing.T) {
	for _, name := range []string{"tsconfig", "workspaces", "go", "python", "others"} {
		archive, err := txtar.ParseFile("resolve/testdata/" + name + ".txtar")
		require.NoError(t, err)
		f := folder{t.TempDir()}
		require.NoError(t, txtar.Write(archive, f.dir))
		facts := spoken(string(archive.Comment))
		g := Build(f, facts)
		for _, file := range archive.Files {
			if len(file.Data) == 0 {
				continue
			}
			for _, text := range []string{"{}", string(file.Data)} {
				require.NoError(t, os.WriteFile(filepath.Join(f.dir, file.Name), []byte(text), 0o644))
				g.Change(file.Name, facts(file.Name))
				sameGraph(t, Build(f, facts), g, f, file.Name+" is "+text)
			}
		}
	}
}

func sameGraph(t *testing.T, anew, g *Graph, f Files, after string) {
	for _, p := range f.Paths() {
		assert.Equal(t, anew.Imports(p), g.Imports(p), "imports of %s, %s", p, after)
		assert.Equal(t, anew.Dependents(p), g.Dependents(p), "dependents of %s, %s", p, after)
	}
}
