package search

import "slices"

// An Index holds analyzed documents. Documents can be added, replaced and removed; results depend
// on the current documents only. It is not safe for concurrent use.
type Index struct {
	documents []entry          // by number; removed documents leave a free number
	numbers   map[string]int32 // numbers of the documents, by ID
	free      []int32
	words     lexicon
	origins   map[string]*origin
	relating  map[string][]int32 // documents that list an ID as related
}

// entry is one document.
type entry struct {
	Document
	length int64   // sum of the weights of its words
	vector []count // its terms and names
	origin *origin // nil if none
}

// origin is the set of documents with one origin.
type origin struct{ documents []int32 }

// New returns an index of documents. Their numbers are their indexes in the
// slice, provided that no ID is repeated.
func New(documents []Document) *Index {
	x := &Index{numbers: make(map[string]int32, len(documents)), documents: make([]entry, 0, len(documents))}
	for _, d := range documents {
		x.Put(d)
	}
	return x
}

// Put adds a document, or replaces the one with its ID. It returns the
// document's number in Results, which does not change until the document is
// removed. A document with the same Revision is not analyzed again.
func (x *Index) Put(d Document) int {
	n, known := x.numbers[d.ID]
	if known {
		if e := &x.documents[n]; d.Revision != "" && e.Revision == d.Revision {
			e.Document = d
			return int(n)
		}
		x.clear(n)
	} else {
		n = x.number(d.ID)
	}
	e := &x.documents[n]
	e.Document = d
	e.vector, e.length = x.words.analyse(n, &e.Document)
	x.join(n)
	for _, id := range d.Related {
		if x.relating == nil {
			x.relating = map[string][]int32{}
		}
		x.relating[id] = append(x.relating[id], n)
	}
	return int(n)
}

// number assigns a number to a new document.
func (x *Index) number(id string) int32 {
	n := int32(len(x.documents))
	if last := len(x.free) - 1; last >= 0 {
		n, x.free = x.free[last], x.free[:last]
	} else {
		x.documents = append(x.documents, entry{})
	}
	if x.numbers == nil {
		x.numbers = map[string]int32{}
	}
	x.numbers[id] = n
	return n
}

// Remove removes the document with an ID, if it exists.
func (x *Index) Remove(id string) {
	if n, known := x.numbers[id]; known {
		x.clear(n)
		delete(x.numbers, id)
		x.free = append(x.free, n)
	}
}

// Number returns the number of the document with an ID, and whether it exists.
func (x *Index) Number(id string) (int, bool) {
	n, known := x.numbers[id]
	return int(n), known
}

// Len returns the count of assigned numbers, including free ones.
func (x *Index) Len() int { return len(x.documents) }

// clear empties the entry of a document and removes it from the lists of terms,
// origins and relations. The document keeps its number.
func (x *Index) clear(n int32) {
	e := &x.documents[n]
	for _, c := range e.vector {
		at := positionOf(x.words.lists[c.of], n)
		x.words.lists[c.of] = slices.Delete(x.words.lists[c.of], at, at+1)
		if len(x.words.lists[c.of]) == 0 {
			x.words.invalidateNames(x.words.terms[c.of])
			delete(x.words.numbers, x.words.terms[c.of])
			x.words.terms[c.of], x.words.lists[c.of] = "", nil
			x.words.free = append(x.words.free, c.of)
		}
	}
	x.leave(n)
	for _, id := range e.Related {
		if rest := slices.DeleteFunc(x.relating[id], func(m int32) bool { return m == n }); len(rest) > 0 {
			x.relating[id] = rest
		} else {
			delete(x.relating, id)
		}
	}
	*e = entry{}
}

// join adds a document to the documents with the same Origin.
func (x *Index) join(n int32) {
	e := &x.documents[n]
	if e.Origin == "" {
		return
	}
	o := x.origins[e.Origin]
	if o == nil {
		if x.origins == nil {
			x.origins = map[string]*origin{}
		}
		o = &origin{}
		x.origins[e.Origin] = o
	}
	o.documents = append(o.documents, n)
	e.origin = o
}

// leave removes a document from the documents with the same Origin.
func (x *Index) leave(n int32) {
	e := &x.documents[n]
	o := e.origin
	if o == nil {
		return
	}
	o.documents = slices.DeleteFunc(o.documents, func(m int32) bool { return m == n })
	if len(o.documents) == 0 {
		delete(x.origins, e.Origin)
	}
}

// related visits the documents related to n, in either direction; some may be visited twice.
func (x *Index) related(n int32, visit func(int32)) {
	e := &x.documents[n]
	for _, id := range e.Related {
		if other, known := x.numbers[id]; known && other != n {
			visit(other)
		}
	}
	for _, other := range x.relating[e.ID] {
		if other != n {
			visit(other)
		}
	}
}
