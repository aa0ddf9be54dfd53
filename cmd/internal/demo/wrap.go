package demo

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// width is how wide a line may be: that of the terminals that are not widened.
const width = 80

// wrap writes text after prefix, and what does not fit into the width after more,
// on lines of its own. Words are not broken.
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

// indent writes what a program printed. A line that is continued keeps its own
// indentation, and a little more.
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

// wrapper is a line of the context that holds nothing but a tag of a section.
var wrapper = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*</?[a-z_]+>\s*$`) })

// changedLines shows lines that only one of two texts has, of each at most limit.
func changedLines(before, after string, limit int) string {
	return linesWithout("-", before, after, limit) + linesWithout("+", after, before, limit)
}

// linesWithout shows lines of a text that another one has not, each behind a mark.
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
