package source

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Heading is an ATX heading of a Markdown text.
type Heading struct {
	Line  int // its place among the lines, from 0
	Level int // from 1
	Text  string
}

// section finds a heading and what belongs to it.
func section(data []byte, name string) resources.Part {
	lines := linesOf(data)
	wanted := strings.TrimSpace(strings.TrimLeft(name, "#"))
	from, to, level := -1, len(lines), 0
	for _, h := range Headings(lines) {
		if from >= 0 && h.Level <= level {
			to = h.Line
			break
		}
		if from < 0 && strings.EqualFold(h.Text, wanted) {
			from, level = h.Line, h.Level
		}
	}
	if from < 0 {
		return resources.Part{}
	}
	return resources.Part{Exists: true, SHA256: sumOf(lines[from:to])}
}

// headings are the texts of a file's headings.
func headings(data []byte) []string {
	var texts []string
	for _, h := range Headings(linesOf(data)) {
		texts = append(texts, h.Text)
	}
	return texts
}

// Headings finds the headings of a Markdown text. Lines in fenced code are none.
func Headings(lines []string) []Heading {
	var all []Heading
	fenced := false
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if h, found := readHeading(line); found && !fenced {
			h.Line = i
			all = append(all, h)
		}
	}
	return all
}

func readHeading(line string) (h Heading, found bool) {
	text := strings.TrimLeft(line, "#")
	h.Level = len(line) - len(text)
	if h.Level == 0 || h.Level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return h, false
	}
	h.Text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#"))
	return h, true
}
