package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNearWordsAreFound holds every word of the table to be one term: else no question would
// find its line.
func TestNearWordsAreFound(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(nearWords), "\n") {
		require.False(t, seen[line], line)
		seen[line] = true
		words := strings.Fields(line)
		assert.Greater(t, len(words), 1, line)
		assert.Equal(t, strings.HasSuffix(words[0], ":"), strings.Contains(line, ":"), line)
		for _, word := range words {
			word = strings.TrimSuffix(word, ":")
			assert.Len(t, Terms(word), 1, word)
		}
	}
}

func TestNear(t *testing.T) {
	near := func(text string) map[string][]string {
		terms := New([]Document{{ID: "mems/any", Text: "zebra"}}).open(ask(text)).question(ask(text))
		found := map[string][]string{}
		for _, w := range terms {
			found[w.term] = w.near
		}
		return found
	}
	assert.Contains(t, near("Which platforms are supported?")["platform"], "window")
	assert.Contains(t, near("on windows")["window"], "platform")
	assert.NotContains(t, near("on windows")["window"], "linux", "two kinds of one thing are different")
	assert.Contains(t, near("who bought the house")["buy"], "purchas")
	assert.NotContains(t, near("buy and purchase")["buy"], "purchas", "the question has the word itself")
	assert.Empty(t, near("zebra")["zebra"])
	for term, words := range near(strings.Repeat("buy sell repair trip ", 9) + strings.Join(strings.Fields(nearWords)[:200], " ")) {
		assert.Empty(t, words, "%s: of a long text no word is stood for", term)
	}
}

func TestANearWordBringsLess(t *testing.T) {
	documents := []Document{
		{ID: "mems/own", Text: "We bought the red van.", Confidence: 80},
		{ID: "mems/near", Text: "We purchased the red van.", Confidence: 80},
		{ID: "mems/other", Text: "We painted the red van.", Confidence: 80},
		{ID: "mems/none", Text: "It rained.", Confidence: 80},
	}
	hits := New(documents).Search(ask("Who buys vans?")).Hits(-1)
	require.Equal(t, []string{"mems/own", "mems/near", "mems/other"}, ids(hits))
	assert.Contains(t, hits[1].Why(), "purchas for buy ")
	assert.NotContains(t, hits[0].Why(), " for ")
}

// A suspect document lends less to its neighbours, so that none ranks above it.
func TestASuspectDocumentLendsHalf(t *testing.T) {
	related := func(suspect bool) int64 {
		hits := New([]Document{
			{ID: "mems/van", Text: "We bought the red van.", Related: []string{"mems/rain"}, Confidence: 80, Suspect: suspect},
			{ID: "mems/rain", Text: "It rained.", Confidence: 80},
		}).Search(ask("red van")).Hits(-1)
		require.Equal(t, []string{"mems/van", "mems/rain"}, ids(hits))
		return hits[1].Related
	}
	assert.Positive(t, related(true))
	assert.InDelta(t, related(false)/2, related(true), 1)
}
