package search

import (
	_ "embed" // of near.txt
	"slices"
	"strings"
)

// nearPercent is what a word brings that stands for a word of the question, of what that
// one would bring. maxNear is how many words a question may have for others to stand for
// them: a text of hundreds of words meets what it is about in its own.
const (
	nearPercent = 40
	maxNear     = 64
)

// nearWords are words of everyday English and of software that may stand for each other
// in a question, a group a line, in base form. Of a line with a colon the words are
// sorts of the one before it: pet stands for dog and dog for pet, but not dog for cat.
// They are common knowledge, as in any thesaurus, and of no set of questions; a word too
// much costs little, as it counts less than half and no more than the question's own.
//
//go:embed near.txt
var nearWords string

// near finds for each of the terms, which are sorted, those that may stand for it.
func (a *analyser) near(terms []wanted) {
	if len(terms) > maxNear {
		return
	}
	var pairs [1 << 16 / 64]uint64 // what terms begin with: few words of the table are worth a stem
	for i := range terms {
		if term := terms[i].term; len(term) > 1 {
			at := uint(term[0])<<8 | uint(term[1])
			pairs[at/64] |= 1 << (at % 64)
		}
	}
	for rest := nearWords; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r") // of a checkout that has such line ends
		for from := 0; from+1 < len(line); {
			end := from + 1
			for end < len(line) && line[end] != ' ' {
				end++
			}
			at := uint(line[from])<<8 | uint(line[from+1])
			if pairs[at/64]&(1<<(at%64)) != 0 && mayBe(line[from:end], terms) {
				a.nearIn(line, line[from:end], terms)
			}
			from = end + 1
		}
	}
}

// mayBe reports whether one of the terms begins as a word does: of more than three letters
// no ending changes the first three.
func mayBe(word string, terms []wanted) bool {
	begin := word[:min(2, len(word))]
	if len(word) > 3 && word[3] != ':' {
		begin = word[:3]
	}
	return slices.ContainsFunc(terms, func(w wanted) bool { return strings.HasPrefix(w.term, begin) })
}

// nearIn takes the other words of a line for the term that one of them is.
func (a *analyser) nearIn(line, word string, terms []wanted) {
	isHead := strings.HasSuffix(word, ":")
	term := a.only(strings.TrimSuffix(word, ":"))
	at := place(terms, term)
	if at < 0 {
		return
	}
	head := ""
	if colon := strings.IndexByte(line, ':'); colon >= 0 {
		head, line = line[:colon], line[colon+1:]
		if !isHead {
			line = head
		}
	}
	for _, other := range strings.Fields(line) {
		if near := a.only(other); place(terms, near) < 0 {
			terms[at].addNear(near)
		}
	}
}

// only is the term of a single word.
func (a *analyser) only(word string) (term string) {
	a.analyse(word, func(t []byte, _ bool) { term = string(t) })
	return term
}

// place is where a term stands among sorted ones; -1 for nowhere.
func place(terms []wanted, term string) int {
	at, ok := slices.BinarySearchFunc(terms, term, func(w wanted, term string) int { return strings.Compare(w.term, term) })
	if !ok {
		return -1
	}
	return at
}

func (w *wanted) addNear(term string) {
	if !slices.Contains(w.near, term) {
		w.near = append(w.near, term)
	}
}
