package search

// Shares of other documents' scores that a document receives, in percent.
const (
	relatedPercent = 20 // of the best related document
	originPercent  = 30 // of the best document of the same origin

	// An answer usually follows its question directly and shares few words with it. For a word that
	// it lacks, a document receives a part of the word's score in the previous document, a larger
	// part if that one asks a question, in the second previous document (often the same speaker),
	// or in the next one. The part is computed by word, not by score; otherwise a mere neighbour
	// would rank like the document with the words.
	beforePercent = 40
	askedPercent  = 70
	secondPercent = 30
	afterPercent  = 30
)

// maxOrigin is the size of an origin above which its documents do not share scores.
const maxOrigin = 100

// loan is the score that a document received from others.
type loan struct {
	related, origin     int64
	relatedID, originID int32
	beside              [lenders]int64
}

// Neighbours that share words with a document.
const (
	before = iota // the previous document
	second        // the second previous document
	after         // the next document
	lenders
)

// words returns the sum of all neighbours' words.
func (l *loan) words() int64 { return l.beside[before] + l.beside[second] + l.beside[after] }

// beside returns the next document of the same origin in order of creation, the previous one if
// step is -1; -1 if none.
func (r *Result) beside(i int32, step int) int32 {
	e := &r.index.documents[i]
	if e.origin == nil {
		return -1
	}
	list := e.origin.documents
	if len(list) > maxOrigin {
		return -1
	}
	for at := e.position + step; at >= 0 && at < len(list); at += step {
		if !r.hidden[list[at]] {
			return list[at]
		}
	}
	return -1
}

// twice returns the document two steps away; -1 if none.
func (r *Result) twice(i int32, step int) int32 {
	if i = r.beside(i, step); i < 0 {
		return -1
	}
	return r.beside(i, step)
}

// neighbours returns the documents that may share words with a document; -1 if none.
func (r *Result) neighbours(i int32) [lenders]int32 {
	return [lenders]int32{before: r.beside(i, -1), second: r.twice(i, -1), after: r.beside(i, 1)}
}

// lender returns the neighbour that contributed most to a document; -1 if none.
func (r *Result) lender(i int32) int32 {
	l, most := &r.lent[i], 0
	if l.words() == 0 {
		return -1
	}
	for n := range lenders {
		if l.beside[n] > l.beside[most] {
			most = n
		}
	}
	return r.neighbours(i)[most]
}

// lend computes the shares of all documents. If alone is set, origins share nothing.
func (r *Result) lend(alone bool) {
	r.lent = make([]loan, len(r.text))
	if !alone {
		r.lendWords()
	}
	worth := make([]int64, len(r.text))
	for i := range worth {
		worth[i] = r.trusted(int32(i), r.text[i]+r.lent[i].words())
	}
	done := map[*origin]bool{}
	for i, w := range worth {
		if w <= 0 {
			continue
		}
		if o := r.index.documents[i].origin; o != nil && !alone && !done[o] && len(o.documents) <= maxOrigin {
			done[o] = true
			r.lendOrigin(o.documents, worth)
		}
		r.index.related(int32(i), func(other int32) { r.lendRelated(int32(i), other, worth) })
	}
}

// trusted returns the part of a score that counts for others: half for a suspect document.
// Otherwise a neighbour would rank above it.
func (r *Result) trusted(i int32, score int64) int64 {
	if r.index.documents[i].Suspect {
		return score / 2
	}
	return score
}

// lendRelated gives a document its share of a related one, if that is the best so far.
func (r *Result) lendRelated(from, to int32, worth []int64) {
	if l := &r.lent[to]; !r.hidden[to] && (l.related == 0 || r.compare(worth, from, l.relatedID) < 0) {
		l.related, l.relatedID = worth[from]*relatedPercent/100, from
	}
}

// lendWords shares the question's words, one by one, between consecutive documents. Names
// of speakers are not shared, because the next speaker is a different one.
func (r *Result) lendWords() {
	brought := make([]int64, len(r.text)) // by the current word
	served := make([]int32, len(r.text))  // the last word that a document received, from 1
	for t := range r.terms {
		w := &r.terms[t]
		if w.feedback || r.speaks(w.term) {
			continue
		}
		for _, h := range w.holders {
			brought[h.document] = bring(w, h)
		}
		for _, h := range w.holders {
			for _, i := range [...]int32{r.beside(h.document, 1), r.twice(h.document, 1), r.beside(h.document, -1)} {
				if i >= 0 && served[i] != int32(t+1) {
					served[i] = int32(t + 1)
					r.lendWord(i, brought)
				}
			}
		}
		for _, h := range w.holders {
			brought[h.document] = 0
		}
	}
}

// lendWord gives a document the largest part of a word that its neighbours offer, minus its own.
func (r *Result) lendWord(i int32, brought []int64) {
	parts := [lenders]int64{before: beforePercent, second: secondPercent, after: afterPercent}
	most, from := brought[i], -1
	for n, j := range r.neighbours(i) {
		if j < 0 {
			continue
		}
		if n == before && r.asks(j) > 0 {
			parts[n] = askedPercent
		}
		if part := r.trusted(j, brought[j]) * parts[n] / 100; part > most {
			most, from = part, n
		}
	}
	if from >= 0 {
		r.lent[i].beside[from] += most - brought[i]
	}
}

// lendOrigin gives the documents of one origin their share of its best document, and that one its
// share of the second best.
func (r *Result) lendOrigin(list []int32, worth []int64) {
	best, ok := r.bestOf(list, -1, worth)
	if !ok {
		return
	}
	second, several := r.bestOf(list, best, worth)
	for _, i := range list {
		l := &r.lent[i]
		if r.hidden[i] || worth[i] == 0 {
			continue
		}
		if i != best {
			l.origin, l.originID = worth[best]*originPercent/100, best
		} else if several {
			l.origin, l.originID = worth[second]*originPercent/100, second
		}
	}
}

// bestOf returns the best document of a list, except one.
func (r *Result) bestOf(list []int32, besides int32, worth []int64) (best int32, ok bool) {
	for _, j := range list {
		if j != besides && worth[j] > 0 && (!ok || r.compare(worth, j, best) < 0) {
			best, ok = j, true
		}
	}
	return best, ok
}
