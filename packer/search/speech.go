package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a document says of how it is to be read is kept among its names: who speaks, and
// how much of it asks.
const (
	bySpeaker = nameMark + "l:" // and a term
	byAsking  = nameMark + "q:" // and a digit: eighths of its text
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
	x := r.index
	x.findAsking()
	for i := range r.terms {
		w := &r.terms[i]
		if w.feedback {
			continue
		}
		if holds := x.holding(bySpeaker + w.term); holds != nil {
			r.spoken = append(r.spoken, speaker{w.term, holds})
		}
	}
	if asksWhen(q) {
		r.timed = x.telling()
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
	if r.index.asking == nil || r.lent == nil {
		return 0
	}
	return r.index.asking[i]
}

// findAsking reads how much of each document asks, once.
func (x *Index) findAsking() {
	if x.asking != nil {
		return
	}
	x.asking = make([]uint8, len(x.documents))
	for n := range uint8(eighths) {
		x.mark(byAsking+string('1'+rune(n)), func(i int32) { x.asking[i] = n + 1 })
	}
}

// holding tells which documents have a name; nil if none has.
func (x *Index) holding(name string) (holds []bool) {
	x.mark(name, func(i int32) {
		if holds == nil {
			holds = make([]bool, len(x.documents))
		}
		holds[i] = true
	})
	return holds
}

// mark visits the documents of a term or a name that are not hidden.
func (x *Index) mark(name string, visit func(int32)) {
	for p := range x.parts {
		part := &x.parts[p]
		if t, ok := part.find(name); ok {
			for _, c := range part.lists[t] {
				if i := part.stands[c.of]; i >= 0 && !x.documents[i].Hidden {
					visit(i)
				}
			}
		}
	}
}

// speech adds what a text tells of who speaks and of how much it asks.
func (w *writer) speech(text string) {
	label, rest := splitLabel(text)
	w.analyser.analyse(label, func(term []byte, _ bool) {
		w.count(append([]byte(bySpeaker), term...), 0)
	})
	if n := askingPart(rest); n > 0 {
		w.count([]byte{byAsking[0], byAsking[1], byAsking[2], '0' + byte(n)}, 0)
	}
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
			within = !isCJK(r)
		}
	}
	if asking == 0 {
		return 0
	}
	return max(1, (asking*eighths+(all+words)/2)/(all+words))
}
