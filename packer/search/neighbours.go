package search

// Shares of other documents' scores that a document receives, in percent.
const (
	relatedPercent = 20 // percentage of the best related document's score
	originPercent  = 30 // percentage of the score of the best document of the same origin
)

// maxOrigin is the size of an origin above which its documents do not share scores.
const maxOrigin = 100

// loan is the score that a document received from a related document and from
// one of its origin, with the numbers of these documents.
type loan struct {
	related, origin     int64
	relatedID, originID int32
}

// lend computes the shares of all documents. If alone is set, origins share nothing.
func (r *Result) lend(alone bool) {
	r.loans = make([]loan, len(r.text))
	worth := make([]int64, len(r.text))
	for i := range worth {
		worth[i] = r.trustedScore(int32(i), r.text[i])
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

// trustedScore returns the part of a score that counts for others: half for a suspect document.
// Otherwise a neighbour would rank above it.
func (r *Result) trustedScore(i int32, score int64) int64 {
	if r.index.documents[i].Suspect {
		return score / 2
	}
	return score
}

// lendRelated gives a document its share of a related one, if that is the best so far.
func (r *Result) lendRelated(from, to int32, worth []int64) {
	if l := &r.loans[to]; !r.hidden[to] && (l.related == 0 || r.compare(worth, from, l.relatedID) < 0) {
		l.related, l.relatedID = worth[from]*relatedPercent/100, from
	}
}

// lendOrigin gives the documents of one origin their share of its best
// document, and that one its share of the second best. Documents without a
// score get nothing.
func (r *Result) lendOrigin(list []int32, worth []int64) {
	best, ok := r.bestOf(list, -1, worth)
	if !ok {
		return
	}
	second, several := r.bestOf(list, best, worth)
	for _, i := range list {
		l := &r.loans[i]
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

// bestOf returns the best document of a list, without the document besides. ok
// is false if no other one has a score.
func (r *Result) bestOf(list []int32, besides int32, worth []int64) (best int32, ok bool) {
	for _, j := range list {
		if j != besides && worth[j] > 0 && (!ok || r.compare(worth, j, best) < 0) {
			best, ok = j, true
		}
	}
	return best, ok
}
