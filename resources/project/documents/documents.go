// Package documents classifies the Markdown files of a repository. It
// determines the class, the declared state, the planning framework and the
// broken links of each document. It does not analyze the content. A document
// without a matching rule has the class Unclassified ("other").
package documents

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Classes of documents. The purpose of a document determines its class, not its subject. If
// two classes match, the place in a framework has precedence, then the document's own
// declaration.
const (
	PRD          = "prd"          // requirements of a product: goals, users, features
	Spec         = "spec"         // testable requirements of one feature, format or protocol
	Architecture = "architecture" // structure of a system: components, data, rationale
	ADR          = "adr"          // one decision with its context and consequences
	Plan         = "plan"         // steps of one change
	Tasks        = "tasks"        // work items to check off one by one
	Roadmap      = "roadmap"      // content of releases, phases or quarters
	Research     = "research"     // investigation before a decision: options, markets, results
	Report       = "report"       // results at one time: reviews, audits, summaries
	Readme       = "readme"       // content of a directory and first steps, by its name README
	Guide        = "guide"        // instructions: tutorials, how-tos, runbooks, policies
	Reference    = "reference"    // facts to look up: settings, commands, interfaces, terms
	Changelog    = "changelog"    // changes by version
	Rules        = "rules"        // instructions to agents: rules, skills, prompts
	Config       = "config"       // forms and parts of tools, not for readers
	Unclassified = "other"        // no other class, or no matching rule
)

// Document describes one Markdown file.
type Document struct {
	Path      string `json:"path"`
	Class     string `json:"class"`
	Rule      string `json:"by"` // rule that determined the class: framework, front matter, name, folder, none
	Title     string `json:"title,omitempty"`
	Framework string `json:"framework,omitempty"`
	// State is the state that the document, or else its place in a framework, declares:
	// draft, proposed, accepted, active, rejected, deprecated, superseded, completed,
	// abandoned. It is empty if there is no declaration.
	State        string `json:"state,omitempty"`
	StateLine    int    `json:"stateLine,omitempty"`    // line of the declaration; 0 if the place declares it
	SupersededBy string `json:"supersededBy,omitempty"` // a path if it is a link to a file, else the original text
	Supersedes   string `json:"supersedes,omitempty"`   // a path if it is a link to a file, else the original text
	// Sections contains the sections as in artifacts, with paths, checksums and checkboxes.
	Sections  []resources.DocumentSection `json:"sections,omitempty"`
	BoxesDone int                         `json:"boxesDone,omitempty"` // checked checkboxes
	BoxesOpen int                         `json:"boxesOpen,omitempty"`
	Links     []Link                      `json:"links,omitempty"` // to files of the repository
	DeadLinks []Link                      `json:"gone,omitempty"`  // to deleted files of the repository
}

// Link is a link to a file of the repository.
type Link struct {
	Path string `json:"path"` // from the root
	Line int    `json:"line"` // from 1
}

// extensions lists the extensions of Markdown files, including .mdc for Cursor's rules.
var extensions = [...]string{".md", ".markdown", ".mdx", ".mdc"}

// IsDocument reports whether this package reads a file.
func IsDocument(file string) bool {
	return slices.Contains(extensions[:], strings.ToLower(path.Ext(file)))
}

// Find returns all documents, sorted by path. It ignores fixture directories, except
// documents of frameworks, which include templates. was reports whether a path existed in
// the repository earlier. If it is nil, DeadLinks is empty. Unreadable files are ignored.
func Find(files project.Files, was func(path string) bool) []Document {
	frameworks, vendored := Frameworks(files), project.Vendored(files)
	there := places{}
	for _, file := range files.Paths() {
		there[file] = true
	}
	var all []Document
	for _, file := range files.Paths() {
		if !IsDocument(file) || vendored(file) || project.Installed(files, file) || project.IsFixture(file) && !inFramework(frameworks, file) {
			continue
		}
		data, err := files.Read(file)
		if err != nil {
			continue // deleted in the meantime
		}
		d := Read(file, data, frameworks)
		// Links to deleted files are kept apart; all other links to missing files are dropped.
		var live []Link
		var gone []Link
		for _, l := range d.Links {
			switch {
			case there[l.Path]:
				live = append(live, l)
			case was != nil && was(l.Path):
				gone = append(gone, l)
			}
		}
		d.Links, d.DeadLinks = live, gone
		all = append(all, d)
	}
	return all
}

// Read reads one document. Links contains all relative links, including broken ones.
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
			d.Class, d.Rule = place.class, "framework"
		}
	}
	if d.Class == "" {
		d.Class, d.Rule = classOf(file, t)
	}
	for _, l := range t.links {
		if to := target(file, l.Path); to != "" {
			d.Links = append(d.Links, Link{to, l.Line})
		}
	}
	return d
}

// places is the set of existing files.
type places map[string]bool

// target returns the file that a link of a document refers to, from the root. It returns ""
// for other links, and if the path of the document is unknown.
func target(file, link string) string {
	if file == "" {
		return ""
	}
	return source.LinkedFile(path.Dir(file), link)
}

// resolved returns a name as a path if it is a link to a document.
func resolved(file, name string) string {
	if to := target(file, name); to != "" && IsDocument(to) {
		return to
	}
	return name
}
