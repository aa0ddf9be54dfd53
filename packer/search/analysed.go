package search

import "slices"

// Analysed is documents, analysed: what New takes over of those that are still the same. It
// holds no text, but words. It never changes. Its zero value holds nothing.
type Analysed struct {
	documents []analysed // by ID
	terms     []string   // sorted
	lists     [][]count  // of each term: the documents that it stands in, in their order
}

// analysed is one document.
type analysed struct {
	id, revision string
	length       int64   // in weighted words
	vector       []count // its terms, in their order, names aside
}

// count is how often, weighted, a term stands in a document: of is the document or the term.
// It is 0 for names.
type count struct{ of, n int32 }

// find returns the number of the first term that is not less than the given one, and
// whether it is that one.
func (s *Analysed) find(term string) (int, bool) { return slices.BinarySearch(s.terms, term) }
