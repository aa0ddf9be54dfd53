package search

import (
	"path"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// Names are stored among the terms with a prefix that no term has. They show that a question names
// a document and are used for nothing else.
const (
	nameMark = "\x01"
	byID     = nameMark + "i:" // of names of several words, because a single word is ambiguous
	byFullID = nameMark + "I:"
	byTag    = nameMark + "t:"
	bySymbol = nameMark + "s:"
	byPath   = nameMark + "p:" // the whole path, and its last element
	byGlob   = nameMark + "g:"
)

// nameWords maps the prefixes to the words of Hit.Named.
var nameWords = [...]struct{ mark, word string }{
	{byID, "id"}, {byFullID, "id"}, {byTag, "tag"}, {bySymbol, "symbol"}, {byPath, "path"}, {byGlob, "path"},
}

// nameText returns a name in the form of Hit.Named.
func nameText(name string) string {
	for _, n := range nameWords {
		if rest, ok := strings.CutPrefix(name, n.mark); ok {
			return n.word + " " + rest
		}
	}
	return name
}

// namesOf returns the names by which a question can name a document.
func namesOf(d *Document) []string {
	var names []string
	add := func(mark, name string) {
		if name != "" && len(name) <= 4*maxTerm {
			names = append(names, mark+name)
		}
	}
	id := d.ID[strings.LastIndexByte(d.ID, '/')+1:]
	add(byFullID, plainName(id))
	if strings.ContainsAny(id, "-_.0123456789") {
		add(byID, plainName(id))
	}
	for _, tag := range d.Tags {
		add(byTag, tagName(tag))
	}
	for _, symbol := range d.Symbols {
		add(bySymbol, plainName(symbol))
	}
	for _, p := range d.Paths {
		p = strings.ToLower(path.Clean(p))
		add(byPath, p)
		if base := path.Base(p); base != p && strings.Contains(base, ".") {
			add(byPath, base)
		}
	}
	for _, glob := range d.Globs {
		if strings.ContainsAny(glob, `*?[{\`) {
			add(byGlob, glob)
		} else {
			add(byPath, strings.ToLower(path.Clean(glob)))
		}
	}
	return names
}

// plainName returns an identifier in lower case, without underscores, hyphens and parentheses at
// its end.
func plainName(name string) string {
	name = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(name), "()"))
	if strings.ContainsAny(name, "_-") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", "")
	}
	return name
}

// tagName returns the plain name of a tag. A word of ASCII letters is stemmed,
// so that tests names the tag test.
func tagName(tag string) string {
	name := plainName(tag)
	for _, c := range []byte(name) {
		if !isLower(c) {
			return name
		}
	}
	return stem(name)
}

// maxCalled limits the words of a part of a question that are compared with
// names. maxAsked limits Query.Paths; all paths are limited to twice as many. A
// task may contain a megabyte of text.
const (
	maxCalled = 2000
	maxAsked  = 64
)

// namesInQuestion returns the possible names and paths in a question's text.
func namesInQuestion(text string) (names, paths []string) {
	all := runs(text)
	for _, run := range all[:min(maxCalled, len(all))] {
		plain := plainName(run)
		names = append(names, byTag+tagName(run), byID+plain)
		if isIdentifier(run) {
			names = append(names, bySymbol+plain)
		}
		if rest, ok := strings.CutPrefix(plain, "mems/"); ok {
			names = append(names, byFullID+rest)
		} else if rest, ok := strings.CutPrefix(plain, "mem/"); ok {
			names = append(names, byFullID+rest)
		}
		if strings.ContainsAny(run, "/.") {
			paths = append(paths, run)
		}
	}
	return names, paths
}

// isIdentifier reports whether a word is spelled like code: passengers are people, Passengers may
// be a type.
func isIdentifier(run string) bool {
	return strings.ContainsFunc(run, func(r rune) bool { return !unicode.IsLower(r) })
}

// runs splits a text at white space and at the punctuation of prose. It leaves
// out stop words and very long words.
func runs(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case ' ', '\t', '\n', '\r', ',', ';', '"', '`', '<', '>', '|', '!', '=', '“', '”':
			return true
		}
		return false
	})
	kept := words[:0]
	for _, w := range words {
		w = strings.TrimRight(strings.TrimLeft(w, "'(["), "'.:?)]")
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if w != "" && len(w) <= 4*maxTerm && !isStopWord(strings.ToLower(w)) {
			kept = append(kept, w)
		}
	}
	return kept
}

// matchesGlob reports whether a document's pattern matches a question's path or pattern.
func matchesGlob(pattern, asked string) bool {
	if folder, ok := strings.CutSuffix(asked, "/**"); ok && strings.HasPrefix(pattern, folder+"/") {
		return true
	}
	literal := pattern[:strings.IndexAny(pattern, `*?[{\`)]
	if strings.HasPrefix(literal, "./") || strings.HasPrefix(asked, strings.TrimSuffix(literal, "/")) {
		return resources.MatchGlob(pattern, asked) // after the literal prefix, so that few of many patterns are evaluated
	}
	return false
}
