package resources

import (
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// maxPath is the length, in bytes, from which on a word is no path.
const maxPath = 300

// PathsIn yields the words of a text that look like files of the repository, as paths from its root,
// in their order and as often as they come: "@src/a.go", "./src/a.go:12", "a.go.". Whether there are
// such files is not known, and "e.g" is one as well.
func PathsIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;|", r) }) {
			if file := pathNamed(word); file != "" && !yield(file) {
				return
			}
		}
	}
}

// pathNamed is a word as a path from the repository's root, "" if it is none, or one of governance's own.
func pathNamed(word string) string {
	if !strings.ContainsAny(word, "/.") || len(word) > maxPath || strings.Contains(word, "://") {
		return ""
	}
	word = strings.TrimLeft(word, "@")
	word = strings.TrimRight(word, ".:!?*_")
	if file, line, cut := strings.Cut(word, ":"); cut && strings.Trim(line, "0123456789:-") == "" {
		word = file
	}
	if !strings.ContainsAny(word, "/.") {
		return ""
	}
	word = path.Clean(filepath.ToSlash(word))
	if !filepath.IsLocal(filepath.FromSlash(word)) || word == "." || word == ".idumb" || strings.HasPrefix(word, ".idumb/") {
		return ""
	}
	return word
}
