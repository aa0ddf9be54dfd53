package packer

import (
	"unicode"
	"unicode/utf8"
)

// Thousandths of a token. The weights follow from how published byte-pair
// tokenizers cut text before they merge it (words with their leading space,
// digits in threes, punctuation in runs, white space in runs), and from their
// merges being frequent in English and source code and rare elsewhere. They were
// chosen by reasoning and were not fitted against a tokenizer in this project:
// the figure is an estimate that errs on the high side for English prose, and
// nothing more is claimed for it.
const (
	wordToken       = 1000 // a word of up to wordLength ASCII letters
	wordLength      = 7
	longWordLetter  = 100  // each further letter
	capitalLetter   = 350  // each letter of a run of capitals
	digitGroup      = 1000 // each three digits begun
	punctuationMark = 1000 // the first of a run
	punctuationMore = 500  // each further one, as in "/> or ...
	spaceRun        = 1000 // more than one space; a single one belongs to its word
	newline         = 700  // merges with the punctuation before it about every third time
	cjkCharacter    = 1100
	otherLetter     = 500 // Cyrillic, Greek, Arabic, letters with accents, ...
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
	letter // neither ASCII nor CJK
	symbol
)

// measure returns the size of text, in one pass over runs of one class.
func measure(text string) size {
	var s size
	run, length := none, 0
	for i := 0; i < len(text); {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		i += width
		s.characters++
		if r >= 0x10000 {
			s.characters++
		}
		c := classOf(r)
		if c == run || run == upper && length == 1 && c == lower { // Word: one capital belongs to what follows
			run, length = c, length+1
			continue
		}
		s.milli += runWeight(run, length)
		run, length = c, 1
	}
	s.milli = (s.milli + runWeight(run, length)) * modelFactor / 100
	return s
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
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return symbol
}

// isCJK reports characters of scripts that put no space between words.
func isCJK(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
