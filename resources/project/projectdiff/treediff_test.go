package projectdiff

import (
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/source"
)

// texts are files by their contents.
type texts map[string]string

func (t texts) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t texts) Read(path string) ([]byte, error) {
	text, found := t[path]
	if !found {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func (t texts) facts(path string) source.Facts { return source.Scan(path, []byte(t[path])) }

func tree(files texts) lint.Tree {
	return lint.Tree{Files: files, Facts: files.facts, Graph: project.Build(files, files.facts)}
}

var before = texts{
	"package.json": `{"dependencies": {"react": "^18.2.0", "express": "^4.0.0"}}`,
	"docs/a.md":    "# A\n\nStatus: proposed\n",
	"docs/b.md":    "# B\n",
	"src/a.ts":     "export function a(x: number): void {}\nexport const gone = 1\nexport type U = 'a' | 'b'\nfunction own() {}\n",
	"src/m.ts":     "export function moved() {}\n",
	"src/b.ts":     "import { a } from './a'\nexport const b = a\n",
	"p/a.go":       "package p\n\nfunc Here() {}\n",
	"p/b.go":       "package p\n",
}

var after = texts{
	"package.json": `{"dependencies": {"react": "^19.0.0", "fastify": "^5.0.0"}}`,
	"docs/a.md":    "# A\n\nStatus: accepted\n",
	"docs/c.md":    "# C\n",
	"src/a.ts":     "import { b } from './b'\nexport function a(x: string): void {}\nexport type U =\n  | 'a'\n  | 'b'\n",
	"src/n.ts":     "export function moved() {}\n",
	"src/b.ts":     "import { a, gone } from './a'\nexport const b = a\n",
	"p/a.go":       "package p\n",
	"p/b.go":       "package p\n\nfunc Here() {}\n",
}

func TestCompare(t *testing.T) {
	assert.Equal(t, []Change{
		{Technology, "removed", "express", "^4.0.0", ""},
		{Technology, "added", "fastify", "", "^5.0.0"},
		{Technology, "version", "react", "^18.2.0", "^19.0.0"},
		{Document, "state", "docs/a.md", "proposed", "accepted"},
		{Document, "removed", "docs/b.md", "guide", ""},
		{Document, "added", "docs/c.md", "", "guide"},
		{Symbol, "signature", "src/a.ts#a", "export function a(x: number): void", "export function a(x: string): void"},
		{Symbol, "removed", "src/a.ts#gone", "export const gone", ""},
		{Symbol, "moved", "src/m.ts#moved", "src/m.ts", "src/n.ts"},
		{Knot, "added", "src/a.ts", "", "2 files, cut src/a.ts:1"},
		{Finding, "added", "src/b.ts:1", "", "gone-export: nothing there exports gone"},
	}, Compare(tree(before), tree(after)))
	assert.Empty(t, Compare(tree(after), tree(after)))
}

// The same two trees give the same bytes.
func TestCompareIsStable(t *testing.T) {
	first, err := json.Marshal(Compare(tree(before), tree(after)))
	require.NoError(t, err)
	for range 5 {
		again, err := json.Marshal(Compare(tree(before), tree(after)))
		require.NoError(t, err)
		assert.Equal(t, string(first), string(again))
	}
}

func TestLargerKnot(t *testing.T) {
	two := project.ImportCycle{Files: []string{"a", "b"}}
	three := project.ImportCycle{Files: []string{"a", "b", "c"}, Cut: project.Edge{From: "c", Line: 1}}
	assert.Equal(t, []Change{{Knot, "larger", "a", "2 files", "3 files, cut c:1"}}, ofKnots([]project.ImportCycle{two}, []project.ImportCycle{three}))
	assert.Empty(t, ofKnots([]project.ImportCycle{three}, []project.ImportCycle{two}))
}
