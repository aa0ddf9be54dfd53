package search

import "math/bits"

// BM25 as given by Robertson and Zaragoza ("The Probabilistic Relevance Framework: BM25 and
// Beyond", 2009), on weighted counts and lengths of all fields, with the idf that is never
// negative:
//
//	sum over terms of  w * idf * tf*(k1+1) / (tf + k1*(1 - b + b*length/average))
//	idf = log2(1 + (N - n + 0.5) / (n + 0.5))
//
// The arithmetic is fixed point, because some machines fuse a floating-point multiplication and
// addition and others do not, and packs must be equal on all. The base of the logarithm scales all
// scores equally.
const (
	unit      = 1 << 10 // of idf and of a term's contribution
	weightOne = 1 << 16 // sum of the weights of a question's terms
	leastIdf  = unit / 64
	k1Tenths  = 9
	bPercent  = 40
)

// queryTerm is a term of a question.
type queryTerm struct {
	term     string
	weight   int64 // in units of 1/weightOne
	feedback bool
	idf      int64
	exact    int      // number of documents that contain the term itself
	near     []string // near terms
	holders  []holder // sorted by document
}

// holder is a document that contains a term, with the term's contribution in
// units. near is 0 for the term itself, n for the n-th of queryTerm.near.
type holder struct {
	document, near int32
	brings         int64
}

// fill finds the documents that contain a term or a near term. A near term contributes as if it
// were at most as rare as the term itself.
func (r *Result) fill(w *queryTerm) {
	w.holders = r.holders(w.term)
	w.idf, w.exact = r.weigh(w.holders), len(w.holders)
	for n, term := range w.near {
		others := r.holders(term)
		idf := r.weigh(others)
		if len(others) == 0 {
			continue
		}
		for i := range others {
			others[i].near = int32(n + 1)
			others[i].brings = max(others[i].brings*min(w.idf, idf)/idf*nearPercent/100, 1)
		}
		w.holders = mergeHolders(w.holders, others)
	}
}

// holders returns the documents that contain a term, with its counts.
func (r *Result) holders(term string) []holder {
	all := r.index.words.list(term)
	list := make([]holder, 0, len(all))
	for _, c := range all {
		if c.n > 0 && !r.hidden[c.of] {
			list = append(list, holder{document: c.of, brings: int64(c.n)})
		}
	}
	return list
}

// weigh replaces the counts of a term by its contributions, and returns its idf. The idf is at
// least leastIdf, so that a word of all documents still finds them.
func (r *Result) weigh(list []holder) int64 {
	n, h := int64(r.visible), int64(len(list))
	idf := max(log2((2*n+2)*unit/(2*h+1)), leastIdf) // 1 + (n-h+.5)/(h+.5) = (2n+2)/(2h+1)
	for i := range list {
		holder := &list[i]
		tf := holder.brings * unit // in halves, like the right side
		holder.brings = max(idf*(tf*(10+k1Tenths)/10)/(tf+2*k1Tenths*r.norm(holder.document)/10), 1)
	}
	return idf
}

// mergeHolders merges two lists by document and keeps the larger contribution.
func mergeHolders(a, b []holder) []holder {
	if len(a) == 0 {
		return b
	}
	merged := make([]holder, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].document < b[0].document:
			merged, a = append(merged, a[0]), a[1:]
		case a[0].document > b[0].document:
			merged, b = append(merged, b[0]), b[1:]
		case a[0].brings >= b[0].brings:
			merged, a, b = append(merged, a[0]), a[1:], b[1:]
		default:
			merged, a, b = append(merged, b[0]), a[1:], b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// norm returns 1 - b + b*length/average, in units.
func (r *Result) norm(document int32) int64 {
	return unit*(100-bPercent)/100 + unit*bPercent*r.index.documents[document].length/100*int64(r.visible)/max(r.total, 1)
}

// sum returns the sums of the terms' contributions, in units of 1/weightOne of a bit.
func (r *Result) sum(terms []queryTerm) []int64 {
	scores := make([]int64, len(r.hidden))
	for i := range terms {
		for _, h := range terms[i].holders {
			scores[h.document] += contribution(&terms[i], h)
		}
	}
	return scores
}

// contribution returns the contribution of a term to a document's score.
func contribution(w *queryTerm, h holder) int64 { return w.weight * h.brings / unit }

// log2 returns the binary logarithm of x/unit, in units, for x >= unit: the integer part by
// counting bits, the fraction by squaring.
func log2(x int64) int64 {
	whole := bits.Len64(uint64(x)) - 1
	result := int64(whole-10) * unit // unit is 1<<10
	m := uint64(x) << 31 >> whole    // in [1, 2), times 1<<31
	for bit := int64(unit / 2); bit > 0; bit /= 2 {
		m = m * m >> 31
		if m >= 1<<32 {
			m >>= 1
			result += bit
		}
	}
	return result
}
