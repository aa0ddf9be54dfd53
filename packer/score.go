package packer

import "math/bits"

// Okapi BM25 as Robertson and Zaragoza give it ("The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009), with the usual k1 = 1.2 and b = 0.75 and
// the idf that is never negative:
//
//	sum over terms of  w * idf * tf*(k1+1) / (tf + k1*(1 - b + b*length/average))
//	idf = log2(1 + (N - n + 0.5) / (n + 0.5))
//
// in fixed point: floating point may fuse a multiplication and an addition on one
// machine and not on another, and packs have to be the same on both. The
// logarithm's base scales all scores alike.
const (
	scoreUnit = 1024 // one bit of idf
	k1Tenths  = 12
	bPercent  = 75
)

// query is a bag of weighted terms.
type query struct {
	terms   map[string]int32 // index into weights
	weights []int64
	shapes  [1 << 10]bool // of the terms: most words of a text are told apart without a look into terms
}

// shape is a small hash of a term.
func shape(term []byte) int {
	return (int(term[0]) + int(term[len(term)-1])<<3 + len(term)<<6) % (1 << 10)
}

func newQuery() *query { return &query{terms: map[string]int32{}} }

// add puts the terms of text into the query. A term keeps the greatest weight
// that it was added with; how often it occurs does not count.
func (q *query) add(text string, weight int64) {
	s := scanner{text: text}
	for s.next() {
		if len(s.term) < 2 || stopWord(string(s.term)) {
			continue
		}
		i, known := q.terms[string(s.term)]
		if !known {
			i = int32(len(q.weights))
			q.shapes[shape(s.term)] = true
			q.terms[string(s.term)] = i
			q.weights = append(q.weights, 0)
		}
		q.weights[i] = max(q.weights[i], weight)
	}
}

// hit is how often a document holds a term of the query.
type hit struct{ term, count int32 }

// corpus is the documents, seen through one query.
type corpus struct {
	query   *query
	hits    []hit   // of all documents, one after the other
	ends    []int   // of each document's hits
	lengths []int64 // of each document, in terms
	total   int64   // of lengths
	holders []int64 // documents that hold each term
	seen    []int32 // scratch: where a term's hit in the current document stands, from 1
	scanner scanner // scratch
}

func newCorpus(q *query, documents int) *corpus {
	return &corpus{
		query: q, ends: make([]int, 0, documents), lengths: make([]int64, 0, documents),
		holders: make([]int64, len(q.weights)), seen: make([]int32, len(q.weights)),
	}
}

// begin opens the next document, which is then written with add; it returns its number.
func (c *corpus) begin() int {
	for _, h := range c.hitsOf(len(c.ends) - 1) {
		c.seen[h.term] = 0
	}
	c.ends, c.lengths = append(c.ends, len(c.hits)), append(c.lengths, 0)
	return len(c.ends) - 1
}

// add puts text into the document that was opened last.
func (c *corpus) add(text string) {
	document := len(c.ends) - 1
	s := &c.scanner
	s.text, s.at = text, 0
	for s.next() {
		c.lengths[document]++
		if !c.query.shapes[shape(s.term)] {
			continue
		}
		if term, ok := c.query.terms[string(s.term)]; ok {
			c.count(term)
		}
	}
	c.ends[document] = len(c.hits)
}

func (c *corpus) count(term int32) {
	if at := c.seen[term]; at > 0 {
		c.hits[at-1].count++
		return
	}
	c.hits = append(c.hits, hit{term, 1})
	c.seen[term] = int32(len(c.hits))
	c.holders[term]++
}

// hitsOf returns a document's hits; none for -1.
func (c *corpus) hitsOf(document int) []hit {
	switch {
	case document < 0:
		return nil
	case document == 0:
		return c.hits[:c.ends[0]]
	}
	return c.hits[c.ends[document-1]:c.ends[document]]
}

// scores returns the score of each document, in units of 1/scoreUnit.
func (c *corpus) scores() []int64 {
	n := int64(len(c.lengths))
	for _, length := range c.lengths {
		c.total += length
	}
	idf := make([]int64, len(c.holders))
	for i, holders := range c.holders {
		idf[i] = c.query.weights[i] * log2((2*n+2)*scoreUnit/(2*holders+1)) // 1 + (n-h+.5)/(h+.5) = (2n+2)/(2h+1)
	}
	scores := make([]int64, n)
	for d := range scores {
		norm := c.norm(d)
		for _, h := range c.hitsOf(d) {
			tf := int64(h.count) * scoreUnit
			scores[d] += idf[h.term] * tf * (10 + k1Tenths) / 10 / (tf + k1Tenths*norm/10)
		}
	}
	return scores
}

// norm is 1 - b + b*length/average, times scoreUnit.
func (c *corpus) norm(document int) int64 {
	return scoreUnit*(100-bPercent)/100 + scoreUnit*bPercent*c.lengths[document]*int64(len(c.lengths))/max(c.total, 1)/100
}

// log2 returns the binary logarithm of x/scoreUnit, times scoreUnit, for x >=
// scoreUnit: the whole part by counting bits, the rest by squaring.
func log2(x int64) int64 {
	whole := bits.Len64(uint64(x)) - 1
	result := int64(whole-10) * scoreUnit // scoreUnit is 1<<10
	m := uint64(x) << 31 >> whole         // in [1, 2), times 1<<31
	for bit := int64(scoreUnit / 2); bit > 0; bit /= 2 {
		m = m * m >> 31
		if m >= 1<<32 {
			m >>= 1
			result += bit
		}
	}
	return result
}
