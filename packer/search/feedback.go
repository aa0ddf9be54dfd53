package search

import (
	"cmp"
	"slices"
	"strings"
)

// Feedback (Lavrenko and Croft 2001, as RM3 by Abdul-Jaleel et al. 2004): the words of the best
// documents, weighted by their frequency and the documents' scores, are added to the question with
// a tenth of its weight. They order documents that share no word with the question; a larger part
// displaces documents that do (measured by hack/eval).
const (
	feedbackDocuments = 5
	feedbackTerms     = 10
	feedbackPercent   = 10
	// feedbackUnit is the unit of a document's share.
	feedbackUnit = 1 << 20
)

// feedback returns the terms of the question with nine tenths of their weight,
// and the words of the best documents with one tenth. It returns terms if no
// document has a score.
func (r *Result) feedback(terms []queryTerm, scores []int64) []queryTerm {
	best := r.best(scores, feedbackDocuments)
	if len(best) == 0 {
		return terms
	}
	model := r.model(best, scores)
	var total int64
	for _, m := range model {
		total += m.weight
	}
	if total == 0 {
		return terms
	}
	own := make(map[string]int, len(terms))
	expanded := make([]queryTerm, len(terms), len(terms)+len(model))
	for i := range terms {
		expanded[i] = terms[i]
		expanded[i].weight = terms[i].weight * (100 - feedbackPercent) / 100
		own[terms[i].term] = i
	}
	for _, m := range model {
		weight := m.weight * weightOne / total * feedbackPercent / 100
		if i, ok := own[m.term]; ok {
			expanded[i].weight += weight
			continue
		}
		w := queryTerm{term: m.term, weight: weight, feedback: true}
		r.fill(&w)
		expanded = append(expanded, w)
	}
	return expanded
}

// model returns the feedbackTerms most frequent words of the best documents.
// The weight of a word is its frequency, weighted by the documents' scores.
func (r *Result) model(best []int32, scores []int64) []queryTerm {
	var all int64
	for _, i := range best {
		all += scores[i]
	}
	weights := map[int32]int64{}
	for _, i := range best {
		d := &r.index.documents[i]
		share, length := scores[i]*feedbackUnit/all, max(d.length, 1)
		for _, c := range d.vector {
			if c.n > 0 {
				weights[c.of] += share * int64(c.n) / length
			}
		}
	}
	model := make([]queryTerm, 0, len(weights))
	for term, weight := range weights {
		model = append(model, queryTerm{term: r.index.words.terms[term], weight: weight})
	}
	slices.SortFunc(model, func(a, b queryTerm) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	return model[:min(feedbackTerms, len(model))]
}

// best returns the n documents with the highest scores above 0, best first,
// equal scores by ID; fewer if fewer have a score.
func (r *Result) best(scores []int64, n int) []int32 {
	var found []int32
	for i, score := range scores {
		at := len(found)
		if score <= 0 || at == n && (n == 0 || r.compare(scores, found[at-1], int32(i)) < 0) {
			continue
		}
		for at > 0 && r.compare(scores, found[at-1], int32(i)) > 0 {
			at--
		}
		found = slices.Insert(found, at, int32(i))
		found = found[:min(n, len(found))]
	}
	return found
}
