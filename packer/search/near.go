package search

import (
	_ "embed" // of near.txt
	"slices"
	"strings"
	"sync"
)

// nearPercent is what a word brings that stands for a word of the question, of what that
// one would bring. maxNear is how many words a question may have for others to stand for
// them: a text of hundreds of words meets what it is about in its own.
const (
	nearPercent = 40
	maxNear     = 64
)

// nearWords are words of everyday English and of software that may stand for each other
// in a question, a group a line, in base form. Of a line with a colon the words are
// sorts of the one before it: pet stands for dog and dog for pet, but not dog for cat.
// They are common knowledge, as in any thesaurus, and of no set of questions; a word too
// much costs little, as it counts less than half and no more than the question's own.
//
//go:embed near.txt
var nearWords string

// nearTerms has the terms that may stand for each term, in the order of the table. It is read
// when the first question is asked.
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
			words[i] = a.only(words[i])
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

// near finds for each of the terms, which are sorted, those that may stand for it.
func near(terms []wanted) {
	if len(terms) > maxNear {
		return
	}
	asked := func(term string) bool {
		_, found := slices.BinarySearchFunc(terms, term, func(w wanted, term string) int { return strings.Compare(w.term, term) })
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

// only is the term of a single word.
func (a *analyser) only(word string) (term string) {
	a.analyse(word, func(t []byte, _ bool) { term = string(t) })
	return term
}
