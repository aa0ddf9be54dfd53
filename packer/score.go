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
}

func newQuery() *query { return &query{terms: map[string]int32{}} }

// add puts the terms of text into the query. A term keeps the greatest weight
// that it was added with; how often it occurs does not count.
func (q *query) add(text string, weight int64) {
	s := scanner{text: text}
	for s.next() {
		if len(s.term) < 2 || stopWords[string(s.term)] {
			continue
		}
		i, known := q.terms[string(s.term)]
		if !known {
			i = int32(len(q.weights))
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
	hits    [][]hit
	lengths []int64
	total   int64   // of lengths
	holders []int64 // documents that hold each term
	seen    []int32 // scratch: position of a term's hit in the current document, from 1
}

func newCorpus(q *query, documents int) *corpus {
	return &corpus{
		query: q, hits: make([][]hit, 0, documents), lengths: make([]int64, 0, documents),
		holders: make([]int64, len(q.weights)), seen: make([]int32, len(q.weights)),
	}
}

// add takes in the next document, made of those texts.
func (c *corpus) add(texts ...string) {
	var hits []hit
	var length int64
	var s scanner
	for _, text := range texts {
		s.text, s.at = text, 0
		for s.next() {
			length++
			if i, ok := c.query.terms[string(s.term)]; ok {
				hits = c.count(hits, i)
			}
		}
	}
	for _, h := range hits {
		c.holders[h.term]++
		c.seen[h.term] = 0
	}
	c.hits, c.lengths, c.total = append(c.hits, hits), append(c.lengths, length), c.total+length
}

func (c *corpus) count(hits []hit, term int32) []hit {
	if at := c.seen[term]; at > 0 {
		hits[at-1].count++
		return hits
	}
	c.seen[term] = int32(len(hits) + 1)
	return append(hits, hit{term, 1})
}

// scores returns the score of each document, in units of 1/scoreUnit.
func (c *corpus) scores() []int64 {
	n := int64(len(c.lengths))
	idf := make([]int64, len(c.holders))
	for i, holders := range c.holders {
		idf[i] = c.query.weights[i] * log2((2*n+2)*scoreUnit/(2*holders+1)) // 1 + (n-h+.5)/(h+.5) = (2n+2)/(2h+1)
	}
	scores := make([]int64, n)
	for d, hits := range c.hits {
		norm := c.norm(d)
		for _, h := range hits {
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
