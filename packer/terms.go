package packer

import (
	"unicode"
	"unicode/utf8"
)

// maxTerm is the longest term in bytes; what is longer is cut, so that a blob of
// data in a mem costs no memory.
const maxTerm = 64

// scanner cuts text into terms for comparing: runs of letters and digits in
// lower case, cut again where a capital follows a small letter (refreshToken),
// without the s of a plural; each CJK character by itself.
type scanner struct {
	text string
	at   int
	term []byte // of the last call of next; reused
}

// next moves to the next term and reports whether there was one.
func (s *scanner) next() bool {
	s.term = s.term[:0]
	s.skip()
	s.small()
	if s.at < len(s.text) && (s.text[s.at] >= utf8.RuneSelf || len(s.term) == 0) {
		s.mixed()
	}
	s.singular()
	return len(s.term) > 0
}

// skip moves over ASCII that is part of no term.
func (s *scanner) skip() {
	for s.at < len(s.text) && s.text[s.at] < utf8.RuneSelf && !isSmall(s.text[s.at]) && !isCapital(s.text[s.at]) {
		s.at++
	}
}

// small takes in small letters and digits: most terms are nothing else.
func (s *scanner) small() {
	start := s.at
	for s.at < len(s.text) && isSmall(s.text[s.at]) {
		s.at++
	}
	s.term = append(s.term, s.text[start:min(s.at, start+maxTerm)]...)
}

// mixed takes in the rest of a term that has capitals, or letters beyond ASCII.
func (s *scanner) mixed() {
	wasSmall := false
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c >= utf8.RuneSelf:
			if s.wide() {
				return
			}
			wasSmall = false
			continue
		case isSmall(c):
			wasSmall = true
		case isCapital(c) && !wasSmall:
			c += 'a' - 'A'
		default:
			if len(s.term) > 0 {
				return
			}
			s.skip()
			continue
		}
		s.at++
		if len(s.term) < maxTerm {
			s.term = append(s.term, c)
		}
	}
}

func isSmall(c byte) bool   { return c-'a' < 26 || c-'0' < 10 }
func isCapital(c byte) bool { return c-'A' < 26 }

// wide takes in a character beyond ASCII and reports whether the term is complete.
func (s *scanner) wide() bool {
	r, width := utf8.DecodeRuneInString(s.text[s.at:])
	switch {
	case isCJK(r):
		if len(s.term) > 0 {
			return true
		}
		s.at += width
		s.term = utf8.AppendRune(s.term, r)
		return true
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		s.at += width
		if len(s.term)+utf8.UTFMax <= maxTerm {
			s.term = utf8.AppendRune(s.term, unicode.ToLower(r))
		}
		return false
	}
	if len(s.term) == 0 {
		s.at += width
	}
	return len(s.term) > 0
}

// singular takes the s off tokens, so that they meet token; not off class or bus.
func (s *scanner) singular() {
	n := len(s.term)
	if n > 3 && s.term[n-1] == 's' && s.term[n-2] != 's' && s.term[n-2] != 'u' {
		s.term = s.term[:n-1]
	}
}

// stopWord reports whether a term says nothing about what a text is about. Where there are
// few mems, BM25 alone would take one of them in a single mem for a rare and telling word.
// It is a switch because a map would be made at the start of every program.
func stopWord(term string) bool {
	switch term {
	case "a", "after", "all", "an", "and", "any", "are", "as", "at", "be", "because", "before", "but", "by", "can", "do", "doe", "each", "for", "from",
		"has", "have", "if", "in", "instead", "into", "is", "it", "not", "of", "on", "one", "only", "or", "out", "over", "so", "than", "that", "the",
		"their", "them", "then", "there", "thi", "this", "to", "up", "use", "used", "via", "was", "we", "when", "where", "which", "with", "you", "avoid",
		"must", "should", "will", "its", "no", "these", "those":
		return true
	}
	return false
}
