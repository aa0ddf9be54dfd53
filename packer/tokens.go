package packer

import (
	"unicode"
	"unicode/utf8"
)

// Thousandths of a token. The weights follow from how published byte-pair tokenizers cut
// text before they merge it (words with their leading space, digits in threes,
// punctuation in runs, white space in runs), and from their merges being frequent in
// English and source code and rare elsewhere. hack/eval compares them with two of them,
// o200k_base and cl100k_base, over random stores of prose, code, other scripts and noise:
// whichever takes more tokens must not take more than estimated, so that the figure is
// too high for most texts, and for English prose by about an eighth.
const (
	wordToken       = 1000 // a word of up to wordLength ASCII letters
	wordLength      = 7
	longWordLetter  = 100  // each further letter
	rareLetters     = 400  // each two letters that English and code seldom have side by side
	strangeLetter   = 300  // each letter of a word on a line that has letters beyond ASCII
	capitalLetter   = 350  // each letter of a run of capitals
	digitGroup      = 1000 // each three digits begun
	punctuationMark = 1000 // the first of a run
	punctuationMore = 500  // each further one, as in "/> or ...
	spaceRun        = 1000 // more than one space; a single one belongs to its word
	newline         = 700  // merges with the punctuation before it about every third time
	cjkCharacter    = 1250
	latinLetter     = 500 // with accents
	otherLetter     = 720 // Cyrillic, Greek, Arabic, ...
	otherSymbol     = 2500

	// modelFactor is the percentage that weights are multiplied by. Models differ,
	// and nobody tells iDumb which one reads the pack: 15 percent is headroom.
	modelFactor = 115
)

// Estimate returns about how many tokens a model takes for text. For texts that
// end with a newline it is additive, rounding aside. No tokenizer is consulted.
func Estimate(text string) int { return wholeTokens(measure(text).milli) }

// wholeTokens rounds thousandths up.
func wholeTokens(milli int) int { return (milli + 999) / 1000 }

// size is how much of a budget some text takes.
type size struct {
	characters int // UTF-16 code units
	milli      int // thousandths of a token, model factor included
}

func (s size) plus(t size) size { return size{s.characters + t.characters, s.milli + t.milli} }

// class is what sort of character the estimate counts one as.
type class int

const (
	none class = iota
	lower
	upper
	digit
	space
	lineEnd
	punctuation
	cjk
	latin  // beyond ASCII
	letter // neither Latin nor CJK
	symbol
)

// measure returns the size of text, in one pass over runs of one class.
func measure(text string) size {
	m := meter{}
	for i := 0; i < len(text); {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		i += width
		m.take(r)
	}
	m.end()
	m.endLine()
	return size{m.characters, m.milli * modelFactor / 100}
}

// meter adds up what a text weighs.
type meter struct {
	characters, milli int
	run               class
	length            int  // of the run
	before            rune // the letter before, in lower case; 0 if it was none
	strange           bool // the line has letters beyond ASCII
	more              int  // what its words weigh more for that
}

func (m *meter) take(r rune) {
	m.characters++
	if r >= 0x10000 {
		m.characters++
	}
	c := classOf(r)
	m.pair(r, c)
	m.strange = m.strange || c == latin || c == letter
	if c == m.run || m.run == upper && m.length == 1 && c == lower { // Word: one capital belongs to what follows
		m.run, m.length = c, m.length+1
		return
	}
	m.end()
	m.run, m.length = c, 1
	if c == lineEnd {
		m.endLine()
	}
}

// pair weighs two letters side by side that merges seldom hold.
func (m *meter) pair(r rune, c class) {
	if c != lower && c != upper {
		m.before = 0
		return
	}
	r |= 'a' - 'A'
	if m.before != 0 && common[m.before-'a']>>(r-'a')&1 == 0 {
		m.milli += rareLetters
	}
	m.before = r
}

// end closes the run.
func (m *meter) end() {
	weight := runWeight(m.run, m.length)
	m.milli += weight
	if m.run == lower {
		m.more += max(0, m.length*strangeLetter-weight)
	}
	m.run, m.length = none, 0
}

func (m *meter) endLine() {
	if m.strange {
		m.milli += m.more
	}
	m.strange, m.more = false, 0
}

// common holds for each letter those that follow it in more than 0.04 percent of all pairs
// in the identifiers and comments of Go's standard library, a bit for each, a the lowest.
var common = [26]uint32{
	0x1bebd6e, 0x1164b17, 0x03edddd, 0x11e593f, 0x1eff97f, 0x01e593d, 0x00e6994, 0x00e4111, 0x2aef87f, 0x0000000, 0x0040111, 0x11c4939, 0x01cd11b,
	0x13c7d7d, 0x07efd7f, 0x11edd1d, 0x0100000, 0x13e7d7d, 0x15edd9d, 0x1ded9bd, 0x08eb937, 0x0808111, 0x0224191, 0x008813f, 0x00cb000, 0x0000010,
}

// runWeight returns what length characters of one class in a row weigh.
func runWeight(c class, length int) int {
	switch c {
	case lower:
		return wordToken + max(0, length-wordLength)*longWordLetter
	case upper:
		return max(wordToken, length*capitalLetter)
	case digit:
		return (length + 2) / 3 * digitGroup
	case punctuation:
		return punctuationMark + (length-1)*punctuationMore
	case space:
		return min(length-1, 1) * spaceRun
	case lineEnd:
		return length * newline
	case cjk:
		return length * cjkCharacter
	case latin:
		return length * latinLetter
	case letter:
		return length * otherLetter
	case symbol:
		return length * otherSymbol
	}
	return 0
}

func classOf(r rune) class {
	switch {
	case r >= 'a' && r <= 'z':
		return lower
	case r >= 'A' && r <= 'Z':
		return upper
	case r >= '0' && r <= '9':
		return digit
	case r == '\n':
		return lineEnd
	case r == ' ', r == '\t':
		return space
	case r < utf8.RuneSelf:
		return punctuation
	case isCJK(r):
		return cjk
	case r < 0x250 && unicode.IsLetter(r), r >= 0x1e00 && r < 0x1f00:
		return latin
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return symbol
}

// isCJK reports characters of scripts that put no space between words.
func isCJK(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
