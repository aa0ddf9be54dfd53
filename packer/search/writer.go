package search

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// writer analyses documents and makes a segment of them.
type writer struct {
	analyser analyser
	numbers  map[string]int32 // of terms, in the order in which they were met
	terms    []string
	postings []posting
	seen     []int32 // of each term: its posting in the current document, from 1
	begun    int     // the first posting of the current document
	docs     []written
	document int32
	length   int64
}

// posting is that a term stands in a document; count is weighted, 0 for names.
type posting struct {
	term, doc int32
	count     int32
}

// written is a document that was analysed.
type written struct {
	id, revision string
	length       int64
}

// newSegment makes a segment of the documents, which must be sorted by ID.
func newSegment(documents []*Document) segment {
	if len(documents) == 0 {
		return segment{}
	}
	s, _ := openSegment(segmentBytes(documents)) // an error would leave it empty
	return s
}

func segmentBytes(documents []*Document) []byte {
	w := &writer{numbers: map[string]int32{}}
	for _, d := range documents {
		w.add(d)
	}
	return w.bytes()
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
	w.docs = append(w.docs, written{d.ID, d.Revision, min(w.length, maxLength)})
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

// copier takes documents over from another segment, as they were analysed.
type copier struct {
	from    *segment
	numbers []int32 // of its terms in the writer, from 1
}

// copy takes in a document that the other segment has.
func (w *writer) copy(c *copier, doc int, d *Document) {
	if c.numbers == nil {
		c.numbers = make([]int32, c.from.terms)
	}
	w.begin()
	c.from.vector(doc, func(t int, count int64) {
		if c.numbers[t] == 0 {
			w.count(c.from.term(t), 0)
			c.numbers[t] = w.postings[len(w.postings)-1].term + 1
			w.postings[len(w.postings)-1].count = int32(count)
			return
		}
		n := c.numbers[t] - 1
		w.postings = append(w.postings, posting{n, w.document, int32(count)})
		w.seen[n] = int32(len(w.postings))
	})
	w.length = c.from.length(doc)
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

// bytes writes the segment.
func (w *writer) bytes() []byte {
	order, place := w.sorted()
	for i := range w.postings {
		w.postings[i].term = place[w.postings[i].term]
	}
	vectors, vectorAt := w.vectors()
	lists, listAt := w.lists(len(order))

	docAt := headSize
	termAt := docAt + (len(w.docs)+1)*docSize
	texts := termAt + (len(order)+1)*termSize
	data := make([]byte, texts, texts+len(lists)+len(vectors)+64*len(w.docs)+12*len(order))
	copy(data, segmentMagic)
	put := func(at int, numbers ...int) {
		for i, n := range numbers {
			binary.LittleEndian.PutUint32(data[at+4*i:], uint32(n))
		}
	}
	for i, d := range w.docs {
		put(docAt+i*docSize, len(data)-texts, vectorAt[i], len(d.id), len(d.revision), int(d.length))
		data = append(append(data, d.id...), d.revision...)
	}
	put(docAt+len(w.docs)*docSize, len(data)-texts, len(vectors), 0, 0, 0)
	for i, t := range order {
		put(termAt+i*termSize, len(data)-texts, listAt[i])
		data = append(data, w.terms[t]...)
	}
	put(termAt+len(order)*termSize, len(data)-texts, len(lists))
	put(8, len(w.docs), len(order), docAt, termAt, texts, len(data), len(data)+len(lists))
	data = append(append(data, lists...), vectors...)
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
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

// vectors writes what terms each document has, names aside; postings are in the order of
// the documents already.
func (w *writer) vectors() (data []byte, at []int) {
	at = make([]int, len(w.docs))
	next := 0
	for doc := range w.docs {
		at[doc] = len(data)
		start := next
		for next < len(w.postings) && int(w.postings[next].doc) == doc {
			next++
		}
		own := w.postings[start:next]
		slices.SortFunc(own, func(a, b posting) int { return int(a.term - b.term) })
		before := int32(-1)
		for _, p := range own {
			if p.count > 0 {
				data = binary.AppendUvarint(data, uint64(p.term-before))
				data = binary.AppendUvarint(data, uint64(p.count))
				before = p.term
			}
		}
	}
	return data, at
}

// lists writes what documents each term stands in.
func (w *writer) lists(terms int) (data []byte, at []int) {
	counts := make([]int, terms+1)
	for _, p := range w.postings {
		counts[p.term+1]++
	}
	for t := range terms {
		counts[t+1] += counts[t]
	}
	byTerm := make([]posting, len(w.postings))
	for _, p := range w.postings { // in the order of the documents
		byTerm[counts[p.term]] = p
		counts[p.term]++
	}
	at = make([]int, terms)
	term, before := int32(-1), int32(-1)
	for _, p := range byTerm {
		if p.term != term {
			term, before = p.term, -1
			at[term] = len(data)
		}
		data = binary.AppendUvarint(data, uint64(p.doc-before))
		data = binary.AppendUvarint(data, uint64(p.count))
		before = p.doc
	}
	return data, at
}
