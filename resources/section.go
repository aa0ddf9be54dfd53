package resources

import (
	"bytes"
	"path"
	"strings"
)

// Section returns the part of a file that evidence cites by name, and whether there is
// one; the file's name says how to look for it.
//
// In Markdown it is what stands under the first heading of that text, the heading
// included, up to the next heading of its level or a higher one. In any other file it
// begins with the first line that holds the text, and ends before the next line that is
// indented no deeper and does not merely close a bracket. Line ends count as \n, blank
// space at the ends of the part does not count, so that the same part has the same sum on
// every machine.
func Section(file, section string, data []byte) ([]byte, bool) {
	section = strings.TrimSpace(section)
	if section == "" {
		return nil, false
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	find := blockOf
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx":
		find = underHeading
	}
	from, to := find(lines, section)
	if from < 0 {
		return nil, false
	}
	return bytes.TrimSpace([]byte(strings.Join(lines[from:to], "\n"))), true
}

// underHeading finds a heading and what belongs to it; -1 if there is none. Lines in
// fenced code are no headings.
func underHeading(lines []string, section string) (from, to int) {
	wanted := strings.TrimSpace(strings.TrimLeft(section, "#"))
	from, level, fenced := -1, 0, false
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		n, text := heading(line)
		switch {
		case fenced || n == 0:
		case from < 0 && strings.EqualFold(text, wanted):
			from, level = i, n
		case from >= 0 && n <= level:
			return from, i
		}
	}
	return from, len(lines)
}

// heading reads an ATX heading: its level, 0 for none, and its text.
func heading(line string) (level int, text string) {
	text = strings.TrimLeft(line, "#")
	level = len(line) - len(text)
	if level == 0 || level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#"))
}

// blockOf finds a line that holds the text, and the block that it begins.
func blockOf(lines []string, section string) (from, to int) {
	from = -1
	for i, line := range lines {
		if strings.Contains(line, section) {
			from = i
			break
		}
	}
	if from < 0 {
		return -1, 0
	}
	depth := indent(lines[from])
	for i := from + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" && indent(lines[i]) <= depth && !closes(lines[i]) {
			return from, i
		}
	}
	return from, len(lines)
}

// indent is how far a line is indented, a tab as eight blanks.
func indent(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// closes reports whether a line only closes what an earlier one opened.
func closes(line string) bool {
	line = strings.TrimSpace(line)
	return line == "end" || strings.IndexByte("})]", line[0]) >= 0
}
