package demo

import (
	"strings"
	"unicode/utf8"
)

// width is how wide a line may be: that of the terminals that are not widened.
const width = 80

// wrap writes text after prefix, and what does not fit into the width after more,
// on lines of its own. Words are not broken.
func wrap(prefix, more, text string) string {
	var b strings.Builder
	line := prefix + text
	for utf8.RuneCountInString(line) > width {
		head, rest, ok := split(line, utf8.RuneCountInString(prefix))
		if !ok {
			break
		}
		b.WriteString(head + "\n")
		line, prefix = more+rest, more
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// split cuts a line at its last space within the width; the first from characters
// stay whole.
func split(line string, from int) (head, rest string, ok bool) {
	runes := []rune(line)
	for at := width; at > from; at-- {
		if runes[at] == ' ' {
			return strings.TrimRight(string(runes[:at]), " "), string(runes[at+1:]), true
		}
	}
	return line, "", false
}

// indent writes what a program printed. A line that is continued keeps its own
// indentation, and a little more.
func indent(out []byte) string {
	const margin = "    "
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		own := line[:len(line)-len(strings.TrimLeft(line, " "))]
		b.WriteString(wrap(margin+own, margin+own+"  ", strings.TrimLeft(line, " ")))
	}
	return b.String()
}
