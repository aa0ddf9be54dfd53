package resources

import (
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// maxPath is the maximum length of a path in a text, in bytes.
const maxPath = 300

// PathsIn yields the words of a text that look like repository files, as paths from the
// root. It keeps their order and duplicates. Recognized forms include "@src/a.go",
// "./src/a.go:12" and "a.go.". It does not check that the files exist; "e.g" is also
// yielded.
func PathsIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;|", r) }) {
			if file := pathNamed(word); file != "" && !yield(file) {
				return
			}
		}
	}
}

// pathNamed returns a word as a path from the repository's root. It returns ""
// if the word is not a path, or if the path is longer than maxPath, outside of
// the repository or below .idumb.
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
