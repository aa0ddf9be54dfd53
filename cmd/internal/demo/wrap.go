package demo

import (
	"regexp"
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

// wrapper is a line of the context that holds nothing but a tag of a section.
var wrapper = regexp.MustCompile(`^\s*</?[a-z_]+>\s*$`)

// changedLines shows lines that only one of two texts has, at most limit of them.
func changedLines(before, after string, limit int) string {
	var b strings.Builder
	show := func(mark string, in, from string) {
		had := map[string]bool{}
		for line := range strings.Lines(from) {
			had[line] = true
		}
		shown := 0
		for line := range strings.Lines(in) {
			if !had[line] && !wrapper.MatchString(line) && shown < limit/2 {
				b.WriteString("    " + mark + " " + cut(strings.TrimSpace(line), width-6) + "\n")
				shown++
			}
		}
	}
	show("-", before, after)
	show("+", after, before)
	return b.String()
}

func cut(line string, limit int) string {
	runes := []rune(line)
	if len(runes) <= limit {
		return line
	}
	return string(runes[:limit-3]) + "..."
}
