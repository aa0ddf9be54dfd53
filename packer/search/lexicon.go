package search

import (
	"slices"
	"strings"
)

// lexicon holds the terms of all documents and the documents of each term.
type lexicon struct {
	numbers   map[string]int32
	terms     []string  // by number; empty for a free number
	lists     [][]count // for each term the documents that contain it, sorted by number
	free      []int32   // numbers of terms without documents
	pathNames []string  // the names that are paths or patterns, sorted; nil: to be computed
	analyser  analyser

	// State of the current document:
	vector []count
	seen   []int32 // for each term its place in vector, from 1
	length int64
}

// count is the weighted frequency of a term in a document; of is the document or the term. n is 0
// for names.
type count struct{ of, n int32 }

// maxCount limits the weighted frequency of a term in a document, far below an overflow.
const maxCount = 1 << 20

// analyse adds a document. It returns its terms and names with their counts,
// and its length, the sum of the weights of its words.
func (v *lexicon) analyse(document int32, d *Document) (vector []count, length int64) {
	v.vector, v.length = v.vector[:0], 0
	v.text(inTitle, d.Title)
	v.text(inText, d.Text)
	for _, part := range [...]struct {
		field field
		texts []string
	}{{inTags, d.Tags}, {inApplies, d.Cues}, {inApplies, d.Symbols}, {inApplies, d.Globs}, {inPaths, d.Paths}} {
		for _, text := range part.texts {
			v.text(part.field, text)
		}
	}
	for _, name := range namesOf(d) {
		v.count([]byte(name), 0)
	}
	for _, c := range v.vector {
		v.seen[c.of] = 0
		list := v.lists[c.of]
		at := len(list)
		if at > 0 && list[at-1].of > document {
			at = positionOf(list, document)
		}
		v.lists[c.of] = slices.Insert(list, at, count{document, c.n})
	}
	return slices.Clone(v.vector), v.length
}

// positionOf returns the index of a document in a term's list, or where to insert it.
func positionOf(list []count, document int32) int {
	at, _ := slices.BinarySearchFunc(list, document, func(c count, document int32) int { return int(c.of - document) })
	return at
}

// text counts the terms of a text in a field of the current document.
func (v *lexicon) text(f field, text string) {
	weight := weights[f]
	v.analyser.analyse(text, func(term []byte, word bool) {
		v.count(term, weight)
		if word {
			v.length += int64(weight)
		}
	})
}

// count adds weight to the count of a term in the current document's vector, up to maxCount.
func (v *lexicon) count(term []byte, weight int) {
	n, known := v.numbers[string(term)]
	if !known {
		n = v.number(string(term))
	}
	if at := v.seen[n]; at > 0 {
		c := &v.vector[at-1]
		c.n = min(c.n+int32(weight), maxCount)
		return
	}
	v.vector = append(v.vector, count{n, int32(weight)})
	v.seen[n] = int32(len(v.vector))
}

// number assigns a number to a new term.
func (v *lexicon) number(term string) int32 {
	n := int32(len(v.terms))
	if last := len(v.free) - 1; last >= 0 {
		n, v.free = v.free[last], v.free[:last]
		v.terms[n] = term
	} else {
		v.terms, v.lists, v.seen = append(v.terms, term), append(v.lists, nil), append(v.seen, 0)
	}
	if v.numbers == nil {
		v.numbers = map[string]int32{}
	}
	v.numbers[term] = n
	v.invalidateNames(term)
	return n
}

// invalidateNames drops pathNames if the term that was added or removed is the
// name of a path or a glob.
func (v *lexicon) invalidateNames(term string) {
	if isPathName(term) {
		v.pathNames = nil
	}
}

// isPathName reports whether a term is the name of a path or a glob.
func isPathName(term string) bool {
	return strings.HasPrefix(term, byPath) || strings.HasPrefix(term, byGlob)
}

// startingWith returns the sorted names of paths or patterns with a prefix.
func (v *lexicon) startingWith(prefix string) []string {
	if v.pathNames == nil {
		v.pathNames = []string{}
		for _, term := range v.terms {
			if isPathName(term) {
				v.pathNames = append(v.pathNames, term)
			}
		}
		slices.Sort(v.pathNames)
	}
	at, _ := slices.BinarySearch(v.pathNames, prefix)
	end := at
	for end < len(v.pathNames) && strings.HasPrefix(v.pathNames[end], prefix) {
		end++
	}
	return v.pathNames[at:end]
}

// list returns the documents that contain a term or a name.
func (v *lexicon) list(term string) []count {
	if n, known := v.numbers[term]; known {
		return v.lists[n]
	}
	return nil
}

// Shares returns the number of question words in the document, without commonplace words. It serves
// small stores about one subject, in which no document reaches the threshold of Bears.
func (h *Hit) Shares() (words int) {
	for _, t := range h.Terms {
		if !t.Feedback && t.Near == "" && !isCommonplace(t.Term) {
			words++
		}
	}
	return words
}
