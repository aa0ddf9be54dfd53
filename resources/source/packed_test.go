package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func assertPacked(t *testing.T, file string, data []byte) {
	t.Helper()
	facts := Outline(file, data)
	packed := Pack(facts)
	got := packed.Facts()
	assert.Equal(t, outlined(facts), outlined(got), file)
	assert.Equal(t, facts.Partial, packed.Partial(), file)
	assert.Equal(t, packed, Pack(got), file)
}

func TestPack(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assertPacked(t, file, data)
	}
	assertPacked(t, "a.ts", []byte("export { a as b } from './c'\nimport type { d } from 'e'\n// TODO(ana): x #3\n"))
	assertPacked(t, "a.ts", []byte(strings.Repeat("a", 6000)))
	assert.Equal(t, Facts{}, Pack(Facts{}).Facts())
}

// Whatever stands in a file of the cache, it costs no more than its size.
func FuzzPacked(f *testing.F) {
	f.Add(string(Pack(Outline("a.go", []byte("package a\n\nimport \"b\"\n\nvar C = b.D // TODO: e\n")))))
	f.Add("\x00\x00\x00\x00\x00\xff\xff\xff\x7f")
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, packed string) {
		facts := Packed(packed).Facts()
		assert.Equal(t, facts, Pack(facts).Facts())
		assert.LessOrEqual(t, len(facts.Symbols)+len(facts.Notes), len(packed))
	})
}
