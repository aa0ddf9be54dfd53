package lint

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/source"
)

// tells lists words that indicate that a line is about a missing or future file.
var tells = [...]string{"remove", "rename", "former", "deprecat", "delete", "moved", "no longer", "legacy", "obsolete", "gone", "was ", "were ", "used to", "previously", "will ", "would ", "old ", "old:", "create", "generate", "replac", "e.g.", "example"}

// endedStates lists the states of documents that are not maintained.
var endedStates = [...]string{"completed", "superseded", "abandoned", "rejected", "deprecated"}

// gonePaths returns the missing files that documents refer to: by a link, or, in rules,
// guides and readmes, by inline code if git once had the file.
func (t *Tree) gonePaths() (all []Finding) {
	l := listed{map[string]bool{}, map[string]bool{}, map[string][]string{}}
	for _, p := range t.Files.Paths() {
		l.existing[p], l.folders[firstFolder(p)] = true, true
		l.bases[path.Base(p)] = append(l.bases[path.Base(p)], p)
	}
	vendored, frameworks := project.Vendored(t.Files), documents.Frameworks(t.Files)
	for _, p := range t.Files.Paths() {
		if !documents.IsDocument(p) || vendored(p) || project.IsFixture(p) || isPast(p) || !t.covers(p) {
			continue
		}
		data, err := t.Files.Read(p)
		if err != nil {
			continue
		}
		d := documents.Read(p, data, frameworks)
		if d.Class == documents.Changelog || d.Class == documents.Config || slices.Contains(endedStates[:], d.State) {
			continue
		}
		r := reader{t, l, p, linesOf(data)}
		all = append(all, r.links(d)...)
		if slices.Contains([]string{documents.Rules, documents.Guide, documents.Readme}, d.Class) {
			all = append(all, r.code(d.Class == documents.Guide)...)
		}
	}
	return all
}

// isPast reports whether a document is in a directory for obsolete documents or tests.
func isPast(file string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if slices.Contains([]string{"archive", "archives", "archived", "old", "legacy", "history", "test", "tests", "__tests__"}, folder) {
			return true
		}
	}
	return false
}

// listed contains the existing files, by path and by base name.
type listed struct {
	existing map[string]bool
	folders  map[string]bool     // first elements of paths
	bases    map[string][]string // paths by base name
}

// firstFolder returns the first element of a path.
func firstFolder(file string) string {
	folder, _, _ := strings.Cut(file, "/")
	return folder
}

// reader finds missing files that one document refers to.
type reader struct {
	tree *Tree
	listed
	path  string
	lines []string
}

// links returns the links to missing files.
func (r *reader) links(d documents.Document) (all []Finding) {
	for _, l := range d.Links {
		fromRoot := strings.TrimPrefix(l.Path, path.Dir(r.path)+"/") // some agents resolve links in rules from the root
		if r.exists(l.Path) || r.exists(fromRoot) {
			continue
		}
		if !r.was(l.Path) && !(documents.IsDocument(l.Path) && r.isRelative(l)) {
			continue // a website route or a generated file
		}
		all = append(all, r.finding(l.Line, l.Path))
	}
	return all
}

// isRelative reports whether a link is explicitly relative and its line does not describe
// the target as missing.
func (r *reader) isRelative(l documents.Link) bool {
	if l.Line < 1 || l.Line > len(r.lines) || saysSo(r.lines[l.Line-1:l.Line]) {
		return false
	}
	line, base := r.lines[l.Line-1], path.Base(l.Path)
	for _, rest, found := strings.Cut(line, "]("); found; _, rest, found = strings.Cut(rest, "](") {
		target, _, _ := strings.Cut(rest, ")")
		if strings.HasPrefix(target, ".") && strings.Contains(target, base) {
			return true
		}
	}
	return false
}

// code returns the paths in inline code that git once had. A guide may name files of the
// reader's project. In guides, a path only counts if its first directory exists.
func (r *reader) code(guide bool) (all []Finding) {
	for i, line := range source.Prose(r.lines) {
		spans := strings.Split(line, "`")
		if len(spans) < 3 || saysSo(spans) {
			continue
		}
		for n, span := range spans {
			if n%2 == 0 || !strings.Contains(span, "/") || strings.ContainsAny(span, " \t") {
				continue
			}
			span, _, _ = strings.Cut(span, ":")
			if p, gone := r.missingFile(span); gone && (!guide || r.folders[firstFolder(p)]) {
				all = append(all, r.finding(i+1, p))
			}
		}
	}
	return all
}

// saysSo reports whether a line describes the files in its inline code as missing.
func saysSo(spans []string) bool {
	for n, span := range spans {
		lower := strings.ToLower(span)
		if n%2 == 0 && slices.ContainsFunc(tells[:], func(word string) bool { return strings.Contains(lower, word) }) {
			return true
		}
	}
	return false
}

// missingFile returns the missing file that a text names, relative to the root or to the document.
func (r *reader) missingFile(text string) (string, bool) {
	named := []string{source.LinkedFile(".", text), source.LinkedFile(path.Dir(r.path), text)}
	if slices.ContainsFunc(named, func(p string) bool { return p == "" || r.exists(p) }) {
		return "", false
	}
	i := slices.IndexFunc(named, r.was)
	if i < 0 {
		return "", false
	}
	return named[i], true
}

// was reports whether git once had a file.
func (r *reader) was(file string) bool { return r.tree.Was != nil && r.tree.Was(file) }

// exists reports whether a file exists, including files that git ignores.
func (r *reader) exists(file string) bool {
	if r.existing[file] {
		return true
	}
	_, err := r.tree.Files.Read(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// finding returns the finding for a missing file, with the only existing file of the same name as a
// hint.
func (r *reader) finding(line int, file string) Finding {
	f := Finding{Rule: GonePath, File: r.path, Line: line, Symbol: file, Is: "there is no " + file}
	if line > 0 && line <= len(r.lines) {
		f.Words = r.lines[line-1]
	}
	if same := r.bases[path.Base(file)]; len(same) == 1 {
		f.Is += "; a file of that name is " + same[0]
		f.Evidence = same[0]
	}
	return f
}
