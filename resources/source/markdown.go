package source

import (
	"iter"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Heading is an ATX heading of a Markdown text.
type Heading struct {
	Line  int // line index, from 0
	Level int // from 1
	Text  string
}

// section finds a heading and its section.
func section(data []byte, name string) resources.Part {
	lines := sectionLines(linesOf(data), name)
	if lines == nil {
		return resources.Part{}
	}
	return resources.Part{Exists: true, SHA256: sumOf(lines)}
}

// sectionLines returns a heading and the lines of its section, or nil if there is no such
// heading.
func sectionLines(lines []string, name string) []string {
	wanted := strings.TrimSpace(strings.TrimLeft(name, "#"))
	from, to, level := -1, len(lines), 0
	for _, h := range headingsOf(lines) {
		if from >= 0 && h.Level <= level {
			to = h.Line
			break
		}
		if from < 0 && strings.EqualFold(h.Text, wanted) {
			from, level = h.Line, h.Level
		}
	}
	if from < 0 {
		return nil
	}
	return lines[from:to]
}

// headings returns the texts of a file's headings.
func headings(data []byte) []string {
	var texts []string
	for _, h := range headingsOf(linesOf(data)) {
		texts = append(texts, h.Text)
	}
	return texts
}

// headingsOf returns the headings of a file, without its front matter.
func headingsOf(lines []string) []Heading {
	text := FrontMatter(lines)
	all := Headings(lines[text:])
	for i := range all {
		all[i].Line += text
	}
	return all
}

// Headings returns the headings of a Markdown text. It ignores lines in fenced code.
func Headings(lines []string) []Heading {
	var all []Heading
	var code fence
	for i, line := range lines {
		if code.holds(line) {
			continue
		}
		if h, found := readHeading(line); found {
			h.Line = i
			all = append(all, h)
		}
	}
	return all
}

// fence is the opening line of fenced code. The zero value means outside of fenced code.
type fence struct {
	mark byte
	long int
}

// holds reports whether the next line is part of fenced code, including its first and last
// line. The code ends with a line of at least as many of the same markers, or with the
// text.
func (f *fence) holds(line string) bool {
	trimmed := strings.TrimSpace(line)
	marks, mark := 0, byte(0)
	if trimmed != "" && (trimmed[0] == '`' || trimmed[0] == '~') {
		mark = trimmed[0]
		marks = len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
	}
	switch {
	case f.long > 0:
		if mark == f.mark && marks >= f.long && marks == len(trimmed) {
			*f = fence{}
		}
		return true
	case marks >= 3 && (mark == '~' || !strings.Contains(trimmed[marks:], "`")): // otherwise it is inline code
		*f = fence{mark, marks}
		return true
	}
	return false
}

// Prose yields the lines of a Markdown text that are neither front matter nor fenced code,
// with their indexes from 0.
func Prose(lines []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		var code fence
		for i := FrontMatter(lines); i < len(lines); i++ {
			if !code.holds(lines[i]) && !yield(i, lines[i]) {
				return
			}
		}
	}
}

// FrontMatter returns the number of lines of the front matter, including the lines ---
// around it.
func FrontMatter(lines []string) int {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return 0
	}
	for i, line := range lines[1:] {
		if end := strings.TrimRight(line, " \t"); end == "---" || end == "..." {
			return i + 2
		}
	}
	return 0
}

// readHeading parses a line such as "## Title". found is false for other lines.
func readHeading(line string) (h Heading, found bool) {
	text := strings.TrimLeft(line, "#")
	h.Level = len(line) - len(text)
	if h.Level == 0 || h.Level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return h, false
	}
	h.Text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#"))
	return h, true
}
