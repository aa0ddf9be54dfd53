package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormsOfSets(t *testing.T) {
	s := &set{}
	require.NoError(t, s.read(strings.NewReader(`
{"set": "a", "question": "who?", "relevant": ["D1:2"], "category": 3}
{"set": "a", "mem": {"id": "D1:1", "text": "one", "date": "2024-01-02"}}
{"set": "a", "mems": [{"id": "D1:2", "content": "two", "originTask": "t"}, "three"]}
{"set": "c", "mems": ["hello", {"id": "x", "text": "yes", "date": "2024-01-02"}]}
{"set": "c", "question": "yes?", "relevant_ids": ["x"]}
{"question": "how?", "relevant": [1, "missing"], "mems": ["x", {"title": "y", "confidence": 10}]}`)))
	require.Len(t, s.parts, 3)
	a, c, own := s.parts[0], s.parts[1], s.parts[2]
	assert.Empty(t, c.documents[0].Origin)
	assert.Equal(t, map[int]bool{1: true}, c.questions[0].relevant)
	assert.Equal(t, "D1", a.documents[0].Origin)
	assert.Equal(t, "t", a.documents[1].Origin)
	assert.Equal(t, "2", a.documents[2].ID)
	assert.Equal(t, []int{0, 2, 1}, a.newest)
	assert.Equal(t, map[int]bool{1: true}, a.questions[0].relevant)
	assert.Equal(t, "3", a.questions[0].category)
	assert.Equal(t, map[int]bool{1: true, -2: true}, own.questions[0].relevant, "what is not there is never found")
	assert.Equal(t, 10, own.documents[1].Confidence)
	assert.ErrorContains(t, (&set{}).read(strings.NewReader("{}\n{")), "line 2")
	assert.ErrorContains(t, (&set{}).read(strings.NewReader(`{"question": "q"}`)), "no relevant")
}

func TestMeasures(t *testing.T) {
	relevant := map[int]bool{3: true, 7: true}
	assert.Equal(t, 0.5, recallAt([]int{1, 3, 2, 7}, relevant, 3))
	assert.Equal(t, 1.0, recallAt([]int{1, 3, 2, 7}, relevant, 10))
	assert.InDelta(t, (1/math.Log2(3)+1/math.Log2(5))/(1+1/math.Log2(3)), ndcg([]int{1, 3, 2, 7}, relevant, 10), 1e-9)
	assert.Equal(t, 1.0, ndcg([]int{7, 3}, relevant, 10))
	sizes := map[int]int{1: 50, 2: 300, 3: 180, 7: 20}
	size, ranked := func(d int) int { return sizes[d] }, []int{1, 3, 2, 7}
	assert.Equal(t, []int{1, 3}, withinBudget(ranked, 250, size), "it ends with the first that does not fit")
	assert.Equal(t, ranked, withinBudget(ranked, 4000, size))
	before := []int{}
	for budget := range 600 {
		now := withinBudget(ranked, budget, size)
		assert.Equal(t, before, now[:len(before)], "more budget loses nothing")
		before = now
	}
	assert.Equal(t, 0.75, shared("abcx", "abcd"))
}

// TestQuickFails holds -quick to end with an error below a threshold.
func TestQuickFails(t *testing.T) {
	var out strings.Builder
	o := options{quick: true, output: &out}
	o.atLeast("x", 0.4, 0.5)
	o.atLeast("y", 0.6, 0.5)
	assert.ErrorContains(t, o.end(time.Now()), "1 measures")
	assert.Contains(t, out.String(), "BELOW THRESHOLD: x: 0.400")
}

func TestOwnSetsAreWhole(t *testing.T) {
	o := options{source: filepath.Join("..", "..")}
	for i, file := range o.ownSets() {
		s, err := readSet(file)
		require.NoError(t, err)
		questions := 0
		for _, p := range s.parts {
			for _, q := range p.questions {
				questions++
				for at := range q.relevant {
					assert.GreaterOrEqual(t, at, 0, q.text)
				}
			}
		}
		if i == 0 {
			assert.GreaterOrEqual(t, questions, 200)
		}
	}
}
