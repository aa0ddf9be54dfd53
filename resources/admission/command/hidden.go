package command

import (
	"strings"
	"unicode"
)

// hiddenCharacters describes invalid characters in a line, or returns "". Text in any language is
// allowed. Invisible and confusable characters are not.
func hiddenCharacters(line string) string {
	for _, r := range line {
		if why := strange(r); why != "" {
			return why
		}
	}
	return ""
}

// strange describes why a character is misleading, or returns "".
func strange(r rune) string {
	switch {
	case r == '\n' || r == '\t' || r == '\r' || r >= ' ' && r < 0x7f:
		return ""
	case r < ' ' || r == 0x7f:
		return "it contains a control character"
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return "it contains a character that reverses the direction of the text"
	case r == 0x200d || r == 0xfe0f || r == 0xfe0e: // joins emoji
		return ""
	case r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff || r == 0xad || r == 0x180e || r >= 0xe0000 && r <= 0xe007f || r == 0x3164 || r == 0x115f || r == 0x1160:
		return "it contains an invisible character"
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x3000 || r == 0x2028 || r == 0x2029:
		return "it contains a blank that the shell does not treat as a blank"
	case r >= 0xff01 && r <= 0xff5e:
		return "it contains a letter that only looks like a common letter"
	}
	return ""
}

// looksLikeOption reports whether a word starts like an option, but with a different dash
// character.
func looksLikeOption(f field) bool {
	word := f.text
	rest := strings.TrimLeft(word, "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
	dashes := word[:len(word)-len(rest)]
	return rest != "" && strings.Trim(dashes, "-") != "" && isNameByte(rest[0]) && !strings.ContainsAny(rest, " \n")
}

// confusable reports whether the name of a command contains letters that common commands do
// not use.
func confusable(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return r >= 0x80 && (unicode.IsLetter(r) || unicode.IsMark(r) || r >= 0x1d400 && r <= 0x1d7ff)
	})
}
