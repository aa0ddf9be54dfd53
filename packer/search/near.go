package search

import (
	_ "embed" // for near.txt
	"slices"
	"strings"
	"sync"
)

// nearPercent is the contribution of a near word, relative to the question's
// word. maxNear is the number of terms of a question above which near words are
// not used, because a long text contains enough words.
const (
	nearPercent = 40
	maxNear     = 64
)

// nearWords lists words of everyday English and of software that can replace each other in a question,
// one group a line, in base form. On a line with a colon the words after it are kinds of the first one:
// pet can replace dog and dog can replace pet, but dog cannot replace cat. The table is general
// knowledge, as in a thesaurus, and was not made from a set of questions. A wrong word costs little,
// because a near word counts less than half of the question's word.
//
//go:embed near.txt
var nearWords string

// nearTerms maps each term to its near terms, in the order of the table. The table is read at the
// first question.
var nearTerms = sync.OnceValue(func() map[string][]string {
	near, a := map[string][]string{}, analyser{}
	add := func(term, other string) {
		if term != other && !slices.Contains(near[term], other) {
			near[term] = append(near[term], other)
		}
	}
	for line := range strings.Lines(nearWords) {
		head, sorts, hasHead := strings.Cut(line, ":")
		words := strings.Fields(head + " " + sorts)
		for i := range words {
			words[i] = a.single(words[i])
		}
		for i, term := range words {
			for j, other := range words {
				if !hasHead || i == 0 || j == 0 {
					add(term, other)
				}
			}
		}
	}
	return near
})

// addNearTerms adds to each of the question's terms, which are sorted, the near
// terms that the question does not contain. It does nothing if the question is
// long (maxNear).
func addNearTerms(terms []queryTerm) {
	if len(terms) > maxNear {
		return
	}
	asked := func(term string) bool {
		_, found := slices.BinarySearchFunc(terms, term, func(w queryTerm, term string) int { return strings.Compare(w.term, term) })
		return found
	}
	for i := range terms {
		for _, other := range nearTerms()[terms[i].term] {
			if !asked(other) {
				terms[i].near = append(terms[i].near, other)
			}
		}
	}
}

// single returns the term of a word, or the last one if there are several.
func (a *analyser) single(word string) (term string) {
	a.analyse(word, func(t []byte, _ bool) { term = string(t) })
	return term
}
