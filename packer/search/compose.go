package search

import (
	_ "embed" // of accents.txt
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Compose returns text with accents that stand as characters of their own put onto their
// letters, as keyboards write them: files of some systems, and what is copied from there,
// have "u" and a diaeresis for "\u00fc", and a word must be found however it was written. It
// covers Latin with Vietnamese, Cyrillic, Greek with one accent, kana and Hangul, which is
// Unicode's form NFC for these; what it does not know stays as it is. Text without such
// characters is returned as it is.
func Compose(text string) string {
	if !strings.ContainsFunc(text, combines) {
		return text
	}
	out := make([]rune, 0, len(text))
	base := -1 // where the letter stands that accents go with
	for _, r := range text {
		if base >= 0 {
			if c := composed(out[base], r); c != 0 {
				out[base] = c
				continue
			}
		}
		if !unicode.IsMark(r) {
			base = len(out)
		}
		out = append(out, r)
	}
	return string(out)
}

// compose is Compose for a word as it is analysed.
func compose(word []byte) []byte {
	for i := 0; i < len(word); {
		r, width := utf8.DecodeRune(word[i:])
		if combines(r) {
			return append(word[:0], Compose(string(word))...)
		}
		i += width
	}
	return word
}

// combines reports whether a character may become one with that before it.
func combines(r rune) bool {
	return r >= 0x300 && (r <= 0x331 || r >= vowels && r < trailing+trailings || r == voiced || r == halfVoiced)
}

// composed returns what a letter and what follows it become, 0 if they stay two.
func composed(base, mark rune) rune {
	switch {
	case !combines(mark):
		return 0
	case mark >= vowels && mark < trailing+trailings:
		return syllable(base, mark)
	case mark == voiced, mark == halfVoiced:
		return kana(base, mark)
	}
	small := unicode.ToLower(base)
	r := accented()[[2]rune{small, mark}]
	if small != base {
		return unicode.ToUpper(r)
	}
	return r
}

// Hangul: a leading consonant, a vowel and perhaps a trailing consonant make a syllable.
const (
	syllables = 0xac00
	leading   = 0x1100
	vowels    = 0x1161
	trailing  = 0x11a7
	leadings  = 19
	vowelsIn  = 21
	trailings = 28
)

func syllable(base, next rune) rune {
	switch at := base - syllables; {
	case base >= leading && base < leading+leadings && next < vowels+vowelsIn:
		return syllables + ((base-leading)*vowelsIn+next-vowels)*trailings
	case at >= 0 && at < leadings*vowelsIn*trailings && at%trailings == 0 && next > trailing:
		return base + next - trailing
	}
	return 0
}

// The marks of kana that make a sound voiced or half voiced.
const (
	voiced     = 0x3099
	halfVoiced = 0x309a
)

func kana(base, mark rune) rune {
	const voiceable, halfVoiceable = "かきくけこさしすせそたちつてとはひふへほ", "はひふへほ"
	plain := base
	if base >= 0x30a1 { // katakana stands 0x60 behind hiragana
		plain -= 0x60
	}
	switch {
	case mark == voiced && plain == 0x3046: // u becomes vu
		return base + 0x4e
	case mark == voiced && strings.ContainsRune(voiceable, plain):
		return base + 1
	case mark == halfVoiced && strings.ContainsRune(halfVoiceable, plain):
		return base + 2
	}
	return 0
}

// accents are pairs of a letter and what it is with a mark, from Unicode's canonical
// decompositions, and of marks that were written in another order: a mark a line.
//
//go:embed accents.txt
var accents string

// accented has what a letter and a mark become. It is read when the first mark is met.
var accented = sync.OnceValue(func() map[[2]rune]rune {
	letters := map[[2]rune]rune{}
	for line := range strings.Lines(accents) {
		fields := strings.Fields(line)
		mark, _ := strconv.ParseUint(fields[0], 16, 32)
		for _, pair := range fields[1:] {
			r := []rune(pair)
			letters[[2]rune{r[0], rune(mark)}] = r[1]
		}
	}
	return letters
})
