package code

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// No word names two kinds, each kind has a question, and what is always shown stands first.
func TestKinds(t *testing.T) {
	kinds, words := ComputedKinds(true), map[string]string{}
	for _, k := range kinds {
		for _, word := range append([]string{k.Plural, k.Singular}, k.ShortNames...) {
			assert.Empty(t, words[word], word)
			words[word] = k.Plural
			found, is := ComputedKindNamed(kinds, word)
			assert.True(t, is)
			assert.Equal(t, k.Plural, found.Plural)
		}
		assert.NotNil(t, k.Question.Answer, k.Plural)
		for i, c := range k.Columns {
			assert.Equal(t, i >= k.DefaultColumns(), c.Wide, "%s: %s", k.Plural, c.Header)
		}
		records, _ := k.Records(k.New())
		assert.Empty(t, records)
	}
	_, is := ComputedKindNamed(kinds, "tasks")
	assert.False(t, is)
	found, _ := ComputedKindNamed(kinds, "TECH")
	assert.Equal(t, "technologies", found.Plural)
}

func TestCells(t *testing.T) {
	docs, _ := ComputedKindNamed(ComputedKinds(true), "docs")
	var d DocumentRecord
	d.Metadata.Name, d.Status.Path, d.Status.BoxesDone, d.Status.BoxesOpen = "a.md", "a.md", 1, 2
	records, _ := docs.Records(&Documents{Items: []DocumentRecord{d}})
	require.Len(t, records, 1)
	assert.Equal(t, "a.md", docs.NameOf(records[0]))
	assert.Equal(t, []string{"a.md", "", "", "", "0", "1/3", ""}, docs.Cells(records[0], time.Now()))
	var n queries.NeedRecord
	needs := Needs(false)
	assert.Empty(t, needs.Cells(n, time.Now())[3], "nobody knows since when")
}
