package resources

import (
	"strings"
	"time"
)

// Document describes a Markdown file of the repository. Package source reads it.
type Document struct {
	Exists    bool              // the path is a regular file of the repository
	GoneSince time.Time         // the time since when the file is missing; zero if unknown or if it exists
	Title     string            // its first heading, if it is the only level 1 heading
	SHA256    string            // checksum of the file without its front matter; empty if it cannot be computed
	Sections  []DocumentSection // in document order
	State     string            // the state in its front matter, as a state of an artifact; empty if absent
	Links     []string          // linked files, from the repository's root, sorted, without duplicates
}

// DocumentSection is a heading with the text up to the next heading of its level.
type DocumentSection struct {
	Path       string `json:"path" doc:"The headings above it and its heading: Auth > Tokens. The title of the document is omitted."`
	Line       int    `json:"line" doc:"The line of its heading, from 1."`
	SHA256     string `json:"sha256" doc:"Of the text below the heading: line ends, blank space at the end of lines, blank lines and ticks in boxes do not count."`
	TasksDone  int    `json:"tasksDone,omitempty" doc:"Boxes in it that are ticked."`
	TasksTotal int    `json:"tasksTotal,omitempty" doc:"Boxes in it: - [ ]."`
}

// SectionSeparator separates the headings in the path of a section.
const SectionSeparator = " > "

// FrontMatter is the section path of the front matter.
const FrontMatter = "---"

// Section finds a section by its path, ignoring case. If no path matches, it
// finds the only section with name as its last heading. An empty name or the
// title selects the entire document. found is the path as the document spells
// it; empty for the entire document.
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

// exactly returns the section with a path, ignoring case.
func (d Document) exactly(path string) (DocumentSection, bool) {
	for _, s := range d.Sections {
		if strings.EqualFold(s.Path, path) {
			return s, true
		}
	}
	return DocumentSection{}, false
}

// Follow finds the target of a link that was recorded with a checksum. It
// returns the section with that path. If no section has the path, it returns
// the only section with the same text. ok is false if there is no such section,
// or more than one. An empty path selects the entire document.
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
			return "", "", false // ambiguous
		}
		now, sumNow, ok = s.Path, s.SHA256, true
	}
	return now, sumNow, ok
}

// sumOfNothing is the checksum of an empty section. All empty sections share it.
const sumOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Holds reports whether outer is the section inner or contains it. "" is the entire
// document.
func Holds(outer, inner string) bool {
	outer, inner = strings.ToLower(outer), strings.ToLower(inner)
	return outer == "" || outer == inner || strings.HasPrefix(inner, outer+SectionSeparator)
}

// Overlap reports whether two sections share any text.
func Overlap(a, b string) bool { return Holds(a, b) || Holds(b, a) }
