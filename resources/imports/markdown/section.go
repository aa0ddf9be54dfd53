package markdown

import "strings"

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
	all, fenced := []Section{{Line: d.Line}}, false
	for i, line := range strings.Split(withoutRemarks(d.Body), "\n") {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if level, title := headed(line); level > 0 && !fenced {
			all = append(all, Section{Level: level, Title: title, Line: d.Line + i})
			continue
		}
		last := &all[len(all)-1]
		last.Lines = append(last.Lines, line)
	}
	return all
}

// headed is the level and the text of a heading; 0 for a line that is none.
func headed(line string) (level int, title string) {
	text := strings.TrimLeft(line, "#")
	if level = len(line) - len(text); level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(text)
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
