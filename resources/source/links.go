package source

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// maxLink is the maximum length of a link target, in bytes.
const maxLink = 300

// links returns the files that a Markdown text links to, as paths from the repository's
// root, sorted, without duplicates. It considers relative links to a file name outside of
// code. file is the path of the text.
func links(file string, lines []string) []string {
	var found []string
	var code fence
	for _, line := range lines {
		if code.holds(line) || !strings.Contains(line, "](") {
			continue
		}
		for i, piece := range strings.Split(line, "`") {
			if i%2 == 0 { // odd pieces are code
				found = appendLinks(found, path.Dir(file), piece)
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return found[:min(len(found), maxLinks)]
}

// appendLinks appends the files that inline links in a text refer to. folder is the directory of
// the document.
func appendLinks(to []string, folder, text string) []string {
	for _, rest, ok := strings.Cut(text, "]("); ok; _, rest, ok = strings.Cut(rest, "](") {
		target := rest[:min(len(rest), maxLink)]
		if end := strings.IndexAny(target, ") \t"); end >= 0 {
			if linked := LinkedFile(folder, target[:end]); linked != "" {
				to = append(to, linked)
			}
		}
	}
	return to
}

// LinkedFile returns the file that a link target in a text of a directory names. It returns
// "" if the target is not a file of the repository.
func LinkedFile(folder, target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	plain, err := url.PathUnescape(target)
	if err != nil || plain == "" || strings.HasPrefix(plain, "/") || strings.ContainsAny(plain, ":{}<>$*|\\\x00") {
		return ""
	}
	file := path.Join(folder, plain)
	if file == ".." || strings.HasPrefix(file, "../") || strings.HasSuffix(plain, "/") || path.Ext(file) == "" || path.Ext(file) == path.Base(file) {
		return ""
	}
	return file
}
