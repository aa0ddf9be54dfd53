package source

import (
	"iter"
	"net/url"
	"path"
	"slices"
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

// FrontMatter returns the number of lines of the front matter, including the
// lines --- around it, or 0 without front matter. lines must not be empty.
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

// maxLink is the maximum length of a link target, in bytes.
const maxLink = 300

// links returns the files that a Markdown text links to, as paths from the repository's
// root, sorted, without duplicates. It considers relative links to a file name outside of
// code. file is the path of the text.
func links(file string, lines []string) []string {
	var found []string
	var code fence
	for _, line := range lines {
		if code.holds(line) || !strings.Contains(line, "](") {
			continue
		}
		for i, piece := range strings.Split(line, "`") {
			if i%2 == 0 { // odd pieces are code
				found = appendLinks(found, path.Dir(file), piece)
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return found[:min(len(found), maxLinks)]
}

// appendLinks appends the files that inline links in a text refer to. folder is the directory of
// the document.
func appendLinks(to []string, folder, text string) []string {
	for _, rest, ok := strings.Cut(text, "]("); ok; _, rest, ok = strings.Cut(rest, "](") {
		target := rest[:min(len(rest), maxLink)]
		if end := strings.IndexAny(target, ") \t"); end >= 0 {
			if linked := LinkedFile(folder, target[:end]); linked != "" {
				to = append(to, linked)
			}
		}
	}
	return to
}

// LinkedFile returns the file that a link target in a text of a directory names. It returns
// "" if the target is not a file of the repository.
func LinkedFile(folder, target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	plain, err := url.PathUnescape(target)
	if err != nil || plain == "" || strings.HasPrefix(plain, "/") || strings.ContainsAny(plain, ":{}<>$*|\\\x00") {
		return ""
	}
	file := path.Join(folder, plain)
	if file == ".." || strings.HasPrefix(file, "../") || strings.HasSuffix(plain, "/") || path.Ext(file) == "" || path.Ext(file) == path.Base(file) {
		return ""
	}
	return file
}
