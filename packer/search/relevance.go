package search

import (
	"slices"
	"strings"
)

// A score can be compared only with other scores of the same question, and grows with the number of
// documents: it does not tell whether a result is relevant. Bears does. Each word of a question has
// a value:
//
//	1 - log(documents that contain it) / log(documents + 1)
//
// The value is 1 for a rare word, 0 for a word of all documents, and half for a
// commonplace word. A document is relevant to a part of the question if the
// values of the shared words add up to two rare words, and to 1.1 times the
// square root of the value of all words of the part, and if two of them are not
// commonplace. A fixed share would require too much of a long text and too
// little of a short one. Words in the title, cues and symbols count 1.5 times.
//
// Both thresholds were chosen on tasks, questions and words of projects that are related to the
// documents, and on some that are not (of another project, or "run the tests"): four in five
// results that pass are wanted, and one unrelated question in seventy passes, with 10 documents as
// with 180.
const (
	minShared = 2 * unit
	minSquare = 121 // hundredths
)

// A matched cue counts more than its words: three quarters of three or more words, or both of two
// words whose values add up to one rare word.
const (
	wholeCue = 2
	mostCue  = 3
)

// partValues is a part of the question with the values of its words.
type partValues struct {
	terms map[string]int64
	total int64
}

// Bears reports whether a hit is relevant to one of the question's parts. times
// scales the thresholds, in percent.
func (r *Result) Bears(h Hit, times int64) bool {
	if r.parts == nil {
		r.computeValues()
	}
	d := &r.index.documents[h.Document].Document
	found, a := map[string]bool{}, analyser{}
	for _, texts := range [...][]string{{d.Title}, d.Cues, d.Symbols} {
		for _, text := range texts {
			a.analyse(text, func(term []byte, _ bool) { found[string(term)] = true })
		}
	}
	for i := range r.parts {
		if p := &r.parts[i]; p.reaches(&h, found, times) || p.hasCue(d.Cues) {
			return true
		}
	}
	return false
}

// Cued reports whether one of the question's parts contains a cue of a hit.
func (r *Result) Cued(h Hit) bool {
	if r.parts == nil {
		r.computeValues()
	}
	cues := r.index.documents[h.Document].Cues
	return slices.ContainsFunc(r.parts, func(p partValues) bool { return p.hasCue(cues) })
}

// computeValues computes the values of the words of the question's parts.
func (r *Result) computeValues() {
	values := make(map[string]int64, len(r.terms))
	whole := log2(int64(r.visible+1) * unit)
	for i := range r.terms {
		if w := &r.terms[i]; !w.feedback {
			values[w.term] = wordValue(w, whole)
		}
	}
	r.parts = make([]partValues, 0, len(r.queryParts))
	a := analyser{}
	for _, part := range r.queryParts {
		p := partValues{terms: map[string]int64{}}
		a.analyse(part.Text, func(term []byte, _ bool) {
			if _, known := p.terms[string(term)]; !known {
				p.terms[string(term)] = values[string(term)]
				p.total += values[string(term)]
			}
		})
		r.parts = append(r.parts, p)
	}
}

// wordValue returns the weight of a shared word as evidence of relevance, at most unit: more for a
// rare word, half for a commonplace one, 0 for a short number. whole is the logarithm of the
// number of visible documents plus one.
func wordValue(w *queryTerm, whole int64) int64 {
	const short = 2 // a number of so few digits is ambiguous
	if len(w.term) <= short && !slices.ContainsFunc([]byte(w.term), func(c byte) bool { return !isDigit(c) }) {
		return 0
	}
	told := unit - log2(int64(max(w.exact, 1))*unit)*unit/max(whole, 1)
	if isCommonplace(w.term) {
		told /= 2
	}
	return max(told, 0)
}

// reaches reports whether the words that a document shares with the part reach the thresholds.
func (p *partValues) reaches(h *Hit, written map[string]bool, times int64) bool {
	var shared int64
	words := 0
	for _, t := range h.Terms {
		value, asked := p.terms[t.Term]
		if !asked || t.Feedback {
			continue
		}
		if written[t.Term] {
			value += value / 2
		}
		if shared += value; !isCommonplace(t.Term) {
			words++
		}
	}
	shared = shared * 100 / times
	return words > 1 && shared >= minShared && shared*shared*100 >= minSquare*p.total*unit
}

// hasCue reports whether the part contains one of the cues. A cue that is a
// single identifier or path must occur as a whole, because its words are
// ambiguous; a single plain word does not count.
func (p *partValues) hasCue(cues []string) bool {
	a := analyser{}
	for _, cue := range cues {
		said, words, telling, value, seen := 0, 0, false, int64(0), map[string]bool{}
		single, whole := !strings.ContainsAny(strings.TrimSpace(cue), " \t\n"), false
		a.analyse(cue, func(term []byte, word bool) {
			if !word {
				whole = whole || single && 2*p.terms[string(term)] >= unit
				return
			}
			if seen[string(term)] {
				return
			}
			seen[string(term)] = true
			words++
			if told, asked := p.terms[string(term)]; asked {
				said, value = said+1, value+told
				telling = telling || !isCommonplace(string(term))
			}
		})
		if whole || !single && telling && (said == wholeCue && said == words && value >= unit || said >= mostCue && 4*said >= 3*words) {
			return true
		}
	}
	return false
}
