package memory_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

var memX = resources.Key{Kind: resources.Mems, Name: "x"}

// Before evidence could cite files it was a list of texts; such files are read on, and
// not rewritten for nothing.
func TestEvidenceIsReadInBothForms(t *testing.T) {
	const old = `{"spec":{"content":"c","evidence":["seen <twice> & more",{"path":"a/b.md","section":"Tokens","sha256":"00","note":"n"},{"note":"alone"}]}}`
	o, _, err := resources.Read(memX, []byte(old))
	require.NoError(t, err)
	want := []resources.MemEvidence{{Note: "seen <twice> & more"}, {Path: "a/b.md", Section: "Tokens", SHA256: "00", Note: "n"}, {Note: "alone"}}
	assert.Equal(t, want, o.(*resources.Mem).Spec.Evidence)
	data, err := resources.Encode(o)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"seen <twice> & more",`)
	again, _, err := resources.Read(memX, data)
	require.NoError(t, err)
	assert.Equal(t, want, again.(*resources.Mem).Spec.Evidence)
	var spec resources.MemSpec
	require.NoError(t, json.Unmarshal([]byte(`{"evidence":["a",{"path":"b"}]}`), &spec))
	assert.Equal(t, []resources.MemEvidence{{Note: "a"}, {Path: "b"}}, spec.Evidence)
}

func TestMemFilesThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct{ spec, want string }{
		"a number as evidence":        {`"evidence":[3]`, "an object is expected, found a number"},
		"a text as a list":            {`"evidence":"x"`, "a list is expected, found a string"},
		"evidence that says nothing":  {`"evidence":[{}]`, `"path" or "note" must be given`},
		"an empty text":               {`"evidence":[""]`, `"path" or "note" must be given`},
		"a section of no file":        {`"evidence":[{"note":"n","section":"s"}]`, `say something of a "path"`},
		"a path out of the project":   {`"evidence":[{"path":"../x"}]`, `must not leave the repository`},
		"ends before it begins":       {`"validFrom":"2026-01-02T00:00:00Z","validTo":"2026-01-01T00:00:00Z"`, "must not be before spec.validFrom"},
		"a pattern out of the folder": {`"appliesWhen":{"paths":["/etc/**"]}`, "must be a path from the repository's root"},
		"a text for an object":        {`"appliesWhen":"x"`, "an object is expected, found a string"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := resources.Read(memX, []byte(`{"spec":{"content":"c",`+test.spec+`}}`))
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
		})
	}
}

// Says compares with the words of a text without making them.
func TestSaysIsEqualNormalText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"Use", "use", "NPM", "npm", " ", "\n", ", ", "!", "ß", "İ", "é", "e\u0301", "日本", "\xff", "3", ""}
	text := func() (s string) {
		for range r.IntN(6) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	same := 0
	for range 200_000 {
		a, b := text(), text()
		words := memory.NormalText(b)
		require.Equal(t, memory.NormalText(a) == words, memory.Says(a, words), "%q %q", a, b)
		if memory.Says(a, words) {
			most := r.IntN(5)
			require.Equal(t, memory.SumOfWords(b, most), memory.SumOfWords(a, most), "%q %q", a, b)
		}
		if a != b && memory.Says(a, words) {
			same++
		}
	}
	assert.Positive(t, same)
}
