package packer

import (
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/packer/search"
)

// feature is something in a text that takes tokens.
type feature int

const (
	word        feature = iota // a word of ASCII letters, with a capital at its beginning or without
	partWord                   // one right behind other letters, as in camelCase
	longWord                   // each letter of it beyond the seventh
	rarePair                   // two letters side by side that English and code seldom have so
	capital                    // a capital alone
	capitals                   // each letter of a run of capitals
	digits                     // each three digits begun
	markBefore                 // the first of a run of punctuation, right before a letter: they may merge
	mark                       // any other first one
	marks                      // each further one, as in "/> or ...
	oddMark                    // each beyond the fourth that is not like the one before it: noise
	blank                      // a run of white space, but for a single blank, which belongs to its word
	indent                     // one blank or tab at the beginning of a line
	indents                    // several
	newline                    // after a letter, a digit or white space
	markLine                   // after punctuation, with which it merges
	emptyLine                  // after another one
	otherLetter                // each letter of a word on a line with letters beyond ASCII: no English
	accent                     // a Latin letter with an accent
	cjk                        // Chinese and Japanese characters, syllables of Korean
	cjkBlank                   // a single blank before one of them
	cyrillic
	greek
	arabic
	hebrew
	indic // and its relatives: scripts whose letters take marks
	thai
	letter // of any other script
	symbol // anything else, emoji among them

	features
)

// weights are what each feature takes, in thousandths of a token: the least squares over
// English prose, Markdown, Go, TypeScript, Python, shell, JSON and packs, by two published
// byte-pair tokenizers, o200k_base and cl100k_base; over 23 other languages by the one that
// takes more. hack/eval prints by how much they are off, for each sort of text.
var weights = [features]int{
	word:        960,
	partWord:    360,
	longWord:    200,
	rarePair:    750,
	capital:     1060,
	capitals:    280,
	digits:      1290,
	markBefore:  350,
	mark:        1050,
	marks:       130,
	oddMark:     500,
	blank:       620,
	indent:      870,
	indents:     850,
	newline:     860,
	markLine:    450,
	emptyLine:   0,
	otherLetter: 300,
	accent:      1200,
	cjk:         1040,
	cjkBlank:    900,
	cyrillic:    570,
	greek:       1050,
	arabic:      840,
	hebrew:      1120,
	indic:       1220,
	thai:        980,
	letter:      900,
	symbol:      2500,
}

// modelFactor is the headroom, in percent of what is estimated: models cut text in their own
// ways, nobody tells iDumb which one reads the pack, and a pack over its budget is worse than
// one with a little room left. hack/eval packs 10,000 random stores to see that it is enough.
const modelFactor = 115

// Estimate returns about how many tokens a model takes for text, and some headroom (see
// modelFactor). For texts that end with a newline it is additive, rounding aside. No
// tokenizer is consulted.
func Estimate(text string) int { return wholeTokens(measure(text).milli) }

// Expect is Estimate without headroom: too high as often as too low.
func Expect(text string) int { return wholeTokens(meterOf(text).milli()) }

// wholeTokens rounds thousandths up.
func wholeTokens(milli int) int { return (milli + 999) / 1000 }

// size is how much of a budget some text takes.
type size struct {
	characters int // UTF-16 code units
	milli      int // thousandths of a token, headroom included
}

func (s size) plus(t size) size { return size{s.characters + t.characters, s.milli + t.milli} }

// measure returns the size of text.
func measure(text string) size {
	m := meterOf(text)
	return size{m.characters, m.milli() * modelFactor / 100}
}

// meter counts what a text has, in one pass over runs of characters of one class.
type meter struct {
	characters int
	counts     [features]int
	line       [4]int // of the line: words, parts of words, letters beyond the seventh, rare pairs
	letters    int    // of the line's words
	foreign    bool   // the line has letters beyond ASCII
	run        class
	length     int   // of the run
	last       rune  // of it
	prior      class // of the run before
	before     rune  // the letter before, in lower case; 0 if it was none
}

func meterOf(text string) *meter {
	m := &meter{prior: lineEnd}
	for i := 0; i < len(text); {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		i += width
		m.take(r)
	}
	m.end(none)
	m.endLine()
	return m
}

func (m *meter) milli() (sum int) {
	for f, n := range m.counts {
		sum += n * weights[f]
	}
	return sum
}

// class is what sort of character one is.
type class int

const (
	none class = iota
	lower
	upper
	digit
	space
	lineEnd
	punctuation
	beyond // ASCII
)

func (m *meter) take(r rune) {
	m.characters++
	if r >= 0x10000 {
		m.characters++
	}
	c := classOf(r)
	if c == beyond {
		m.takeBeyond(r)
		return
	}
	m.pair(r, c)
	switch {
	case c == m.run && c != lineEnd:
		if m.length++; c == punctuation && m.length > 4 && r != m.last {
			m.counts[oddMark]++
		}
		m.last = r
		return
	case m.run == upper && m.length == 1 && c == lower: // Word: one capital belongs to what follows
		m.run, m.length = lower, 2
		return
	}
	m.end(c)
	m.run, m.length, m.last = c, 1, r
	if c == lineEnd {
		m.endLine()
	}
}

