package markdown

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// Section is a heading with the text below it, up to the next heading of any level.
type Section struct {
	Level int // heading level, from 1; 0 for the text before the first heading
	Title string
	Line  int // line of the heading in the file
	Lines []string
}

// Text returns the text below the heading.
func (s Section) Text() string { return strings.TrimSpace(strings.Join(s.Lines, "\n")) }

// Sections splits the text at its headings. HTML comments become empty lines. Lines in
// fenced code are not headings.
func (d Document) Sections() []Section {
	lines := strings.Split(withoutRemarks(d.Body), "\n")
	all, from := []Section{{Line: d.Line}}, 0
	for _, h := range source.Headings(lines) {
		all[len(all)-1].Lines = lines[from:h.Line]
		all, from = append(all, Section{Level: h.Level, Title: h.Text, Line: d.Line + h.Line}), h.Line+1
	}
	all[len(all)-1].Lines = lines[from:]
	return all
}

// withoutRemarks replaces HTML comments with empty lines.
func withoutRemarks(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		b.WriteString(before)
		remark, behind, closed := strings.Cut(rest, "-->")
		if !found || !closed {
			return b.String() + text[len(before):]
		}
		b.WriteString(strings.Repeat("\n", strings.Count(remark, "\n")))
		text = behind
	}
}
