// Package onboarding plans the adoption of an existing repository by iDumb: its documents,
// decisions, technologies and build commands. It performs the plan and can undo it. It runs no
// command of the repository. Texts from the repository are untrusted: they are cut, and escaped
// before they are printed.
package onboarding

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/technologies"
	"github.com/idumb-dev/idumb/resources/source"
)

// ScanResult is the result of scanning a repository.
type ScanResult struct {
	Technologies []technologies.Technology // summary with one entry for each technology
	Commands     []technologies.Command
	Workspaces   []technologies.Workspace
	Documents    []documents.Document
	Frameworks   []documents.Framework
	Sources      []string // patterns of source files, most files first
	Tests        []string // patterns of test files, most files first
	Code         int      // number of source and test files
	// Shared are files that at least minImporters files other than tests import, most imported first.
	Shared []SharedFile
	// Contradictions are places in rules files for agents that contradict the repository, as text.
	Contradictions []string
}

// Look scans a repository. Equal files give equal results.
func Look(files project.Files) ScanResult {
	f := ScanResult{
		Technologies: technologies.Summary(technologies.Find(files)),
		Commands:     technologies.Commands(files),
		Workspaces:   technologies.Workspaces(files),
		Documents:    documents.Find(files, func(string) bool { return true }),
		Frameworks:   documents.Frameworks(files),
	}
	f.Sources, f.Tests, f.Code = places(files)
	f.Shared = sharedFiles(files)
	f.Contradictions = contradictions(files, f)
	return f
}

// CountCode returns the number of source and test files.
func CountCode(files project.Files) int {
	_, _, n := places(files)
	return n
}

// maxPlaces is the maximal number of patterns of a kind.
const maxPlaces = 8

// places returns the patterns of source and test files, and the number of these files.
func places(files project.Files) (sources, tests []string, code int) {
	vendored := project.Vendored(files)
	ofSource, ofTests := map[string]int{}, map[string]int{}
	for _, file := range files.Paths() {
		if !isCode(file) || project.IsFixture(file) || vendored(file) {
			continue
		}
		code++
		if project.IsTest(file) {
			ofTests[folderOf(file)]++
		} else {
			ofSource[folderOf(file)]++
		}
	}
	return largest(ofSource), largest(ofTests), code
}

// isCode reports whether a file is in a programming language. It ignores hidden files at the root.
func isCode(file string) bool {
	language := source.LanguageOf(file)
	return language != "" && language != "Markdown" && !strings.HasPrefix(file, ".")
}

// folderOf returns the pattern of the top directory that contains a file, or the pattern of the
// file's extension if the file is at the root.
func folderOf(file string) string {
	if folder, _, inside := strings.Cut(file, "/"); inside {
		return folder + "/**"
	}
	return "*" + file[strings.LastIndexByte(file, '.'):]
}

// largest returns the plain patterns with most files, at most maxPlaces.
func largest(counts map[string]int) []string {
	var all []string
	for pattern := range counts {
		if technologies.IsPlain(pattern) {
			all = append(all, pattern)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return all[:min(maxPlaces, len(all))]
}

// maxPlain is the maximal length of a name for agents, in bytes.
const maxPlain = 100

// words returns a text of the repository in a form for objects: one line of at most most bytes that
// opens and closes no tags.
func words(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "`", "'")), " ")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, text)
	// Except before = or a digit, where they compare versions, < and > become parentheses.
	// So no tag begins, and none ends that did not begin.
	all := []byte(text)
	for i, c := range all {
		switch compares := i+1 < len(all) && strings.IndexByte("=0123456789", all[i+1]) >= 0; {
		case compares:
		case c == '<':
			all[i] = '('
		case c == '>':
			all[i] = ')'
		}
	}
	text = string(all) // last, so that a removed zero-width character hides no tag
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + ".."
	}
	return text
}

// evidenceAt returns evidence for a place that a scanner reported as file:line.
func evidenceAt(place string) resources.MemEvidence {
	file, line, _ := strings.Cut(place, ":")
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		file, line = place[:i], place[i+1:]
	}
	return resources.MemEvidence{Path: file, Note: "line " + words(line, 10)}
}

// Objects gives access to the objects of a repository. It is implemented by graph.Graph.
type Objects interface {
	Exists(key resources.Key) bool
	Archived(key resources.Key) bool
	Names(kind string) []string
	Get(key resources.Key) (resources.Object, bool)
	ArtifactsAt(path string) []*resources.Artifact
}

// ExistingOf returns the existing objects. Archived objects are included, because a user archived them
// on purpose.
func ExistingOf(objects Objects) Existing {
	k := existing{Objects: objects, records: map[string]bool{}}
	for _, name := range objects.Names(resources.Decisions) {
		if o, ok := objects.Get(resources.Key{Kind: resources.Decisions, Name: name}); ok {
			k.records[o.(*resources.Decision).Spec.Artifact] = true
		}
	}
	return k
}

// existing implements Existing.
type existing struct {
	Objects
	records map[string]bool // documents that are records of decisions
}

// Exists reports whether an object exists or is archived.
func (k existing) Exists(key resources.Key) bool { return k.Objects.Exists(key) || k.Archived(key) }

// DecisionAt reports whether a decision names the document at a path as its record.
func (k existing) DecisionAt(path string) bool { return k.records[path] }
