package search

import (
	"cmp"
	"slices"
	"strings"
)

// writer analyses documents, and makes Analysed of them.
type writer struct {
	analyser analyser
	numbers  map[string]int32 // of terms, in the order in which they were met
	terms    []string
	postings []posting
	seen     []int32 // of each term: its posting in the current document, from 1
	begun    int     // the first posting of the current document
	docs     []analysed
	document int32
	length   int64
}

// posting is that a term stands in a document; count is weighted, 0 for names.
type posting struct {
	term, doc int32
	count     int32
}

// analyse makes Analysed of the documents, which must be sorted by ID.
func analyse(documents []*Document) *Analysed {
	w := &writer{numbers: map[string]int32{}}
	for _, d := range documents {
		w.add(d)
	}
	return w.analysed()
}

// begin opens the next document.
func (w *writer) begin() {
	for _, p := range w.postings[w.begun:] {
		w.seen[p.term] = 0
	}
	w.begun, w.document, w.length = len(w.postings), int32(len(w.docs)), 0
}

// end closes the document that was begun last, with what counts for nothing as a term: its
// names, and what it tells of how it is to be read.
func (w *writer) end(d *Document) {
	w.speech(d.Text)
	for _, name := range namesOf(d) {
		w.count([]byte(name), 0)
	}
	w.docs = append(w.docs, analysed{id: d.ID, revision: d.Revision, length: w.length})
}

// add takes in a document.
func (w *writer) add(d *Document) {
	w.begin()
	w.text(inTitle, d.Title)
	for _, tag := range d.Tags {
		w.text(inTags, tag)
	}
	for _, texts := range [][]string{d.Cues, d.Symbols, d.Globs} {
		for _, text := range texts {
			w.text(inApplies, text)
		}
	}
	w.text(inText, d.Text)
	for _, path := range d.Paths {
		w.text(inPaths, path)
	}
	w.end(d)
}

// copier takes documents over as they were analysed.
type copier struct {
	from    *Analysed
	numbers []int32 // of its terms in the writer, from 1
}

// copy takes in a document that was analysed.
func (w *writer) copy(c *copier, doc int, d *Document) {
	if c.numbers == nil {
		c.numbers = make([]int32, len(c.from.terms))
	}
	w.begin()
	for _, t := range c.from.documents[doc].vector {
		if c.numbers[t.of] == 0 {
			w.count([]byte(c.from.terms[t.of]), 0)
			c.numbers[t.of] = w.postings[len(w.postings)-1].term + 1
			w.postings[len(w.postings)-1].count = t.n
			continue
		}
		n := c.numbers[t.of] - 1
		w.postings = append(w.postings, posting{n, w.document, t.n})
		w.seen[n] = int32(len(w.postings))
	}
	w.length = c.from.documents[doc].length
	w.end(d)
}

// text takes in a text that stands in a field.
func (w *writer) text(f field, text string) {
	weight := weights[f]
	w.analyser.analyse(text, func(term []byte, word bool) {
		w.count(term, weight)
		if word {
			w.length += int64(weight)
		}
	})
}

func (w *writer) count(term []byte, weight int) {
	n, known := w.numbers[string(term)]
	if !known {
		n = int32(len(w.terms))
		w.terms = append(w.terms, string(term))
		w.numbers[w.terms[n]] = n
		w.seen = append(w.seen, 0)
	}
	if at := w.seen[n]; at > 0 {
		p := &w.postings[at-1]
		p.count = min(p.count+int32(weight), maxCount)
		return
	}
	w.postings = append(w.postings, posting{n, w.document, int32(weight)})
	w.seen[n] = int32(len(w.postings))
}

// analysed returns what was taken in.
func (w *writer) analysed() *Analysed {
	order, place := w.sorted()
	for i := range w.postings {
		w.postings[i].term = place[w.postings[i].term]
	}
	w.vectors()
	s := &Analysed{documents: w.docs, terms: make([]string, len(order)), lists: w.lists(len(order))}
	for i, t := range order {
		s.terms[i] = w.terms[t]
	}
	return s
}

// sorted returns the terms in their order, and the place of each in it.
func (w *writer) sorted() (order, place []int32) {
	order, place = make([]int32, len(w.terms)), make([]int32, len(w.terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(w.terms[a], w.terms[b]) })
	for i, t := range order {
		place[t] = int32(i)
	}
	return order, place
}

// vectors sets what terms each document has; postings are in the order of the documents
// already. All of them stand in one slice, as those of lists do.
func (w *writer) vectors() {
	room := make([]count, 0, len(w.postings))
	next := 0
	for doc := range w.docs {
		start, from := next, len(room)
		for next < len(w.postings) && int(w.postings[next].doc) == doc {
			next++
		}
		own := w.postings[start:next]
		slices.SortFunc(own, func(a, b posting) int { return cmp.Compare(a.term, b.term) })
		for _, p := range own {
			if p.count > 0 {
				room = append(room, count{p.term, p.count})
			}
		}
		w.docs[doc].vector = room[from:len(room):len(room)]
	}
}

// lists returns what documents each term stands in.
func (w *writer) lists(terms int) [][]count {
	sizes := make([]int, terms)
	for _, p := range w.postings {
		sizes[p.term]++
	}
	lists, room := make([][]count, terms), make([]count, len(w.postings))
	for t, size := range sizes {
		lists[t], room = room[:0:size], room[size:]
	}
	for _, p := range w.postings { // in the order of the documents
		lists[p.term] = append(lists[p.term], count{p.doc, p.count})
	}
	return lists
}

// maxCount is the greatest weighted count of a term in a document: more would overflow
// nothing yet, and means nothing.
const maxCount = 1 << 20
