package oracles

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const limits = `export const burst = 2

// Limit is how many.
export class Limit {
  // says so
  of(name: string) {
    return name == 'x' || burst
  }
}
`

// mutated is what the command prints of a file whose declarations an oracle lists.
func mutated(t *testing.T, symbols []symbol) (string, error) {
	path := filepath.Join(t.TempDir(), "a.ts")
	require.NoError(t, os.WriteFile(path, []byte(limits), 0o600))
	var out strings.Builder
	c := comparison{oracle: oracle{name: "test"}, out: &out, shown: 50, answers: []answer{{Path: path, Symbols: symbols}}}
	err := c.mutate(10)
	return out.String(), err
}

func TestMutations(t *testing.T) {
	out, err := mutated(t, []symbol{{"burst", 1, 1}, {"Limit", 4, 9}, {"Limit.of", 6, 8}})
	require.NoError(t, err, out)
	assert.Contains(t, out, "noticed 1.0000 of 9, false alarms 0.0000 of 17", out)
	assert.NotContains(t, out, "wrong after")

	out, err = mutated(t, []symbol{{"burst", 3, 3}, {"Limit.of", 4, 9}})
	assert.Error(t, err, "an oracle that is wrong about the lines")
	assert.Contains(t, out, "wrong after it is removed")
}

func TestMutants(t *testing.T) {
	f := subject{path: "a.ts", lines: strings.Split(limits, "\n"), decls: []symbol{{"Limit", 4, 9}, {"Limit.of", 6, 8}}}
	of, r := f.decls[1], rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for range 100 {
		text, can := f.otherToken(of, r)
		require.True(t, can)
		seen[text] = true
		assert.Contains(t, text, "  of(")
		assert.True(t, strings.HasPrefix(text, strings.Join(f.lines[:5], "\n")) && strings.HasSuffix(text, "\n  }\n}\n"))
	}
	assert.Len(t, seen, 8, "name, string, return, name, ==, x, || and burst")
	text, _ := f.renamed(of)
	assert.Equal(t, strings.Replace(limits, "of(", "ofRenamed(", 1), text)
	text, _ = f.commented(of)
	assert.Equal(t, strings.Replace(limits, "  }\n", "// of was 3 {\n  }\n", 1), text)
	text, _ = f.indented()
	assert.Equal(t, strings.ReplaceAll(limits, "  ", "    "), text)
	assert.False(t, subject{decls: []symbol{{"a", 1, 1}, {"b", 1, 1}}}.apart(symbol{"a", 1, 1}), "a line of two")
	assert.True(t, f.apart(of))
}
