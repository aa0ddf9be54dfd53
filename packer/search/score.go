package search

import "math/bits"

// BM25 as Robertson and Zaragoza give it ("The Probabilistic Relevance Framework: BM25
// and Beyond", 2009), over the weighted counts and lengths of all fields, with the idf
// that is never negative:
//
//	sum over terms of  w * idf * tf*(k1+1) / (tf + k1*(1 - b + b*length/average))
//	idf = log2(1 + (N - n + 0.5) / (n + 0.5))
//
// in fixed point: floating point may fuse a multiplication and an addition on one
// machine and not on another, and packs have to be the same on both. The logarithm's
// base scales all scores alike.
const (
	unit      = 1 << 10 // of idf and of what a term brings to a document
	weightOne = 1 << 16 // the weights of a question's terms add up to this
	leastIdf  = unit / 64
	k1Tenths  = 9
	bPercent  = 40
)

// wanted is a term of a question.
type wanted struct {
	term     string
	weight   int64 // in parts of weightOne
	feedback bool
	idf      int64
	exact    int      // documents that hold the term itself
	near     []string // terms that may stand for it
	holders  []holder // by document
}

// holder is a document that holds a term, and what the term brings to it, in units. near
// tells by which word: 0 for the term itself, n for the n-th of wanted.near.
type holder struct {
	document, near int32
	brings         int64
}

// fill finds the documents that hold a term, or one that may stand for it: that one brings
// its part of what it would bring if it were no rarer than the term itself.
func (r *Result) fill(w *wanted) {
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
		w.holders = greater(w.holders, others)
	}
}

// holders returns the documents that hold a term, with its counts.
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

// weigh turns the counts of a term into what it brings, and returns its idf: never nothing,
// for a word that all documents have finds them all the same.
func (r *Result) weigh(list []holder) int64 {
	n, h := int64(r.visible), int64(len(list))
	idf := max(log2((2*n+2)*unit/(2*h+1)), leastIdf) // 1 + (n-h+.5)/(h+.5) = (2n+2)/(2h+1)
	for i := range list {
		holder := &list[i]
		tf := holder.brings * unit // in halves, and so is the right side
		holder.brings = max(idf*(tf*(10+k1Tenths)/10)/(tf+2*k1Tenths*r.norm(holder.document)/10), 1)
	}
	return idf
}

// greater merges two lists by document; of one that is in both it takes what brings more.
func greater(a, b []holder) []holder {
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

// norm is 1 - b + b*length/average, in units.
func (r *Result) norm(document int32) int64 {
	return unit*(100-bPercent)/100 + unit*bPercent*r.index.documents[document].length/100*int64(r.visible)/max(r.total, 1)
}

// sum adds up what the terms bring to each document, in units of 1/weightOne of a bit.
func (r *Result) sum(terms []wanted) []int64 {
	scores := make([]int64, len(r.hidden))
	for i := range terms {
		for _, h := range terms[i].holders {
			scores[h.document] += bring(&terms[i], h)
		}
	}
	return scores
}

// bring is what a term adds to a document's score.
func bring(w *wanted, h holder) int64 { return w.weight * h.brings / unit }

// log2 returns the binary logarithm of x/unit, in units, for x >= unit: the whole part by
// counting bits, the rest by squaring.
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
