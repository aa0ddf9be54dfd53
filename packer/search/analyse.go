package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm is the longest term in bytes; what is longer is cut, so that a blob of data
// in a document costs little. maxPieces is how many words of one identifier are looked at.
const (
	maxTerm   = 64
	maxPieces = 32
)

// Terms returns what a text is indexed under, in the order of the text: words in lower
// case and stemmed (irregular forms brought to their base first), without those that say nothing. An identifier or a path (words that
// are joined by _ - . / : or by a capital within) gives its words, and itself as a
// whole: without _ - and capitals, so that refresh_token, refresh-token and refreshToken
// are one; a path also its last name. Of scripts that put no space between words each
// character is a term, and each pair.
func Terms(text string) []string {
	var terms []string
	a := analyser{}
	a.analyse(text, func(term []byte, _ bool) { terms = append(terms, string(term)) })
	return terms
}

// analyser cuts texts into terms. It is for one goroutine, and reused.
type analyser struct {
	term  []byte // of the call in progress
	whole []byte
	last  []byte            // of a path, what stands behind its last /
	known map[string]string // words that were met, and their terms; "" for those that say nothing
}

// analyse calls emit with each term, which holds until emit returns. word is false for
// identifiers as wholes: they do not count in how long a text is.
func (a *analyser) analyse(text string, emit func(term []byte, word bool)) {
	text = norm.NFC.String(text) // files of some systems, and what is copied from there, have "u" and a diaeresis for "ü"
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c < utf8.RuneSelf && !isAlnum(c):
			i++
		case c < utf8.RuneSelf:
			i = a.run(text, i, emit)
		default:
			r, width := utf8.DecodeRuneInString(text[i:])
			switch {
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

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !IsCJK(r) && !isApostrophe(r)
}

// IsCJK reports characters of scripts that put no space between words.
func IsCJK(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// joins reports characters that hold an identifier or a path together.
func joins(c byte) bool {
	switch c {
	case '_', '-', '.', '/', ':', '@', '#', '\\':
		return true
	}
	return false
}

// cjk takes in characters of a script without spaces, one by one and two by two.
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

// run takes in an identifier, a path or a word, and returns where it ends.
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

// jointEnd returns where the next piece of an identifier begins whose piece ends at i;
// -1 if it was the last one.
func jointEnd(text string, i int) int {
	start := i
	for i < len(text) && joins(text[i]) && i-start < 3 {
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

// pieceEnd returns where the word ends that begins at i: before the next capital that
// follows a small letter (refresh|Token) or begins a word (HTTP|Server), or where there
// is no letter, digit or apostrophe within any more.
func pieceEnd(text string, i int) int {
	start, before := i, rune(-1)
	for i < len(text) {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isApostrophe(r):
			next, _ := utf8.DecodeRuneInString(text[i+width:])
			if i == start || !unicode.IsLetter(next) {
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

// pluralCapitals reports whether what follows a capital is an s that ends the word: URLs.
func pluralCapitals(rest string) bool {
	return len(rest) > 0 && rest[0] == 's' && (len(rest) == 1 || !isAlnum(rest[1]) && rest[1] < utf8.RuneSelf)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// piece takes in one word.
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
	term, known := a.known[string(a.term)]
	if !known {
		term = a.learn(english)
	}
	if term != "" {
		a.term = append(a.term[:0], term...)
		emit(a.term, true)
	}
}

// learn finds out what a word is indexed under.
func (a *analyser) learn(english bool) string {
	const most = 1 << 16 // words; a text of noise must not fill the memory
	word := string(a.term)
	term := ""
	if !isStopWord(word) {
		base := regular(strings.TrimSuffix(word, "'s"))
		if english {
			base = stem(base)
		}
		if len(base) > 1 || len(base) == 1 && isDigit(base[0]) {
			term = base[:min(len(base), maxTerm)]
		}
	}
	if a.known == nil {
		a.known = map[string]string{}
	}
	if len(a.known) < most && len(word) <= maxTerm {
		a.known[word] = term
	}
	return term
}
