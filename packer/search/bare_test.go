package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// bare is what is at hand of documents whose texts are not.
func bare(documents []Document) []Document {
	list := make([]Document, len(documents))
	for i, d := range documents {
		list[i] = Document{ID: d.ID, Revision: d.Revision, Origin: d.Origin, Order: d.Order, Related: d.Related, Confidence: d.Confidence, Suspect: d.Suspect, Hidden: d.Hidden}
	}
	return list
}

// Documents whose texts are not at hand are found like whole ones, and asked for only where
// what was kept does not have them.
func TestBareDocumentsAreFoundLikeWholeOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		documents := randomDocuments(r, 1+r.IntN(60))
		kept := New(nil, documents).Bytes()
		missing := map[int]bool{}
		for range r.IntN(5) {
			i := r.IntN(len(documents))
			documents[i].Text += " session"
			documents[i].Revision += "+"
			missing[i] = true
		}
		asked := map[int]bool{}
		x := NewBare(kept, bare(documents), func(i int) Document {
			asked[i] = true
			return documents[i]
		})
		for i := range documents {
			require.Equal(t, missing[i] || documents[i].Revision == "", asked[i], "document %d", i)
		}
		whole := New(nil, documents)
		for range 5 {
			q := ask(fmt.Sprintf("session tokens %s", documents[r.IntN(len(documents))].Text))
			require.Equal(t, whole.Search(q).Hits(-1), x.Search(q).Hits(-1))
		}
		require.Equal(t, whole.Bytes(), x.Bytes())
	}
}
