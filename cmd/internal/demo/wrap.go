package demo

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// width is the maximal line width: that of a terminal of default size.
const width = 80

// wrap writes text after prefix. Text that exceeds the width continues on further lines that begin
// with more. Words are not broken.
func wrap(prefix, more, text string) string {
	lines := ""
	line := []rune(prefix + text)
	for len(line) > width {
		at := width
		for line[at] != ' ' && at > 0 {
			at--
		}
		if at <= utf8.RuneCountInString(prefix) {
			break
		}
		lines += strings.TrimRight(string(line[:at]), " ") + "\n"
		line, prefix = []rune(more+string(line[at+1:])), more
	}
	return lines + strings.TrimRight(string(line), " ") + "\n"
}

// indent indents the output of a program. Continuation lines keep the indentation of their line,
// and get two more blanks.
func indent(out []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		text := strings.TrimLeft(line, " ")
		margin := "    " + line[:len(line)-len(text)]
		b.WriteString(wrap(margin, margin+"  ", text))
	}
	return b.String()
}

// wrapper matches a line of the context that consists of the tag of a section.
var wrapper = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*</?[a-z_]+>\s*$`) })

// linesWithout returns the lines of text that other does not contain, each with a mark before it.
func linesWithout(mark, text, other string, limit int) (shown string) {
	had := map[string]bool{}
	for line := range strings.Lines(other) {
		had[line] = true
	}
	for line := range strings.Lines(text) {
		if had[line] || wrapper().MatchString(line) || limit == 0 {
			continue
		}
		limit--
		shown += "    " + mark + " " + resources.Shortened(strings.TrimSpace(line), width-6, "...") + "\n"
	}
	return shown
}
