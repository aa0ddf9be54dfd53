package source

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// heading is an ATX heading.
type heading struct {
	line, level int
	text        string
}

// section finds a heading and what belongs to it.
func section(data []byte, name string) resources.Part {
	lines := linesOf(data)
	wanted := strings.TrimSpace(strings.TrimLeft(name, "#"))
	from, to, level := -1, len(lines), 0
	for _, h := range headingsIn(lines) {
		if from >= 0 && h.level <= level {
			to = h.line
			break
		}
		if from < 0 && strings.EqualFold(h.text, wanted) {
			from, level = h.line, h.level
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
	for _, h := range headingsIn(linesOf(data)) {
		texts = append(texts, h.text)
	}
	return texts
}

// HeadingLines are those of a Markdown text's lines, by their places from 0, that are headings.
func HeadingLines(lines []string) []int {
	var all []int
	for _, h := range headingsIn(lines) {
		all = append(all, h.line)
	}
	return all
}

// headingsIn finds headings. Lines in fenced code are none.
func headingsIn(lines []string) []heading {
	var all []heading
	fenced := false
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if h, found := readHeading(line); found && !fenced {
			h.line = i
			all = append(all, h)
		}
	}
	return all
}

func readHeading(line string) (h heading, found bool) {
	text := strings.TrimLeft(line, "#")
	h.level = len(line) - len(text)
	if h.level == 0 || h.level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return h, false
	}
	h.text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#"))
	return h, true
}
