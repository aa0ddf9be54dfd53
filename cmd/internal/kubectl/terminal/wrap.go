package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a paragraph into lines of at most columns characters, at blanks. All lines but the
// first begin with indent. A longer word gets a separate line.
func Wrap(text string, columns int, indent string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > columns:
			b.WriteString("\n" + indent)
			width = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}
