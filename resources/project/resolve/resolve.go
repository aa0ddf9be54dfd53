// Package resolve maps imports to files of the repository by the rules of each language.
// It only uses file names and manifests, and does not search installed packages. All
// other imports are external.
package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// Target is the target of an import.
type Target struct {
	// Path is the path of a file, or of a directory with a final slash. A directory means
	// all files that Members returns, which form one package of the language.
	Path  string
	Names []string // imported names, as in source.Import
}

// Touched describes the imports whose target may change: imports that looked up one of
// Keys, imports of files below Folders, and imports of files with Extensions.
type Touched struct{ Keys, Folders, Extensions []string }

// add adds the affected imports of another change.
func (t *Touched) add(other Touched) {
	t.Keys = append(t.Keys, other.Keys...)
	t.Folders = append(t.Folders, other.Folders...)
	t.Extensions = append(t.Extensions, other.Extensions...)
}

// Resolver resolves the imports of one repository. It is not safe for concurrent use.
type Resolver struct {
	tree      *tree
	readFile  func(path string) ([]byte, error)
	languages []language
	byEnd     map[string]language // by extension
}

// language resolves the imports of a group of languages.
type language interface {
	// extensions returns the extensions of its files.
	extensions() []string
	// resolve returns the targets of an import, or nil for an external import.
	resolve(q *query) []Target
	// manifest reports whether a file affects the resolution of imports.
	manifest(path string) bool
	// changed updates the state after a manifest was added, removed or modified. It returns
	// the affected imports.
	changed(path string) Touched
}

// New returns a resolver for files with paths from the root. read returns the content of a
// file. It is only called for manifests, on demand, and again after they changed.
func New(paths []string, read func(path string) ([]byte, error)) *Resolver {
	r := &Resolver{tree: &tree{files: map[string]bool{}, folders: map[string]*folder{"": {}}, named: map[string][]string{}}, readFile: read, byEnd: map[string]language{}}
	for _, p := range paths {
		r.tree.add(p)
	}
	r.languages = []language{newJavaScript(r), &golang{Resolver: r}, &python{Resolver: r, library: pythonLibrary()}, java{r}, &rust{Resolver: r}, pathImports{r}}
	for _, l := range r.languages {
		for _, extension := range l.extensions() {
			r.byEnd[extension] = l
		}
	}
	return r
}

// query is the resolution of one import. The methods that resolve a name return
// false if they find no file or folder.
type query struct {
	*Resolver
	source.Import
	file    string // importing file
	dir     string // its directory, "" for the root
	lookups []string
	nested  bool // a target of one package is resolved in another package
}

// Resolve returns the targets of an import, which may include the file itself, or nil for
// an external import. asked contains the keys of all lookups, successful or not: see
// Touched.
func (r *Resolver) Resolve(file string, i source.Import) (targets []Target, asked []string) {
	l := r.byEnd[path.Ext(file)]
	if l == nil || i.From == "" || len(i.From) > maxSpecifier || strings.ContainsAny(i.From, "\x00\n") {
		return nil, nil
	}
	q := &query{Resolver: r, Import: i, file: file, dir: parent(file)}
	return l.resolve(q), q.lookups
}

// maxSpecifier limits the length of an import in bytes, because longer ones are data.
const maxSpecifier = 1024

// Add adds a new file, and returns the affected imports.
func (r *Resolver) Add(file string) Touched {
	touched := Touched{Keys: r.tree.add(file)}
	touched.add(r.Rewrite(file))
	return touched
}

// Remove removes a file, and returns the affected imports.
func (r *Resolver) Remove(file string) Touched {
	touched := Touched{Keys: r.tree.remove(file)}
	touched.add(r.Rewrite(file))
	return touched
}

// Rewrite handles a changed file, and returns the affected imports. It has no effect unless
// the file is a manifest.
func (r *Resolver) Rewrite(file string) (touched Touched) {
	for _, l := range r.languages {
		if l.manifest(file) {
			touched.add(l.changed(file))
		}
	}
	return touched
}

// Members returns the sorted files of a target directory: Go files except tests, or Java
// files.
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

// FolderOf returns the directory of a file as a target: "/" for the root.
func FolderOf(file string) string { return parent(file) + "/" }

// IsMember reports whether a file belongs to the package of its directory.
func IsMember(file string) bool {
	extension := path.Ext(file)
	return extension == ".go" && !strings.HasSuffix(file, "_test.go") || extension == ".java"
}

// singleTarget returns one target with all names of the import.
func (q *query) singleTarget(path string) []Target { return []Target{{Path: path, Names: q.Names}} }
