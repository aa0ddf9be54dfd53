package search

import (
	"cmp"
	"slices"
	"strings"
)

// A Result is the ranking of an index for a question.
type Result struct {
	index           *Index
	hidden          []bool // by document, like the other slices
	visible         int    // number of documents that are not hidden
	total           int64  // sum of their lengths
	terms           []queryTerm
	queryParts      []Part
	parts           []partValues // see Bears; nil until computed
	text            []int64      // scores by words only
	loans           []loan       // empty if Plain
	namesOfDocument map[int32][]string
	scores          []int64
	ordered         []int32
}

// namedPercent multiplies the score of a document that the question names.
const namedPercent = 160

// Search ranks the documents for a question. The index must not change while the result is in use.
func (x *Index) Search(q Query) *Result {
	r := x.open(q)
	r.queryParts, r.terms = q.Parts, r.question(q)
	r.text = r.sum(r.terms)
	if !q.Plain && r.visible > 0 {
		r.terms = r.feedback(r.terms, r.text)
		r.text = r.sum(r.terms)
		r.lend(q.Alone)
		r.namesOfDocument = r.names(q)
	}
	r.scores = make([]int64, len(r.text))
	for i := range r.scores {
		r.scores[i] = r.score(int32(i))
	}
	return r
}

// open returns a result without ranks, in which the documents that the query hides are marked.
func (x *Index) open(q Query) *Result {
	r := &Result{index: x, hidden: make([]bool, len(x.documents))}
	for i := range x.documents {
		d := &x.documents[i]
		r.hidden[i] = d.ID == "" || q.Hides == nil && d.Hidden || q.Hides != nil && q.Hides(i)
		if !r.hidden[i] {
			r.visible++
			r.total += d.length
		}
	}
	return r
}

// question returns the sorted terms of a query; their weights add up to weightOne.
func (r *Result) question(q Query) []queryTerm {
	weights := map[string]int64{}
	a := analyser{}
	add := func(text string, weight int64) {
		a.analyse(text, func(term []byte, _ bool) {
			if weights[string(term)] < weight {
				weights[string(term)] = weight
			}
		})
	}
	for _, part := range q.Parts {
		add(part.Text, int64(max(part.Weight, 1)))
	}
	for _, path := range q.Paths {
		add(path, 1)
	}
	var total int64
	terms := make([]queryTerm, 0, len(weights))
	for term, weight := range weights {
		terms = append(terms, queryTerm{term: term, weight: weight})
		total += weight
	}
	slices.SortFunc(terms, func(a, b queryTerm) int { return strings.Compare(a.term, b.term) })
	if !q.Plain && r.visible > 0 {
		addNearTerms(terms)
	}
	for i := range terms {
		terms[i].weight = terms[i].weight * weightOne / total
		r.fill(&terms[i])
	}
	return terms
}

// names returns, for each document, its names in the question.
func (r *Result) names(q Query) map[int32][]string {
	c := calls{result: r, seen: map[string]bool{}, named: map[int32][]string{}}
	var paths []string
	for _, part := range q.Parts {
		names, found := namesInQuestion(part.Text)
		for _, name := range names {
			c.name(name)
		}
		paths = append(paths, found...)
	}
	paths = slices.Concat(q.Paths[:min(maxAsked, len(q.Paths))], paths)
	for _, p := range paths[:min(2*maxAsked, len(paths))] {
		c.path(strings.TrimPrefix(p, "./"))
	}
	for _, names := range c.named {
		slices.Sort(names)
	}
	return c.named
}

// mark visits the visible documents with a term or a name.
func (r *Result) mark(name string, visit func(int32)) {
	for _, c := range r.index.words.list(name) {
		if !r.hidden[c.of] {
			visit(c.of)
		}
	}
}

// calls collects the documents that a question names.
type calls struct {
	result *Result
	seen   map[string]bool
	named  map[int32][]string
}

// name records that the question names the documents with a name.
func (c *calls) name(name string) {
	if c.seen[name] {
		return
	}
	c.seen[name] = true
	c.result.mark(name, func(i int32) {
		if text := nameText(name); !slices.Contains(c.named[i], text) {
			c.named[i] = append(c.named[i], text)
		}
	})
}

