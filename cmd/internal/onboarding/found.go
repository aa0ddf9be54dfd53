// Package onboarding makes a plan of what iDumb can take over from a repository that was there
// before it: documents, decisions, what it is made of, how it is built; and carries that plan out,
// and takes it back. Nothing of the repository is run, and what it says is data of strangers: it is
// cut, and escaped where it is shown.
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

// Found is what a repository shows of itself.
type Found struct {
	Technologies []technologies.Technology // the summary: one of each
	Commands     []technologies.Command
	Workspaces   []technologies.Workspace
	Documents    []documents.Document
	Frameworks   []documents.Framework
	Sources      []string // patterns of where source is, most files first
	Tests        []string // patterns of where tests are, likewise
	Code         int      // files of source and tests
	// Contradictions are places in rules files for agents that the repository contradicts, as words.
	Contradictions []string
}

// Look reads a repository. The same files give the same answer.
func Look(files project.Files) Found {
	f := Found{
		Technologies: technologies.Summary(technologies.Find(files)),
		Commands:     technologies.Commands(files),
		Workspaces:   technologies.Workspaces(files),
		Documents:    documents.Find(files, func(string) bool { return true }),
		Frameworks:   documents.Frameworks(files),
	}
	f.Sources, f.Tests, f.Code = places(files)
	f.Contradictions = contradictions(files, f)
	return f
}

// CountCode is how many files of source and tests there are.
func CountCode(files project.Files) int {
	_, _, n := places(files)
	return n
}

// mostPlaces is how many patterns of a kind are named.
const mostPlaces = 8

// places are the folders that source and tests stand in.
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

func isCode(file string) bool {
	language := source.LanguageOf(file)
	return language != "" && language != "Markdown" && !strings.HasPrefix(file, ".")
}

// folderOf is the pattern of the folder at the root that a file is in; one at the root itself stands
// for those of its ending.
func folderOf(file string) string {
	if folder, _, inside := strings.Cut(file, "/"); inside {
		return folder + "/**"
	}
	return "*" + file[strings.LastIndexByte(file, '.'):]
}

// largest are the patterns with most files, of which nothing but names is said.
func largest(counts map[string]int) []string {
	var all []string
	for pattern := range counts {
		if plain(pattern) {
			all = append(all, pattern)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return all[:min(mostPlaces, len(all))]
}

// mostPlain is how long a name or a command may be that is told to agents, in bytes.
const mostPlain = 100

// plain reports whether a text may stand where an agent reads instructions: a path or a command, of
// letters, digits and the signs that these have, and no sentence.
func plain(text string) bool {
	const signs = "._-/:@+*=,[]() "
	return text != "" && len(text) <= mostPlain && strings.Count(text, " ") <= 5 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(signs, r)
	})
}

// words is a text of the repository as it may stand in an object: one line of so many bytes at most,
// in which no tag is opened or closed.
func words(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "`", "'")), " ")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, text)
	text = untagged(text) // of what is left: a character without width hides no tag
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + ".."
	}
	return text
}

// untagged is a text in which < and > stand only where they compare, before = or a digit, as versions do:
// no tag begins so, and none ends without one that began.
func untagged(text string) string {
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
	return string(all)
}

// noted is evidence of a place as the scanners say it, file:line.
func noted(place string) resources.MemEvidence {
	file, line, _ := strings.Cut(place, ":")
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		file, line = place[:i], place[i+1:]
	}
	return resources.MemEvidence{Path: file, Note: "line " + words(line, 10)}
}
