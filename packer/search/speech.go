package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The speaker of a document is stored among its names; the part of questions in it is in eighths.
const (
	bySpeaker = nameMark + "l:" // followed by a term
	eighths   = 8
)

// speakerPercent multiplies the score of a document whose label is in the question: for "Nora: ..."
// the question is about the speaker, not about the person addressed.
const speakerPercent = 150

// askingHundredths returns the factor, in hundredths, for a document with the given eighths of
// questions, because a question contains no answer.
func askingHundredths(asks uint8) int64 { return 100 - 50*int64(asks)/eighths }

// speaker is a term that is the label of documents.
type speaker struct {
	term   string
	speaks []bool
}

// heed records the speakers in the question, and whether it asks for a time.
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

// speaker returns the question's term that is the document's label; empty if none.
func (r *Result) speaker(i int32) string {
	for _, s := range r.spoken {
		if s.speaks[i] {
			return s.term
		}
	}
	return ""
}

// speaks reports whether a term is the label of a document.
func (r *Result) speaks(term string) bool {
	return slices.ContainsFunc(r.spoken, func(s speaker) bool { return s.term == term })
}

// asks returns the number of eighths of a document that are questions.
func (r *Result) asks(i int32) uint8 {
	if r.lent == nil || r.hidden[i] {
		return 0
	}
	return r.index.documents[i].asks
}

// holding returns the documents with a name; nil if none.
func (r *Result) holding(name string) (holds []bool) {
	r.mark(name, func(i int32) {
		if holds == nil {
			holds = make([]bool, len(r.hidden))
		}
		holds[i] = true
	})
	return holds
}

// mark visits the visible documents with a term or a name.
func (r *Result) mark(name string, visit func(int32)) {
	for _, c := range r.index.words.list(name) {
		if !r.hidden[c.of] {
			visit(c.of)
		}
	}
}

// speech records the speaker of a text, and returns the number of eighths that are questions.
func (v *lexicon) speech(text string) (asks uint8) {
	label, rest := splitLabel(text)
	v.analyser.analyse(label, func(term []byte, _ bool) {
		v.count(append([]byte(bySpeaker), term...), 0)
	})
	return uint8(askingPart(rest))
}

// splitLabel splits off a label: one or two capitalized words before a colon, as in "Nora: ",
// "Decision: ", "Nora Smith: ".
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

// askingPart returns the number of eighths of a text's words in sentences that end with a question
// mark, rounded, and at least one if there is such a sentence. A caption in square brackets at the
// end does not count.
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
