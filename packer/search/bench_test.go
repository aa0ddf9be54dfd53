package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// many returns documents of some forty words each, by Zipf's law out of five thousand.
func many(n int) []Document {
	r := rand.New(rand.NewPCG(1, 1))
	zipf := rand.NewZipf(r, 1.1, 8, 5000)
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "word%c%c ", 'a'+zipf.Uint64()%26, 'a'+zipf.Uint64()/26%190)
		}
		return b.String()
	}
	documents := make([]Document, n)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprintf("mems/m-%05d", i), Revision: "1", Title: words(4), Text: words(40), Tags: strings.Fields(words(2)), Origin: fmt.Sprint("t", i/5), Confidence: 80}
	}
	return documents
}

// BenchmarkRecall is what an answer costs: of an index that is at hand, of one of which a
// document changed, and of one that is made for the question.
func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		documents := many(n)
		index := New(documents)
		q := ask("the " + documents[n/2].Title + " and " + documents[n/3].Title)
		rounds := 0
		for _, with := range []struct {
			name  string
			index func() *Index
		}{
			{"kept", func() *Index { return index }},
			{"changed", func() *Index {
				rounds++
				d := documents[rounds%n]
				d.Revision = fmt.Sprint(rounds)
				index.Put(d)
				return index
			}},
			{"anew", func() *Index { return New(documents) }},
		} {
			b.Run(fmt.Sprint(with.name, "/", n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if len(with.index().Search(q).Hits(8)) != 8 {
						b.Fatal("nothing found")
					}
				}
			})
		}
	}
}
