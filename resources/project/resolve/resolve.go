// Package resolve says which files of a repository an import means: by the rules of its
// language, from the names of the files and from their manifests alone. Nothing is looked for
// among installed packages; what is none of the repository's files is external.
package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// Target is what an import leads to.
type Target struct {
	// Path is a file's; or that of a folder with a slash behind: all files in it that Members
	// returns are meant, because together they are what the language calls a package.
	Path  string
	Names []string // those that are taken from it, as in source.Import
}

// Touched are the imports that a change may lead elsewhere: those that looked for one of some
// keys, those of files below some folders, and those of files that end with some extensions.
type Touched struct{ Keys, Folders, Extensions []string }

func (t *Touched) add(other Touched) {
	t.Keys = append(t.Keys, other.Keys...)
	t.Folders = append(t.Folders, other.Folders...)
	t.Extensions = append(t.Extensions, other.Extensions...)
}

// Resolver resolves the imports of one repository. It must be used by one goroutine at a time.
type Resolver struct {
	tree      *tree
	read      func(path string) ([]byte, error)
	languages []language
	byEnd     map[string]language // by extension
}

// language is how one family of languages resolves.
type language interface {
	// extensions of its files.
	extensions() []string
	// resolve returns what an import of a file leads to, nothing if that is external.
	resolve(q *query) []Target
	// manifest reports whether a file says how imports are resolved.
	manifest(path string) bool
	// changed is told that a manifest is new, gone or another, and returns which imports may
	// lead elsewhere now.
	changed(path string) Touched
}

// New returns a resolver for files, by their paths from the root. read returns the content of
// one; it is called for manifests only, when they are needed, and may be called again after
// they changed.
func New(paths []string, read func(path string) ([]byte, error)) *Resolver {
	r := &Resolver{tree: newTree(), read: read, byEnd: map[string]language{}}
	for _, p := range paths {
		r.tree.add(p)
	}
	r.languages = []language{newJavaScript(r), &golang{Resolver: r}, &python{Resolver: r, library: pythonLibrary()}, java{r}, &rust{Resolver: r}, includes{r}}
	for _, l := range r.languages {
		for _, extension := range l.extensions() {
			r.byEnd[extension] = l
		}
	}
	return r
}

// query is one import that is being resolved.
type query struct {
	*Resolver
	source.Import
	file   string // the importing one
	dir    string // its folder, "" at the root
	asked  []string
	nested bool // a target of one package is being looked for in another
}

// Resolve returns what an import of a file leads to, which may be the file itself; nothing if it
// is external. asked are the keys of all that was looked for, found or not: see
// Touched.
func (r *Resolver) Resolve(file string, i source.Import) (targets []Target, asked []string) {
	l := r.byEnd[path.Ext(file)]
	if l == nil || i.From == "" || len(i.From) > maxSpecifier || strings.ContainsAny(i.From, "\x00\n") {
		return nil, nil
	}
	q := &query{Resolver: r, Import: i, file: file, dir: parent(file)}
	return l.resolve(q), q.asked
}

// maxSpecifier is how long what is imported may be, in bytes: longer ones are data.
const maxSpecifier = 1024

// Add is told of a new file, and returns what may lead elsewhere now.
func (r *Resolver) Add(file string) Touched {
	touched := Touched{Keys: r.tree.add(file)}
	touched.add(r.Rewrite(file))
	return touched
}

// Remove is told that a file is gone, and returns what may lead elsewhere now.
func (r *Resolver) Remove(file string) Touched {
	touched := Touched{Keys: r.tree.remove(file)}
	touched.add(r.Rewrite(file))
	return touched
}

// Rewrite is told that a file has another content, and returns what may lead elsewhere now:
// nothing where it is no manifest.
func (r *Resolver) Rewrite(file string) (touched Touched) {
	for _, l := range r.languages {
		if l.manifest(file) {
			touched.add(l.changed(file))
		}
	}
	return touched
}

// Members are the files that a folder as a target stands for, sorted: those of Go but tests, or
// those of Java.
func (r *Resolver) Members(folder string) (members []string) {
	dir := strings.TrimSuffix(folder, "/")
	at := r.tree.folders[dir]
	if at == nil {
		return nil
	}
	for _, name := range at.files {
		if IsMember(name) {
			members = append(members, below(dir, name))
		}
	}
	slices.Sort(members)
	return members
}

// FolderOf is the folder that a file stands in, as a target: "/" at the root.
func FolderOf(file string) string { return parent(file) + "/" }

// IsMember reports whether a file belongs to the package that its folder is, by its path.
func IsMember(file string) bool {
	extension := path.Ext(file)
	return extension == ".go" && !strings.HasSuffix(file, "_test.go") || extension == ".java"
}

// found is the only target of an import, with all of its names.
func (q *query) found(path string) []Target { return []Target{{Path: path, Names: q.Names}} }
