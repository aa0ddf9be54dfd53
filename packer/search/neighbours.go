package search

// Parts of what other documents have that a document gets, in percent.
const (
	relatedPercent = 20 // of the best that it is related to
	originPercent  = 30 // of the best of the same origin

	// An answer most often stands right behind what it answers, and shares few words with
	// the question: of a word that a document lacks it gets a part of what it brings to the
	// one made just before it, more if that one asks something, or to the one made just after
	// it. By the word, not by the score: else what merely stands next to the words would be
	// as good as what has them.
	beforePercent = 40
	askedPercent  = 70
	afterPercent  = 30
)

// loan is what a document got from others.
type loan struct {
	related, origin, beside       int64
	relatedID, originID, besideID int32
	before                        int64 // of beside, from the one before
}

// lend gives each document its part of what those around it have.
func (r *Result) lend() {
	x := r.index
	x.links()
	r.lent = make([]loan, len(r.text))
	r.lendWords()
	worth := make([]int64, len(r.text))
	for i := range worth {
		worth[i] = r.text[i] + r.lent[i].beside
	}
	for _, list := range x.origins {
		r.lendOrigin(list, worth)
	}
	for i := range r.lent {
		l := &r.lent[i]
		if j, ok := r.bestOf(x.related[i], -1, worth); ok {
			l.related, l.relatedID = worth[j]*relatedPercent/100, j
		}
	}
}

// lendWords lends word by word between documents that were made one after the other. The
// names of speakers are not lent: who speaks next is somebody else.
func (r *Result) lendWords() {
	brought := make([]int64, len(r.text))
	for t := range r.terms {
		w := &r.terms[t]
		if r.speaks(w.term) {
			continue
		}
		for _, h := range w.holders {
			brought[h.document] = bring(w, h)
		}
		for _, h := range w.holders {
			b := r.index.beside[h.document]
			if b.after >= 0 {
				r.lendWord(b.after, brought)
			}
			if b.before < 0 {
				continue
			}
			if other := r.index.beside[b.before].before; other < 0 || brought[other] == 0 { // else that one has had its turn
				r.lendWord(b.before, brought)
			}
		}
		for _, h := range w.holders {
			brought[h.document] = 0
		}
	}
	for i := range r.lent {
		l, b := &r.lent[i], r.index.beside[i]
		if l.besideID = b.before; l.beside-l.before > l.before {
			l.besideID = b.after
		}
	}
}

// lendWord gives a document what it lacks of a word, from the one of its neighbours that
// has more to give.
func (r *Result) lendWord(i int32, brought []int64) {
	b, own := r.index.beside[i], brought[i]
	var before, after int64
	if b.before >= 0 {
		part := int64(beforePercent)
		if r.asks(b.before) > 0 {
			part = askedPercent
		}
		before = brought[b.before] * part / 100
	}
	if b.after >= 0 {
		after = brought[b.after] * afterPercent / 100
	}
	switch {
	case before > own && before >= after:
		r.lent[i].beside += before - own
		r.lent[i].before += before - own
	case after > own:
		r.lent[i].beside += after - own
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
		if j != besides && worth[j] > 0 && (!ok || worth[j] > worth[best] || worth[j] == worth[best] && r.index.documents[j].ID < r.index.documents[best].ID) {
			best, ok = j, true
		}
	}
	return best, ok
}
