package main

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The tables are data files, because the patterns and examples match themselves.
var (
	//go:embed patterns.tsv
	patternTable string
	//go:embed exceptions.tsv
	exceptionTable string
	//go:embed words.txt
	wordTable string
)

// rows splits a table into its columns, without the first line, which names them.
func rows(table string) (all [][]string) {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	for _, row := range lines[1:] {
		all = append(all, strings.Split(row, "\t"))
	}
	return all
}

// A pattern finds a phrase that occurs often in translated prose and rarely in the Go standard
// library, Kubernetes and other code bases of the field.
type pattern struct {
	name    string
	instead string // what to write
	example string // a line that the pattern finds
	start   bool   // finds starts of sentences; not applied to the lines of wrapped paragraphs
	doc     bool   // finds comments of declarations; not applied to other texts

	re     *regexp.Regexp
	except *regexp.Regexp // a longer match that is good English; nil if there is none
}

// phrases returns the patterns, compiled.
func phrases() (all []pattern) {
	for _, r := range rows(patternTable) {
		scope := r[1]
		p := pattern{name: r[0], instead: r[4], example: r[5], start: scope != "all", doc: scope == "doc", re: regexp.MustCompile(r[2])}
		if r[3] != "" {
			p.except = regexp.MustCompile(r[3])
		}
		all = append(all, p)
	}
	return all
}

// An exception is a line that a pattern finds and that is right in its place.
type exception struct {
	file   string // path from the root of the repository
	text   string // the whole line; empty for each line of the file
	reason string
}

// exceptions returns the lines that do not count as hits.
func exceptions() (all []exception) {
	for _, r := range rows(exceptionTable) {
		all = append(all, exception{file: r[0], text: r[1], reason: r[2]})
	}
	return all
}

// excepted reports whether a line of a file is an exception.
func excepted(path, text string) bool {
	path = "/" + filepath.ToSlash(path)
	return slices.ContainsFunc(exceptions(), func(e exception) bool {
		return strings.HasSuffix(path, "/"+e.file) && (e.text == "" || e.text == strings.TrimSpace(text))
	})
}

// matches reports whether the pattern finds the text, apart from its exceptions.
func (p *pattern) matches(text string) bool {
	found := p.re.FindAllStringIndex(text, -1)
	if p.except == nil || len(found) == 0 {
		return len(found) > 0
	}
	good := p.except.FindAllStringIndex(text, -1)
	for _, m := range found {
		covered := false
		for _, g := range good {
			covered = covered || m[0] < g[1] && g[0] < m[1]
		}
		if !covered {
			return true
		}
	}
	return false
}

// words returns names of declarations that are neither a noun nor a verb.
func words() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(wordTable) {
		all[word] = true
	}
	return all
}
