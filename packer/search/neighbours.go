package search

// Parts of what other documents have that a document gets, in percent.
const (
	relatedPercent = 20 // of the best that it is related to
	originPercent  = 30 // of the best of the same origin

	// An answer most often stands right behind what it answers, and shares few words with
	// the question: of a word that a document lacks it gets a part of what it brings to the
	// one made just before it, more if that one asks something, to the one before that (what
	// the same speaker said last), or to the one made just after it. By the word, not by the
	// score: else what merely stands next to the words would be as good as what has them.
	beforePercent = 40
	askedPercent  = 70
	secondPercent = 30
	afterPercent  = 30
)

// maxOrigin is how many documents of one origin may lend to each other.
const maxOrigin = 100

// loan is what a document got from others.
type loan struct {
	related, origin     int64
	relatedID, originID int32
	beside              [lenders]int64
}

// Those that lend words to a document.
const (
	before = iota // the one made just before it
	second        // the one before that
	after         // the one made just after it
	lenders
)

// words is what all neighbours lent.
func (l *loan) words() int64 { return l.beside[before] + l.beside[second] + l.beside[after] }

// beside is the next document of the same origin, in the order in which they were made, or
// (step -1) the one before; -1 for none.
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

// twice is beside that goes on from there once more.
func (r *Result) twice(i int32, step int) int32 {
	if i = r.beside(i, step); i < 0 {
		return -1
	}
	return r.beside(i, step)
}

// neighbours returns those that may lend words to a document; -1 for none.
func (r *Result) neighbours(i int32) [lenders]int32 {
	return [lenders]int32{before: r.beside(i, -1), second: r.twice(i, -1), after: r.beside(i, 1)}
}

// lender is the neighbour that lent a document most; -1 for none.
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

// lend gives each document its part of what those around it have; alone without those of its origin.
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

// trusted is what a score counts for others: half, if the document that has it is suspect. Else what
// merely stands next to it would be found before it.
func (r *Result) trusted(i int32, score int64) int64 {
	if r.index.documents[i].Suspect {
		return score / 2
	}
	return score
}

// lendRelated gives a document its part of another one that it is related to, if that is the
// best of those.
func (r *Result) lendRelated(from, to int32, worth []int64) {
	if l := &r.lent[to]; !r.hidden[to] && (l.related == 0 || r.compare(worth, from, l.relatedID) < 0) {
		l.related, l.relatedID = worth[from]*relatedPercent/100, from
	}
}

// lendWords lends the question's own words, one by one, between documents that were made
// one after the other. The names of speakers are not lent: who speaks next is somebody else.
func (r *Result) lendWords() {
	brought := make([]int64, len(r.text)) // by the word in turn
	served := make([]int32, len(r.text))  // the last word that was lent to a document, from 1
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

// lendWord gives a document what it lacks of a word, from the one of its neighbours that
// has most to give.
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

// lendOrigin gives the documents of one origin their part of the best one of it, and that
// one of the second.
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

// bestOf returns the best document of a list, besides one.
func (r *Result) bestOf(list []int32, besides int32, worth []int64) (best int32, ok bool) {
	for _, j := range list {
		if j != besides && worth[j] > 0 && (!ok || r.compare(worth, j, best) < 0) {
			best, ok = j, true
		}
	}
	return best, ok
}
