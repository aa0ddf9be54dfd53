package scc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestComponents(t *testing.T) {
	for name, c := range map[string]struct {
		next  [][]int
		found [][]int
	}{
		"none":      {[][]int{{1}, {2}, {}}, nil},
		"itself":    {[][]int{{1}, {1}}, [][]int{{1}}},
		"two":       {[][]int{{1}, {0, 2}, {3}, {2}}, [][]int{{2, 3}, {0, 1}}},
		"eight":     {[][]int{{1, 2}, {0}, {0}}, [][]int{{0, 1, 2}}},
		"not a dag": {[][]int{{1}, {2}, {0, 3}, {}}, [][]int{{0, 1, 2}}},
	} {
		found := Components(c.next)
		for _, component := range found {
			slices.Sort(component)
		}
		assert.Equal(t, c.found, found, name)
	}
}

// A chain of a million nodes needs no stack.
func TestLongChain(t *testing.T) {
	next := make([][]int, 1_000_000)
	for i := range next {
		next[i] = []int{(i + 1) % len(next)}
	}
	assert.Len(t, Components(next), 1)
}
