package source

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// Limits for one document. Checksums also cover content beyond these limits.
const (
	maxSections = 1000
	maxLinks    = 1000
	maxHeading  = 120 // characters
)

// ReadDocument parses a Markdown file of the repository: its sections and its links to
// files. file is the path from the repository's root. For a file larger than 1 MiB, only
// Exists is set.
func ReadDocument(file string, data []byte) resources.Document {
	d := resources.Document{Exists: true}
	if len(data) > maxScanned {
		return d
	}
	lines := linesOf(data)
	r := documentReader{document: &d, text: make([]byte, 0, len(data)), paths: map[string]int{}}
	r.parse(lines)
	d.State = claimOf(lines)
	d.Links = links(file, lines[FrontMatter(lines):])
	return d
}

// documentReader parses a document in one pass. open contains the sections that include the
// current line, innermost last.
type documentReader struct {
	document *resources.Document
	text     []byte // text for the checksum so far
	open     []openSection
	paths    map[string]int // number of sections by lower-case path
}

// openSection is a section whose end was not read yet.
type openSection struct {
	index int // index in document.Sections; -1 if it is not listed
	level int
	path  string
	start int // start of its text
}

// parse reads the front matter, the headings and the lines of a document.
func (r *documentReader) parse(lines []string) {
	all := headingsOf(lines)
	text := FrontMatter(lines)
	if text > 0 {
		for _, line := range lines[:text] {
			r.append(strings.TrimRight(line, " \t"))
		}
		r.list(resources.DocumentSection{Path: r.unique(resources.FrontMatter), Line: 1, SHA256: hexSum(r.text)})
		r.text = r.text[:0]
	}
	r.document.Title = titleOf(all)
	var code fence
	for i := text; i < len(lines); i++ {
		coded := code.holds(lines[i])
		if len(all) > 0 && all[0].Line == i {
			r.heading(all[0])
			all = all[1:]
			continue
		}
		r.line(lines[i], !coded)
	}
	r.end(0)
	r.document.SHA256 = hexSum(r.text)
}

// titleOf returns the first heading if no other heading has the same or a higher level, or
// "".
func titleOf(all []Heading) string {
	if len(all) == 0 || slices.ContainsFunc(all[1:], func(h Heading) bool { return h.Level <= all[0].Level }) {
		return ""
	}
	return headingText(all[0].Text)
}

// heading ends the sections before a heading and begins a new one.
func (r *documentReader) heading(h Heading) {
	text := headingText(h.Text)
	first := len(r.document.Sections) == 0 || r.document.Sections[len(r.document.Sections)-1].Path == resources.FrontMatter
	if r.document.Title != "" && first && len(r.open) == 0 && text == r.document.Title {
		r.append(h.Text)
		return
	}
	keep := len(r.open)
	for keep > 0 && r.open[keep-1].level >= h.Level {
		keep--
	}
	r.end(keep)
	r.line(strings.Repeat("#", h.Level)+" "+h.Text, false)
	path := text
	if keep > 0 {
		path = r.open[keep-1].path + resources.SectionSeparator + text
	}
	path = r.unique(path)
	at := r.list(resources.DocumentSection{Path: path, Line: h.Line + 1})
	r.open = append(r.open, openSection{at, h.Level, path, len(r.text)})
}

// unique returns the path of a section, with a number if an earlier section has the same
// path.
func (r *documentReader) unique(path string) string {
	key := strings.ToLower(path)
	r.paths[key]++
	for n := r.paths[key]; n > 1; n++ {
		if number := " (" + strconv.Itoa(n) + ")"; r.paths[key+number] == 0 {
			r.paths[key], r.paths[key+number] = n, 1
			return path + number
		}
	}
	return path
}

// list adds a section and returns its index. Beyond maxSections it returns -1.
func (r *documentReader) list(s resources.DocumentSection) int {
	if len(r.document.Sections) == maxSections {
		return -1
	}
	r.document.Sections = append(r.document.Sections, s)
	return len(r.document.Sections) - 1
}

// line adds a line, and counts its checkbox in all open sections.
func (r *documentReader) line(line string, text bool) {
	line = strings.TrimRight(line, " \t")
	box := -1
	if text {
		box = Box(line)
	}
	ticked := box >= 0 && line[box] != ' '
	if ticked { // a checked box must not change the checksum
		line = line[:box] + " " + line[box+1:]
	}
	r.append(line)
	for _, o := range r.open {
		if o.index < 0 || box < 0 {
			continue
		}
		r.document.Sections[o.index].TasksTotal++
		if ticked {
			r.document.Sections[o.index].TasksDone++
		}
	}
}

// append adds a line to the text for the checksum. It ignores blank lines.
func (r *documentReader) append(line string) {
	if line != "" {
		r.text = append(append(r.text, line...), '\n')
	}
}

// Box returns the offset of the mark in a checkbox such as "- [x] done", or -1 for a line
// without one.
func Box(line string) int {
	item := strings.TrimLeft(line, " \t>")
	rest := strings.TrimLeft(item, "0123456789")
	switch {
	case rest == "" || rest != item && rest[0] != '.' && rest[0] != ')' || rest == item && !strings.ContainsRune("-*+", rune(rest[0])):
		return -1
	}
	box := strings.TrimLeft(rest[1:], " \t")
	if len(box) == len(rest)-1 || len(box) < 3 || box[0] != '[' || !strings.ContainsRune(" xX", rune(box[1])) || box[2] != ']' || len(box) > 3 && box[3] != ' ' && box[3] != '\t' {
		return -1
	}
	return len(line) - len(box) + 1
}

// end closes all open sections except the first keep ones.
func (r *documentReader) end(keep int) {
	for _, o := range r.open[keep:] {
		if o.index >= 0 {
			r.document.Sections[o.index].SHA256 = hexSum(r.text[o.start:])
		}
	}
	r.open = r.open[:keep]
}

// headingText returns a heading for a section path: without control characters and without
// SectionSeparator.
func headingText(text string) string {
	words := strings.Fields(strings.Map(resources.Visible, text))
	words = slices.DeleteFunc(words, func(word string) bool { return word == strings.TrimSpace(resources.SectionSeparator) })
	text = strings.Join(words, " ")
	if utf8.RuneCountInString(text) > maxHeading {
		text = string([]rune(text)[:maxHeading])
	}
	return cmp.Or(text, "(untitled)")
}
