package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/packer"
)

// TestNoSortOfTextIsEstimatedLow holds the estimate of tokens to a twelfth below what an
// exact tokenizer counts at the least, whatever the sort of text; mixed with a pack's own
// lines that is never below.
func TestNoSortOfTextIsEstimatedLow(t *testing.T) {
	exact, err := counters()
	require.NoError(t, err)
	for _, sort := range texts {
		for _, c := range exact {
			for seed := range uint64(8) {
				r := rand.New(rand.NewPCG(seed, 1))
				text := ""
				for range 12 {
					text += sort.make(r) + "\n"
				}
				ratio := float64(packer.Estimate(text)) / float64(c.count(text))
				assert.Greater(t, ratio, 0.92, "%s, %s: %q", sort.name, c.name, text)
			}
		}
	}
}
