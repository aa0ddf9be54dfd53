package search

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAWordOfAllDocumentsFindsThem: how rare a word is orders documents; it never keeps a
// living one from being found, also where only one that may stand for it is in all of them.
func TestAWordOfAllDocumentsFindsThem(t *testing.T) {
	documents := make([]Document, 3000)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprintf("mems/m%04d", i), Text: fmt.Sprintf("We purchased van %d of the fleet, with a long list of what it can do.", i), Confidence: 30, Suspect: true}
	}
	index := New(documents)
	for _, question := range []string{"purchased", "fleet van", "who buys", "purchased, and a dozen other words that nobody here has ever written down anywhere"} {
		assert.Len(t, index.Search(ask(question)).Hits(-1), len(documents), question)
	}
	assert.Equal(t, "mems/m0042", index.Search(ask("van 42 of the fleet")).Hits(1)[0].ID)
}
