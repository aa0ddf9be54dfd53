// Package documents says what the Markdown files of a repository are: the class of each, what
// it says of its own state, which planning framework it belongs to, and which of its links
// lead to files that are gone. What a document is about, it does not say, and what no rule
// decides is other, never guessed.
package documents

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// The classes of documents. What a document is for decides, not what it is about; where two
// fit, the place in a framework decides, then what the document calls itself.
const (
	PRD          = "prd"          // what a product must do and for whom: goals, users, requirements
	Spec         = "spec"         // what one feature, format or protocol must do, so that it can be tested
	Architecture = "architecture" // how a system is built: its parts, its data, why they are so
	ADR          = "adr"          // one decision, with its context and what follows from it
	Plan         = "plan"         // how one change will be made, in steps
	Tasks        = "tasks"        // pieces of work, to be ticked off or taken up one by one
	Roadmap      = "roadmap"      // what comes in which release, phase or quarter
	Research     = "research"     // what was looked into before a decision: options, markets, findings
	Report       = "report"       // what was done, seen or measured at one time: reviews, audits, summaries
	Readme       = "readme"       // what a folder holds and how to begin, by its name README
	Guide        = "guide"        // how a reader does something: tutorials, how-tos, runbooks, policies
	Reference    = "reference"    // what there is to look up: settings, commands, interfaces, terms
	Changelog    = "changelog"    // what changed in which version
	Rules        = "rules"        // what agents are told to do: rules, skills, prompts
	Config       = "config"       // forms and parts of tools, which no person reads as a document
	Other        = "other"        // none of these, or no rule decides
)

// Document is what is known of one Markdown file.
type Document struct {
	Path      string `json:"path"`
	Class     string `json:"class"`
	By        string `json:"by"` // the rule that decided the class: framework, front matter, name, folder, none
	Title     string `json:"title,omitempty"`
	Framework string `json:"framework,omitempty"`
	// State is what the document says of itself, or what its place in a framework does: draft, proposed, accepted,
	// active, rejected, deprecated, superseded, completed, abandoned; "" if neither says anything.
	State        string `json:"state,omitempty"`
	StateLine    int    `json:"stateLine,omitempty"`    // where it says so; 0 for its place
	SupersededBy string `json:"supersededBy,omitempty"` // a path where it is a link to a file, else as it is written
	Supersedes   string `json:"supersedes,omitempty"`   // likewise
	// Sections are those that artifacts know, with their paths, sums and boxes.
	Sections  []resources.DocumentSection `json:"sections,omitempty"`
	BoxesDone int                         `json:"boxesDone,omitempty"` // of its check boxes
	BoxesOpen int                         `json:"boxesOpen,omitempty"`
	Links     []Link                      `json:"links,omitempty"` // to files of the repository
	Gone      []Link                      `json:"gone,omitempty"`  // to files that were in it and are not
}

// Link is a link to a file of the repository.
type Link struct {
	Path string `json:"path"` // from the root
	Line int    `json:"line"` // from 1
}

// extensions are those of Markdown; .mdc is that of Cursor's rules.
var extensions = [...]string{".md", ".markdown", ".mdx", ".mdc"}

// IsDocument reports whether a file is one that this package reads.
func IsDocument(file string) bool {
	return slices.Contains(extensions[:], strings.ToLower(path.Ext(file)))
}

// Find returns all documents, by path. Those in folders of fixtures are left out, but not those
// of frameworks, whose templates are theirs. was reports whether a path was in the repository at some
// time; without it (nil) no link is called gone. A file that cannot be read is left out.
func Find(files project.Files, was func(path string) bool) []Document {
	frameworks, vendored := Frameworks(files), project.Vendored(files)
	there := placesOf(files.Paths())
	var all []Document
	for _, file := range files.Paths() {
		if !IsDocument(file) || vendored(file) || project.Installed(files, file) || project.IsFixture(file) && !inFramework(frameworks, file) {
			continue
		}
		data, err := files.Read(file)
		if err != nil {
			continue // gone since the list was made
		}
		d := Read(file, data, frameworks)
		d.Links, d.Gone = there.sort(d.Links, was)
		all = append(all, d)
	}
	return all
}

// Read reads one document. Links are all relative ones, whether there is anything at their ends or not.
func Read(file string, data []byte, frameworks []Framework) Document {
	t := readText(data)
	d := Document{Path: file, Title: t.title, Sections: source.ReadDocument(file, data).Sections, BoxesDone: t.done, BoxesOpen: t.open}
	d.State, d.StateLine = t.state, t.stateLine
	d.SupersededBy, d.Supersedes = resolved(file, t.supersededBy), resolved(file, t.supersedes)
	if place, ok := placeOf(frameworks, file); ok {
		d.Framework = place.framework
		if place.state != "" && d.State == "" {
			d.State = place.state
		}
		if place.class != "" {
			d.Class, d.By = place.class, "framework"
		}
	}
	if d.Class == "" {
		d.Class, d.By = classOf(file, t)
	}
	for _, l := range t.links {
		if to := target(file, l.Path); to != "" {
			d.Links = append(d.Links, Link{to, l.Line})
		}
	}
	return d
}

// places are the files that there are.
type places map[string]bool

func placesOf(paths []string) places {
	there := places{}
	for _, file := range paths {
		there[file] = true
	}
	return there
}

// sort keeps links to what is there, and tells those apart that lead to what once was.
func (there places) sort(links []Link, was func(path string) bool) (live, gone []Link) {
	for _, l := range links {
		switch {
		case there[l.Path]:
			live = append(live, l)
		case was != nil && was(l.Path):
			gone = append(gone, l)
		}
	}
	return live, gone
}

// target is the file that a link of a document leads to, from the root; "" for any other, and
// where nobody knows where the document is.
func target(file, link string) string {
	if file == "" {
		return ""
	}
	return source.LinkedFile(path.Dir(file), link)
}

// resolved is what a document names, as a path where it is one of a document.
func resolved(file, name string) string {
	if to := target(file, name); to != "" && IsDocument(to) {
		return to
	}
	return name
}
