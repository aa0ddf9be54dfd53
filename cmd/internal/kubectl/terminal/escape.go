// Package terminal adapts commands to the terminal or program that runs them: its
// colour and Unicode, escaping of control characters, signals, and the
// errors and exit codes of kubectl.
package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns s with the characters that a terminal would act on in visible form, as \x1b or
// \u202e: control characters other than newline and tab, and characters that change the direction
// of text or take no room. Agents write the text of resources.
func Escape(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return escapeFrom(s, i)
		}
	}
	return s
}

// EscapeLine is Escape for text that must stay on one line and in one cell: newline, carriage
// return and tab become visible too.
func EscapeLine(s string) string {
	s = Escape(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s)
	}
	return s
}

// escapeFrom is Escape for a text whose first from bytes need no escape.
func escapeFrom(s string, from int) string {
	var b strings.Builder
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if dangerous(r, size) {
			writeEscaped(&b, s[i:i+size], r)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// dangerous reports whether a terminal interprets a character or does not show it: C0 and C1
// controls, bytes that are no UTF-8, and format characters (directions, zero width). The joiners
// of emoji and of some scripts are not dangerous.
func dangerous(r rune, size int) bool {
	const zeroWidthJoiner, zeroWidthNonJoiner = '\u200d', '\u200c'
	switch {
	case r == '\n' || r == '\t' || r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return false
	case r == utf8.RuneError && size == 1:
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// writeEscaped writes a character as an escape sequence of Go. raw contains its bytes.
func writeEscaped(b *strings.Builder, raw string, r rune) {
	switch {
	case r == '\r':
		b.WriteString(`\r`)
	case len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r > 0xffff:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}
