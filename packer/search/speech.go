package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Who speaks a document is kept among its names; how much of it asks is counted in eighths.
const (
	bySpeaker = nameMark + "l:" // and a term
	eighths   = 8
)

// speakerPercent is what the score of a document is multiplied by that begins with a name
// or a label which the question tells: "Nora: ...". She is asked for, not who addresses her.
const speakerPercent = 150

// askingHundredths is what the score of a document is multiplied by of whose text so many
// eighths ask: who asks does not know.
func askingHundredths(asks uint8) int64 { return 100 - 50*int64(asks)/eighths }

// speaker is a term that documents begin with as a label, and which ones do.
type speaker struct {
	term   string
	speaks []bool
}

// heed notes what the question tells of who speaks and what it asks for.
func (r *Result) heed(q Query) {
	for i := range r.terms {
		w := &r.terms[i]
		if w.feedback {
			continue
		}
		if holds := r.holding(bySpeaker + w.term); holds != nil {
			r.spoken = append(r.spoken, speaker{w.term, holds})
		}
	}
	if asksWhen(q) {
		r.timed = r.telling()
	}
}

// speaker returns the term of the question that names who speaks a document; "" for none.
func (r *Result) speaker(i int32) string {
	for _, s := range r.spoken {
		if s.speaks[i] {
			return s.term
		}
	}
	return ""
}

// speaks reports whether a term names somebody who speaks a document.
func (r *Result) speaks(term string) bool {
	return slices.ContainsFunc(r.spoken, func(s speaker) bool { return s.term == term })
}

// asks is how many eighths of a document ask.
func (r *Result) asks(i int32) uint8 {
	if r.lent == nil || r.hidden[i] {
		return 0
	}
	return r.index.documents[i].asks
}

// holding tells which documents have a name; nil if none has.
func (r *Result) holding(name string) (holds []bool) {
	r.mark(name, func(i int32) {
		if holds == nil {
			holds = make([]bool, len(r.hidden))
		}
		holds[i] = true
	})
	return holds
}

// mark visits the documents of a term or a name that are not hidden.
func (r *Result) mark(name string, visit func(int32)) {
	for _, c := range r.index.words.list(name) {
		if !r.hidden[c.of] {
			visit(c.of)
		}
	}
}

// speech takes in who speaks a text, and returns how many eighths of it ask.
func (v *lexicon) speech(text string) (asks uint8) {
	label, rest := splitLabel(text)
	v.analyser.analyse(label, func(term []byte, _ bool) {
		v.count(append([]byte(bySpeaker), term...), 0)
	})
	return uint8(askingPart(rest))
}

// splitLabel cuts off what a text begins with up to a colon, where that is one or two
// words that begin with capitals: "Nora: ", "Decision: ", "Nora Smith: ".
func splitLabel(text string) (label, rest string) {
	const longest = 50
	at := strings.Index(text[:min(longest, len(text))], ": ")
	if at <= 0 || strings.Count(text[:at], " ") > 1 {
		return "", text
	}
	for _, word := range strings.Split(text[:at], " ") {
		first, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(first) || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '.' && !isApostrophe(r) }) {
			return "", text
		}
	}
	return text[:at], text[at+2:]
}

// askingPart is how many eighths of a text's words stand in sentences that end with a
// question mark, rounded; at least one if any does. What stands in square brackets at the
// end is a caption and does not count.
func askingPart(text string) int {
	if at := strings.LastIndexByte(text, '['); at > 0 && strings.HasSuffix(text, "]") {
		text = text[:at]
	}
	if !strings.ContainsAny(text, "?？") {
		return 0
	}
	words, asking, all, within := 0, 0, 0, false
	for _, r := range text {
		switch r {
		case '?', '？':
			asking, all, words, within = asking+words, all+words, 0, false
		case '.', '!', '。', '！', '\n':
			all, words, within = all+words, 0, false
		case ' ', '\t':
			within = false
		default:
			if !within {
				words++
			}
			within = !IsCJK(r)
		}
	}
	if asking == 0 {
		return 0
	}
	return max(1, (asking*eighths+(all+words)/2)/(all+words))
}
