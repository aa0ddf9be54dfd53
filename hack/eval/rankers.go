package main

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
)

// ranker orders the documents of a store for a question, best first. Documents that it would not
// show may be missing.
type ranker struct {
	name string
	make func(*store) func(question string, paths []string) []int
}

// rankers lists the compared rankers.
var rankers = []ranker{
	{"idumb", ours},
	{"plain BM25", plainBM25},
	{"newest first", newestFirst},
}

// ours is the product's scorer for packs and recall.
func ours(s *store) func(string, []string) []int {
	if s.index == nil {
		s.index = &search.Index{}
	}
	places := make([]int, s.index.Len()+len(s.documents)) // indexes by number, from 1
	for i, d := range s.documents {
		places[s.index.Put(d)] = i + 1
	}
	return func(text string, paths []string) []int {
		hits := s.index.Search(search.Query{
			Parts: []search.Part{{Text: text}}, Paths: paths, Hides: func(n int) bool { return places[n] == 0 },
		}).Hits(-1)
		ranked := make([]int, len(hits))
		for i, h := range hits {
			ranked[i] = places[h.Document] - 1
		}
		return ranked
	}
}

// plainBM25 is Okapi BM25 from textbooks: lower-case words, all fields as one text, k1 1.2 and b
// 0.75, no stemming, no stop words. It shares no code with the product.
func plainBM25(s *store) func(string, []string) []int {
	counts, lengths := make([]map[string]int, len(s.documents)), make([]float64, len(s.documents))
	holders, total := map[string]int{}, 0.0
	for i := range s.documents {
		counts[i] = s.count(i)
		for w, n := range counts[i] {
			holders[w]++
			lengths[i] += float64(n)
		}
		total += lengths[i]
	}
	n := float64(len(s.documents))
	return func(text string, paths []string) []int {
		scores := make([]float64, len(s.documents))
		for _, w := range plainWords(text + " " + strings.Join(paths, " ")) {
			h := float64(holders[w])
			idf := math.Log(1 + (n-h+0.5)/(h+0.5))
			for i := range scores {
				tf := float64(counts[i][w])
				scores[i] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[i]/(total/n)))
			}
		}
		return best(scores)
	}
}

var plainWord = regexp.MustCompile(`[\p{L}\p{N}]+`)

func plainWords(text string) []string { return plainWord.FindAllString(strings.ToLower(text), -1) }

// count counts the words of a document, once for each revision.
func (s *store) count(i int) map[string]int {
	d := &s.documents[i]
	key := d.ID + "\n" + d.Revision
	if counts, known := s.counted[key]; known && d.Revision != "" {
		return counts
	}
	counts := map[string]int{}
	for _, w := range plainWords(d.Title + " " + d.Text + " " + strings.Join(slices.Concat(d.Tags, d.Cues, d.Symbols, d.Globs, d.Paths), " ")) {
		counts[w]++
	}
	if s.counted == nil {
		s.counted = map[string]map[string]int{}
	}
	s.counted[key] = counts
	return counts
}

// best orders the documents with a score.
func best(scores []float64) []int {
	var ranked []int
	for i, s := range scores {
		if s > 0 {
			ranked = append(ranked, i)
		}
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return ranked
}

func newestFirst(s *store) func(string, []string) []int {
	return func(string, []string) []int { return s.newest }
}

// finish orders the documents by date, then by their position in the file from the end.
func (s *store) finish() {
	for i := range s.documents {
		s.newest = append(s.newest, len(s.documents)-1-i)
	}
	slices.SortStableFunc(s.newest, func(a, b int) int { return strings.Compare(s.dates[b], s.dates[a]) })
}