// takeBeyond takes a character beyond ASCII: each counts by its script. A Latin one stands in
// the middle of its word.
func (m *meter) takeBeyond(r rune) {
	f := scriptOf(r)
	m.counts[f]++
	m.foreign = m.foreign || f != symbol && f != cjk
	m.before = 0
	if f == accent && m.run == lower {
		m.length++
		return
	}
	if f == cjk && m.run == space && m.length == 1 {
		m.counts[cjkBlank]++
	}
	m.end(beyond)
	m.run, m.length = beyond, 1
	if f == accent {
		m.run = lower
	}
}

// pair counts two letters side by side that merges seldom hold.
func (m *meter) pair(r rune, c class) {
	if c != lower && c != upper {
		m.before = 0
		return
	}
	r |= 'a' - 'A'
	if m.before != 0 && common[m.before-'a']>>(r-'a')&1 == 0 {
		m.line[3]++
	}
	m.before = r
}

// end closes the run; next is the class of what follows it.
func (m *meter) end(next class) {
	switch m.run {
	case lower:
		m.endWord()
	case upper:
		if m.length == 1 {
			m.counts[capital]++
		} else {
			m.counts[capitals] += m.length
		}
	case digit:
		m.counts[digits] += (m.length + 2) / 3
	case punctuation:
		if next == lower || next == upper {
			m.counts[markBefore]++
		} else {
			m.counts[mark]++
		}
		m.counts[marks] += m.length - 1
	case space:
		m.endSpace()
	case lineEnd:
		m.endNewline()
	}
	if m.run != none {
		m.prior = m.run
	}
	m.run, m.length = none, 0
}

// wordLength is how many letters most words that are one token have at most.
const wordLength = 7

func (m *meter) endWord() {
	if m.prior == lower || m.prior == upper {
		m.line[1]++
	} else {
		m.line[0]++
	}
	m.line[2] += max(0, m.length-wordLength)
	m.letters += m.length
}

func (m *meter) endSpace() {
	switch {
	case m.prior == lineEnd && m.length == 1:
		m.counts[indent]++
	case m.prior == lineEnd:
		m.counts[indents]++
	case m.length > 1:
		m.counts[blank]++
	}
}

func (m *meter) endNewline() {
	switch m.prior {
	case lineEnd:
		m.counts[emptyLine]++
	case punctuation:
		m.counts[markLine]++
	default:
		m.counts[newline]++
	}
}

// wordFeatures are those that meter.line counts.
var wordFeatures = [4]feature{word, partWord, longWord, rarePair}

// endLine counts the words of a line: of English, or of another language.
func (m *meter) endLine() {
	english := 0
	for i, f := range wordFeatures {
		english += m.line[i] * weights[f]
	}
	if m.foreign && m.letters*weights[otherLetter] > english { // else it is worse: noise
		m.counts[otherLetter] += m.letters
	} else {
		for i, f := range wordFeatures {
			m.counts[f] += m.line[i]
		}
	}
	m.line, m.letters, m.foreign = [4]int{}, 0, false
}

// common holds for each letter those that follow it in more than 0.04 percent of all pairs
// in the identifiers and comments of Go's standard library, a bit for each, a the lowest.
var common = [26]uint32{
	0x1bebd6e, 0x1164b17, 0x03edddd, 0x11e593f, 0x1eff97f, 0x01e593d, 0x00e6994, 0x00e4111, 0x2aef87f, 0x0000000, 0x0040111, 0x11c4939, 0x01cd11b,
	0x13c7d7d, 0x07efd7f, 0x11edd1d, 0x0100000, 0x13e7d7d, 0x15edd9d, 0x1ded9bd, 0x08eb937, 0x0808111, 0x0224191, 0x008813f, 0x00cb000, 0x0000010,
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
	}
	return beyond
}

// scriptOf is what a character beyond ASCII counts as.
func scriptOf(r rune) feature {
	switch {
	case r < 0x250 && unicode.IsLetter(r), r >= 0x1e00 && r < 0x1f00:
		return accent
	case r >= 0x370 && r < 0x400, r >= 0x1f00 && r < 0x2000:
		return greek
	case r >= 0x400 && r < 0x530:
		return cyrillic
	case r >= 0x590 && r < 0x600:
		return hebrew
	case r >= 0x600 && r < 0x780:
		return arabic
	case r >= 0x900 && r < 0xe00:
		return indic
	case r >= 0xe00 && r < 0xe80:
		return thai
	case search.IsCJK(r):
		return cjk
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return symbol
}
