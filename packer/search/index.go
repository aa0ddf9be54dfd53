package search

import (
	"cmp"
	"slices"
)

// Index is documents, analysed. It is for one goroutine at a time.
type Index struct {
	documents []Document
	order     []int32 // documents by ID
	parts     [2]part // those that a kept index had, and those that were analysed now
	length    []int64 // of each document
	visible   int     // documents that are not Hidden
	total     int64   // of their lengths
	gone      int     // documents that the kept index has for nothing
	related   [][]int32
	origins   [][]int32 // documents of one origin each, in the order in which they were made
	beside    []beside
	asking    []uint8 // eighths of each document that ask; nil until a question is asked
}

// beside are the documents that were made just before and just after one, of its origin;
// -1 for none.
type beside struct{ before, after int32 }

// part is what was analysed, and which documents it stands for; -1 for one that is gone.
type part struct {
	*Analysed
	stands []int32
}

// New makes an index of documents, which must not change while it is used. kept is what
// Analysed of an earlier one returned, or nil: documents whose ID and Revision it has are not
// analysed again. What it holds changes how long New takes, and nothing else.
func New(kept *Analysed, documents []Document) *Index {
	if kept == nil {
		kept = &Analysed{}
	}
	x := &Index{documents: documents, order: make([]int32, len(documents)), length: make([]int64, len(documents))}
	inOrder := true
	for i := range documents {
		x.order[i] = int32(i)
		inOrder = inOrder && (i == 0 || documents[i-1].ID <= documents[i].ID)
	}
	if !inOrder {
		slices.SortStableFunc(x.order, func(a, b int32) int { return cmp.Compare(documents[a].ID, documents[b].ID) })
	}
	x.open(kept)
	for i := range documents {
		if !documents[i].Hidden {
			x.visible++
			x.total += x.length[i]
		}
	}
	return x
}

// open takes from kept what is still true, and analyses the rest.
func (x *Index) open(kept *Analysed) {
	base := &x.parts[0]
	base.Analysed, base.stands = kept, make([]int32, len(kept.documents))
	var fresh []*Document
	next, docs := 0, kept.documents
	for _, i := range x.order {
		d := &x.documents[i]
		for next < len(docs) && docs[next].id < d.ID {
			base.stands[next] = -1
			next++
			x.gone++
		}
		if next < len(docs) && d.Revision != "" && docs[next].id == d.ID && docs[next].revision == d.Revision {
			base.stands[next], x.length[i] = i, docs[next].length
			next++
			continue
		}
		fresh = append(fresh, d)
		x.parts[1].stands = append(x.parts[1].stands, i)
	}
	for ; next < len(docs); next++ {
		base.stands[next] = -1
		x.gone++
	}
	x.parts[1].Analysed = analyse(fresh)
	for n, i := range x.parts[1].stands {
		x.length[i] = x.parts[1].documents[n].length
	}
}

// Stale tells that enough was analysed anew, or kept for nothing, for Analysed to be worth
// its time: a few documents are analysed again in less.
func (x *Index) Stale() bool {
	fresh := 0
	for _, i := range x.parts[1].stands {
		if x.documents[i].Revision != "" {
			fresh++
		}
	}
	return fresh+x.gone > 24+len(x.documents)/64
}

// Analysed returns the analysed documents in the form that New takes as kept.
func (x *Index) Analysed() *Analysed {
	w := &writer{numbers: map[string]int32{}}
	var copiers [len(x.parts)]copier
	type at struct{ part, doc int32 }
	places := make([]at, len(x.documents))
	for p := range x.parts {
		copiers[p].from = x.parts[p].Analysed
		for doc, i := range x.parts[p].stands {
			if i >= 0 {
				places[i] = at{int32(p), int32(doc)}
			}
		}
	}
	for _, i := range x.order {
		if x.documents[i].Revision != "" {
			w.copy(&copiers[places[i].part], int(places[i].doc), &x.documents[i])
		}
	}
	return w.analysed()
}

// links finds for each document those that it is related to, in either direction, and
// those of the same origin. Both are made at the first question.
func (x *Index) links() {
	if x.related != nil {
		return
	}
	x.related, x.beside = make([][]int32, len(x.documents)), make([]beside, len(x.documents))
	for _, i := range x.order {
		d := &x.documents[i]
		x.beside[i] = beside{-1, -1}
		if d.Hidden {
			continue
		}
		for _, id := range d.Related {
			if j, ok := x.find(id); ok && j != i && !x.documents[j].Hidden {
				x.related[i], x.related[j] = append(x.related[i], j), append(x.related[j], i)
			}
		}
	}
	made := func(a, b int32) int { return cmp.Compare(x.documents[a].Order, x.documents[b].Order) }
	for _, list := range x.byOrigin() {
		if !slices.IsSortedFunc(list, made) {
			slices.SortStableFunc(list, made)
		}
		for at, i := range list {
			if at > 0 {
				x.beside[i].before, x.beside[list[at-1]].after = list[at-1], i
			}
		}
		if len(list) > 1 {
			x.origins = append(x.origins, list)
		}
	}
}

// byOrigin is the documents of each origin, by ID. All of them stand in one slice: there may
// be thousands of origins.
func (x *Index) byOrigin() [][]int32 {
	numbers, counts := map[string]int32{}, []int32(nil)
	of := make([]int32, len(x.documents)) // the number of its origin, from 1
	var last string
	var number int32
	for _, i := range x.order {
		d := &x.documents[i]
		if d.Hidden || d.Origin == "" {
			continue
		}
		if d.Origin != last { // what was made one after the other often is of one origin
			if last, number = d.Origin, numbers[d.Origin]; number == 0 {
				counts = append(counts, 0)
				number = int32(len(counts))
				numbers[last] = number
			}
		}
		of[i] = number
		counts[number-1]++
	}
	lists, room := make([][]int32, len(counts)), make([]int32, len(x.documents))
	for n, count := range counts {
		lists[n], room = room[:0:count], room[count:]
	}
	for _, i := range x.order {
		if n := of[i]; n > 0 {
			lists[n-1] = append(lists[n-1], i)
		}
	}
	return lists
}

// find returns the document of an ID.
func (x *Index) find(id string) (int32, bool) {
	low, high := 0, len(x.order)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if x.documents[x.order[middle]].ID < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(x.order) || x.documents[x.order[low]].ID != id {
		return 0, false
	}
	return x.order[low], true
}
