package markdown

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// Section is a heading with what stands below it, up to the next heading of any level.
type Section struct {
	Level int // of the heading, from 1; 0 for what stands before the first
	Title string
	Line  int // of the file, that the heading stands on
	Lines []string
}

// Text is what stands below the heading.
func (s Section) Text() string { return strings.TrimSpace(strings.Join(s.Lines, "\n")) }

// Sections takes the text apart at its headings. Remarks are left out, their lines empty; lines in fenced code are no headings.
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

// withoutRemarks puts empty lines in the place of what stands between <!-- and -->.
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
