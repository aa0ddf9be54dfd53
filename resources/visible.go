package resources

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible maps the runes of untrusted text to runes that are safe to display to agents and
// users. Line terminators become "\n". It returns -1 for invisible and terminal control
// characters.
func Visible(r rune) rune {
	switch {
	case r == '\n', r == '\t':
		return r
	case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
		return '\n'
	case r < ' ', unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Variation_Selector), isBlank(r):
		return -1
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef: // noncharacters, which XML does not allow
		return utf8.RuneError
	}
	return r
}

// isBlank reports whether a letter or mark is invisible: the grapheme joiner, the Hangul
// and Khmer fillers, and the unassigned tag block.
func isBlank(r rune) bool {
	return r >= 0xe0000 && r <= 0xe0fff || strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0", r)
}
