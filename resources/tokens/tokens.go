// Package tokens estimates the number of tokens of texts for models.
package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is a class of characters.
type class int

const (
	lower   class = iota // small ASCII letters, with a single capital directly before them
	upper                // other ASCII capitals
	digit                // ASCII digits
	blank                // blanks and tabs; a single one belongs to its word
	lineEnd              // newlines
	mark                 // other ASCII
	letter               // non-ASCII letters of alphabets
	wide                 // everything else: Chinese, Japanese, emoji
	classes
)

// weights lists the cost of a run of characters of a class, in thousandths of a token: for its first
// character (of a word: for all up to wordLength), and for each further one. They were fitted to the
// larger count of two published byte-pair tokenizers, o200k_base and cl100k_base, over prose, code, JSON
// and other scripts. They are 14 to 16 percent high, because models tokenize differently and a pack over
// its budget is worse than one with some room left.
var weights = [classes]struct{ first, further int }{
	lower: {1100, 1100}, upper: {2600, 400}, digit: {300, 550}, blank: {850, 50}, lineEnd: {550, 550}, mark: {650, 570}, letter: {700, 780}, wide: {2200, 1150},
}

// wordLength is the length up to which most words are one token.
const wordLength = 7

// Estimate returns the approximate number of tokens of text, rather too high than too low. For
// texts that end with a newline it is additive up to rounding. It does not run a tokenizer.
func Estimate(text string) int { return Whole(Measure(text).Milli) }

// Whole converts thousandths of a token to tokens, rounded up.
func Whole(milli int) int { return (milli + 999) / 1000 }

// Size is the part of a budget that a text uses.
type Size struct {
	Characters int // UTF-16 code units
	Milli      int // thousandths of a token
}

// Plus returns the sum of two sizes.
func (s Size) Plus(t Size) Size { return Size{s.Characters + t.Characters, s.Milli + t.Milli} }

// Measure returns the number of characters of text and its estimated tokens.
func Measure(text string) (s Size) {
	run, length := lineEnd, 0
	for i := 0; i < len(text); {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		i += width
		if s.Characters++; r >= 0x10000 {
			s.Characters++
		}
		switch c := classOf(r); {
		case c == run, c == lower && run == upper && length == 1: // one capital belongs to the following letters
			run = c
			length++
		default:
			s.Milli += cost(run, length)
			run, length = c, 1
		}
	}
	s.Milli += cost(run, length)
	return s
}

// cost returns the tokens, in thousandths, of a run of length characters of one class.
func cost(c class, length int) int {
	free := 1
	if c == lower {
		free = wordLength
	}
	if length == 0 || c == blank && length == 1 {
		return 0
	}
	return weights[c].first + weights[c].further*max(0, length-free)
}

// classOf returns the class of a character, by which its cost in tokens is estimated.
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
		return blank
	case r < utf8.RuneSelf:
		return mark
	case (r < 0x530 || r >= 0x1e00 && r < 0x2000) && unicode.IsLetter(r):
		return letter
	}
	return wide
}
