package resources

import (
	"strings"
	"time"
)

// Document is what is known of a Markdown file of the repository (package source reads it).
type Document struct {
	Exists    bool              // as a regular file of the repository
	GoneSince time.Time         // of one that does not exist: since when; zero if nobody knows
	Title     string            // its first heading, if it is the only one of the first level
	SHA256    string            // of all of it but its front matter; "" if it cannot be told
	Sections  []DocumentSection // in their order
	State     string            // what it says of itself, as a state of an artifact; "" if nothing
	Links     []string          // files that it links to, from the repository's root, sorted, each once
}

// DocumentSection is a heading and what stands below it, up to the next heading of its level.
type DocumentSection struct {
	Path       string `json:"path" doc:"The headings above it and its own: Auth > Tokens. That of the document itself is left out."`
	Line       int    `json:"line" doc:"The line of its heading, from 1."`
	SHA256     string `json:"sha256" doc:"Of the text below the heading: line ends, blank space at the end of lines, blank lines and ticks in boxes do not count."`
	TasksDone  int    `json:"tasksDone,omitempty" doc:"Boxes in it that are ticked."`
	TasksTotal int    `json:"tasksTotal,omitempty" doc:"Boxes in it: - [ ]."`
}

// SectionSeparator stands between the headings of a section's path.
const SectionSeparator = " > "

// FrontMatter is the path of the section that the front matter of a document is.
const FrontMatter = "---"

// Section finds a section by its path, in any case; where no path is that, by its last heading
// if just one section has it. "" and the title are the whole document. found is the path as the
// document says it.
func (d Document) Section(name string) (found string, sum string, ok bool) {
	if name = strings.TrimSpace(name); name == "" || strings.EqualFold(name, d.Title) {
		return "", d.SHA256, d.Exists
	}
	if s, ok := d.exactly(name); ok {
		return s.Path, s.SHA256, true
	}
	var last []DocumentSection
	for _, s := range d.Sections {
		if strings.HasSuffix(strings.ToLower(s.Path), strings.ToLower(SectionSeparator+name)) {
			last = append(last, s)
		}
	}
	if len(last) != 1 {
		return "", "", false
	}
	return last[0].Path, last[0].SHA256, true
}

func (d Document) exactly(path string) (DocumentSection, bool) {
	for _, s := range d.Sections {
		if strings.EqualFold(s.Path, path) {
			return s, true
		}
	}
	return DocumentSection{}, false
}

// Follow finds what a link led to when it had that sum: the section of that path or, where the
// heading has another name by now, the only section with the same text below it. "" is the whole
// document.
func (d Document) Follow(path, sum string) (now string, sumNow string, ok bool) {
	if path == "" {
		return "", d.SHA256, d.Exists
	}
	if s, ok := d.exactly(path); ok {
		return s.Path, s.SHA256, true
	}
	for _, s := range d.Sections {
		if s.SHA256 != sum || sum == "" || sum == sumOfNothing {
			continue
		}
		if ok {
			return "", "", false // of several nobody knows which
		}
		now, sumNow, ok = s.Path, s.SHA256, true
	}
	return now, sumNow, ok
}

// sumOfNothing is that of a heading without a text, which is like any other of those.
const sumOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Holds reports whether a section is another one, or holds it: "" is the whole document.
func Holds(outer, inner string) bool {
	outer, inner = strings.ToLower(outer), strings.ToLower(inner)
	return outer == "" || outer == inner || strings.HasPrefix(inner, outer+SectionSeparator)
}

// Overlap reports whether two sections share any text.
func Overlap(a, b string) bool { return Holds(a, b) || Holds(b, a) }
