package search

import (
	"slices"
	"strings"
)

// A score compares with others of one question only, and it grows with the number of documents: it
// cannot say whether anything was found at all. Bears can. Each word of a question tells something:
//
//	1 - log(documents that hold it) / log(documents + 1)
//
// a rare one 1, one that all have nothing, a commonplace half of that. What a document and a part of
// the question have in common tells enough if it comes to two rare words, and to 1.1 times the root
// of what all words of the part tell: a share of it would ask too much of a long text and too little of
// a short one. What was written to be found by (title, cues, symbols) counts half as much again.
//
// Both floors were chosen by what was found for tasks, questions and words of projects that have
// something to do with the documents, and for some that have not (of another project, or "run the
// tests"): four in five of what passes is what was asked for, and of what has nothing to do with the
// documents one question in seventy finds anything, with 10 documents as with 180.
const (
	leastTold   = 2 * unit
	leastSquare = 121 // hundredths
)

// A cue that is met says more than its words: three quarters of three and more, or both of two, which together
// tell as much as one rare word.
const (
	wholeCue = 2
	mostCue  = 3
)

// told is a part of the question by what its words tell.
type told struct {
	terms map[string]int64
	total int64
}

// Bears reports whether what was found has to do with one of the question's parts, whatever else
// there is. times is how much more than the least is asked for, in percent: 100 for the least.
func (r *Result) Bears(h Hit, times int64) bool {
	if r.parts == nil {
		r.tell()
	}
	d := &r.index.documents[h.Document].Document
	found := r.written(d)
	for i := range r.parts {
		if p := &r.parts[i]; p.has(&h, found, times) || p.cued(d.Cues) {
			return true
		}
	}
	return false
}

// Cued reports whether one of the question's parts says a cue of what was found.
func (r *Result) Cued(h Hit) bool {
	if r.parts == nil {
		r.tell()
	}
	cues := r.index.documents[h.Document].Cues
	return slices.ContainsFunc(r.parts, func(p told) bool { return p.cued(cues) })
}

// tell finds out what the words of the question's parts tell.
func (r *Result) tell() {
	values := make(map[string]int64, len(r.terms))
	whole := log2(int64(r.visible+1) * unit)
	for i := range r.terms {
		if w := &r.terms[i]; !w.feedback {
			values[w.term] = tells(w, whole)
		}
	}
	r.parts = make([]told, 0, len(r.asked))
	a := analyser{}
	for _, part := range r.asked {
		p := told{terms: map[string]int64{}}
		a.analyse(part.Text, func(term []byte, _ bool) {
			if _, known := p.terms[string(term)]; !known {
				p.terms[string(term)] = values[string(term)]
				p.total += values[string(term)]
			}
		})
		r.parts = append(r.parts, p)
	}
}

// tells is what a word tells, in units.
func tells(w *wanted, whole int64) int64 {
	const short = 2 // a number of so few digits may mean anything
	if len(w.term) <= short && !slices.ContainsFunc([]byte(w.term), func(c byte) bool { return !isDigit(c) }) {
		return 0
	}
	told := unit - log2(int64(max(w.exact, 1))*unit)*unit/max(whole, 1)
	if isCommonplace(w.term) {
		told /= 2
	}
	return max(told, 0)
}

// written are the words of what a document was written to be found by.
func (r *Result) written(d *Document) map[string]bool {
	words, a := map[string]bool{}, analyser{}
	for _, texts := range [...][]string{{d.Title}, d.Cues, d.Symbols} {
		for _, text := range texts {
			a.analyse(text, func(term []byte, _ bool) { words[string(term)] = true })
		}
	}
	return words
}

// has reports whether the words that a document shares with the part tell enough.
func (p *told) has(h *Hit, written map[string]bool, times int64) bool {
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
	return words > 1 && shared >= leastTold && shared*shared*100 >= leastSquare*p.total*unit
}

// cued reports whether the part says one of the cues. Of a single identifier or path the words alone may mean
// anything: it has to be there as a whole.
func (p *told) cued(cues []string) bool {
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