// path records the documents with a path, with a path below it, or with a pattern that matches it.
func (c *calls) path(p string) {
	c.name(byPath + strings.ToLower(p))
	words := &c.result.index.words
	if folder, ok := strings.CutSuffix(p, "/**"); ok && folder != "" {
		for _, name := range words.startingWith(byPath + strings.ToLower(folder) + "/") {
			c.name(name)
		}
	}
	for _, name := range words.startingWith(byGlob) {
		if matchesGlob(name[len(byGlob):], p) {
			c.name(name)
		}
	}
}

// score returns the final score of a document; 0 if it is hidden.
func (r *Result) score(i int32) int64 {
	score := r.text[i]
	if r.loans != nil {
		score += r.loans[i].related + r.loans[i].origin
	}
	if score == 0 || r.hidden[i] {
		return 0
	}
	d := &r.index.documents[i]
	if len(r.namesOfDocument[i]) > 0 {
		score = score * namedPercent / 100
	}
	score = score * int64(8500+15*min(max(d.Confidence, 0), 100)) / 10000
	if d.Suspect {
		score /= 2
	}
	return score
}

// Scores returns the scores of all documents by number; 0 for those that were not found.
func (r *Result) Scores() []int64 { return r.scores }

// Best returns the highest score; 0 if nothing was found.
func (r *Result) Best() int64 {
	var best int64
	for _, s := range r.scores {
		best = max(best, s)
	}
	return best
}

// Asked reports whether the question contains a searchable word.
func (r *Result) Asked() bool { return len(r.terms) > 0 }

// maxPicked is the number of hits up to which sorting all documents is avoided.
const maxPicked = 64

// Hits returns the n best documents, best first, equal scores by ID; all of them if n is negative.
// It explains each hit, so n should not exceed the number that is shown.
func (r *Result) Hits(n int) []Hit { return r.Pick(n, func(int) bool { return true }) }

// Pick is like Hits for the documents for which fits returns true.
func (r *Result) Pick(n int, fits func(document int) bool) []Hit {
	if r.ordered == nil && n >= 0 && n <= maxPicked {
		best := r.best(r.scores, maxPicked)
		if hits := r.pick(best, n, fits); len(hits) == n || len(best) < maxPicked {
			return hits
		}
	}
	if r.ordered == nil {
		r.ordered = make([]int32, 0, len(r.scores))
		for i, score := range r.scores {
			if score > 0 {
				r.ordered = append(r.ordered, int32(i))
			}
		}
		slices.SortFunc(r.ordered, func(a, b int32) int { return r.compare(r.scores, a, b) })
	}
	return r.pick(r.ordered, n, fits)
}

// pick explains the first n documents of a list for which fits returns true.
func (r *Result) pick(list []int32, n int, fits func(int) bool) []Hit {
	hits := []Hit{}
	for _, i := range list {
		if n >= 0 && len(hits) >= n {
			break
		}
		if fits(int(i)) {
			hits = append(hits, r.Explain(int(i)))
		}
	}
	return hits
}

// compare orders documents by score, best first, then by ID.
func (r *Result) compare(scores []int64, a, b int32) int {
	if scores[a] != scores[b] {
		return cmp.Compare(scores[b], scores[a])
	}
	return strings.Compare(r.index.documents[a].ID, r.index.documents[b].ID)
}

// Explain returns the parts of a document's score. The Score of a document that was not found is 0.
func (r *Result) Explain(document int) Hit {
	i := int32(document)
	d := &r.index.documents[i]
	h := Hit{
		Document: document, ID: d.ID, Score: r.scores[i], Named: r.namesOfDocument[i],
		Confidence: d.Confidence, Suspect: d.Suspect,
	}
	for t := range r.terms {
		w := &r.terms[t]
		if at, ok := slices.BinarySearchFunc(w.holders, i, func(h holder, i int32) int { return int(h.document - i) }); ok {
			term := TermWeight{Term: w.term, Weight: contribution(w, w.holders[at]), Feedback: w.feedback}
			if n := w.holders[at].near; n > 0 {
				term.Near = w.near[n-1]
			}
			h.Terms = append(h.Terms, term)
		}
	}
	slices.SortFunc(h.Terms, func(a, b TermWeight) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Term, b.Term))
	})
	if r.loans == nil {
		return h
	}
	l := &r.loans[i]
	if l.related > 0 {
		h.Related, h.RelatedID = l.related, r.index.documents[l.relatedID].ID
	}
	if l.origin > 0 {
		h.Origin, h.OriginID = l.origin, r.index.documents[l.originID].ID
	}
	return h
}
