package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outlined is what an outline tells, of all that a file says.
func outlined(facts Facts) Facts {
	var symbols []Symbol
	for _, s := range facts.Symbols {
		if s.Owner == "" {
			symbols = append(symbols, Symbol{Name: s.Name, Kind: s.Kind, Exported: s.Exported, From: s.From, To: s.To})
		}
	}
	facts.Symbols, facts.Comments, facts.Notes = symbols, nil, slices.Clone(facts.Notes)
	for i := range facts.Notes {
		facts.Notes[i].Code = ""
	}
	return facts
}

func assertOutline(t *testing.T, file string, data []byte) {
	t.Helper()
	got := Outline(file, data)
	if len(got.Symbols) == 0 {
		got.Symbols = nil
	}
	assert.Equal(t, outlined(Scan(file, data)), got, file)
}

func TestOutline(t *testing.T) {
	for file, text := range map[string]string{
		"a.cs": csharpFile, "a.java": javaFile, "a.php": phpAuth, "a.py": pythonAuth, "a.rb": rubyAuth, "a.rs": rustFile, "a.vue": component,
	} {
		assertOutline(t, file, []byte(text))
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assertOutline(t, file, data)
	}
}

// What stands in the body of a function is nothing that others see: a file that is being edited
// there gives what it gave.
func TestOutlineOfGoThatDoesNotParseInABody(t *testing.T) {
	const file = "package a\n\nfunc A() {\n\tif x := ; {\n}\n}\n\nvar B = map[string]int{\n\"a\" 1,\n}\n\ntype C struct {\n\tD int\n}\n"
	assert.Equal(t, "does not parse", Scan("a.go", []byte(file)).Partial)
	facts := Outline("a.go", []byte(file))
	assert.Empty(t, facts.Partial)
	assert.Equal(t, "3-6 function A +\n8-10 variable B +\n12-14 class C +", listed(facts))
	assert.Equal(t, "does not parse", Outline("a.go", []byte(file+"}\n")).Partial)
	assert.Equal(t, "does not parse", Outline("a.go", []byte(file+"func (\n")).Partial)
}

func TestLinesOfGeneratedGo(t *testing.T) {
	facts := Scan("a.go", []byte("package a\n\n//line gram.y:700\nfunc A() {\n}\n"))
	assert.Equal(t, "4-5 function A +", listed(facts))
}
