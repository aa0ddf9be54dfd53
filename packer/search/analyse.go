package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm is the maximal length of a term in bytes; longer ones are cut, so
// that binary data in a document costs little. maxPieces is the maximal number
// of words of one identifier: further words are skipped, and the whole is then
// no term.
const (
	maxTerm   = 64
	maxPieces = 32
)

// Terms returns the index terms of a text, in its order: words in lower case, irregular forms
// reduced to their base, and stemmed, without stop words. An identifier or a path (words joined by
// _ - . / : or by an inner capital) gives its words and itself as a whole, without _ - and
// capitals, so that refresh_token, refresh-token and refreshToken are equal; a path also gives its
// last element. In scripts without spaces between words each character and each pair is a term.
func Terms(text string) []string {
	var terms []string
	a := analyser{}
	a.analyse(text, func(term []byte, _ bool) { terms = append(terms, string(term)) })
	return terms
}

// analyser splits texts into terms. It is reused and not safe for concurrent use.
type analyser struct {
	term  []byte // term of the current call
	whole []byte
	last  []byte            // the last element of a path
	cache map[string]string // terms of words that were analyzed; empty for stop words
}

// analyse calls emit with each term, which is valid until emit returns. word is
// false for whole identifiers, last elements of paths and pairs of characters,
// which do not count in the length of a text.
func (a *analyser) analyse(text string, emit func(term []byte, word bool)) {
	text = norm.NFC.String(text) // some file systems store "ü" as "u" and a diaeresis
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c < utf8.RuneSelf && !isAlnum(c):
			i++
		case c < utf8.RuneSelf:
			i = a.run(text, i, emit)
		default:
			switch r, width := utf8.DecodeRuneInString(text[i:]); {
			case IsCJK(r):
				i = a.cjk(text, i, emit)
			case isWordRune(r):
				i = a.run(text, i, emit)
			default:
				i += width
			}
		}
	}
}

func isLower(c byte) bool { return c-'a' < 26 }
func isUpper(c byte) bool { return c-'A' < 26 }
func isDigit(c byte) bool { return c-'0' < 10 }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

// isWordRune reports whether r is a letter, digit or mark of a script with spaces between words.
func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !IsCJK(r) && !isApostrophe(r)
}

// IsCJK reports whether r belongs to a script without spaces between words.
func IsCJK(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isJoint reports whether c can join the parts of an identifier or a path.
func isJoint(c byte) bool {
	switch c {
	case '_', '-', '.', '/', ':', '@', '#', '\\':
		return true
	}
	return false
}

// cjk emits the characters of a script without spaces from i, and their pairs.
// It returns the index of the first other character.
func (a *analyser) cjk(text string, i int, emit func([]byte, bool)) int {
	before := -1
	for i < len(text) {
		r, width := utf8.DecodeRuneInString(text[i:])
		if !IsCJK(r) {
			return i
		}
		a.term = append(a.term[:0], text[i:i+width]...)
		emit(a.term, true)
		if before >= 0 {
			a.term = append(a.term[:0], text[before:i+width]...)
			emit(a.term, false)
		}
		before = i
		i += width
	}
	return i
}

// run emits the terms of an identifier, a path or a word, and returns its end.
func (a *analyser) run(text string, i int, emit func([]byte, bool)) int {
	a.whole, a.last = a.whole[:0], a.last[:0]
	pieces, isPath := 0, false
	for {
		end := pieceEnd(text, i)
		if pieces++; pieces <= maxPieces {
			a.piece(text[i:end], emit)
		}
		i = end
		joint := jointEnd(text, i)
		if joint < 0 {
			break
		}
		for _, c := range []byte(text[i:joint]) {
			if c == '/' || c == '\\' {
				isPath = true
				a.whole, a.last = append(a.whole, '/'), a.last[:0]
			} else if c != '_' && c != '-' {
				a.whole, a.last = append(a.whole, c), append(a.last, c)
			}
		}
		i = joint
	}
	if pieces > 1 && pieces <= maxPieces {
		emit(a.whole[:min(len(a.whole), maxTerm)], false)
		if isPath && len(a.last) > 1 && len(a.last) < len(a.whole) {
			emit(a.last[:min(len(a.last), maxTerm)], false)
		}
	}
	return i
}

// jointEnd returns the start of the next piece of an identifier, given the end
// of the current one; -1 if it was the last. One to three joints separate two
// pieces.
func jointEnd(text string, i int) int {
	start := i
	for i < len(text) && isJoint(text[i]) && i-start < 3 {
		i++
	}
	if i == len(text) {
		return -1
	}
	if r, _ := utf8.DecodeRuneInString(text[i:]); !isWordRune(r) {
		return -1
	}
	return i
}

// pieceEnd returns the end of the word that starts at i: before a capital that follows a small
// letter (refresh|Token) or starts a word (HTTP|Server), or at the end of letters, digits and inner
// apostrophes.
func pieceEnd(text string, i int) int {
	start, before := i, rune(-1)
	for i < len(text) {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isApostrophe(r):
			if next, _ := utf8.DecodeRuneInString(text[i+width:]); i == start || !unicode.IsLetter(next) {
				return i
			}
		case !isWordRune(r):
			return i
		case i > start && unicode.IsUpper(r):
			next, _ := utf8.DecodeRuneInString(text[i+width:])
			if unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next) && !pluralCapitals(text[i+width:]) {
				return i
			}
		}
		before = r
		i += width
	}
	return i
}

// pluralCapitals reports whether a final s follows a capital, as in URLs.
func pluralCapitals(rest string) bool {
	return len(rest) > 0 && rest[0] == 's' && (len(rest) == 1 || !isAlnum(rest[1]) && rest[1] < utf8.RuneSelf)
}

// isApostrophe reports whether r is one of the three apostrophes ' ’ ʼ.
func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// piece emits the term of one word, if it has one, and adds the word in lower
// case to the whole identifier and the last element.
func (a *analyser) piece(word string, emit func([]byte, bool)) {
	a.term = a.term[:0]
	english := true
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			c := byte(r)
			if isUpper(c) {
				c += 'a' - 'A'
			}
			english = english && !isDigit(c)
			a.term = append(a.term, c)
		case isApostrophe(r):
			a.term = append(a.term, '\'')
		default:
			english = false
			a.term = utf8.AppendRune(a.term, unicode.ToLower(r))
		}
	}
	a.whole, a.last = append(a.whole, a.term...), append(a.last, a.term...)
	term, known := a.cache[string(a.term)]
	if !known {
		term = a.learn(english)
	}
	if term != "" {
		a.term = append(a.term[:0], term...)
		emit(a.term, true)
	}
}

// learn returns and caches the term of the word in a.term. The term is "" for a
// stop word or a single letter. english means that the word consists of ASCII
// letters and apostrophes.
func (a *analyser) learn(english bool) string {
	const most = 1 << 16 // words; limits the memory for a text of random words
	word := string(a.term)
	term := ""
	if !isStopWord(word) {
		base := baseForm(strings.TrimSuffix(word, "'s"))
		if english {
			base = stem(base)
		}
		if len(base) > 1 || len(base) == 1 && isDigit(base[0]) {
			term = base[:min(len(base), maxTerm)]
		}
	}
	if a.cache == nil {
		a.cache = map[string]string{}
	}
	if len(a.cache) < most && len(word) <= maxTerm {
		a.cache[word] = term
	}
	return term
}
