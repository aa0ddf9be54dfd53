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

// Resolver resolves the imports of one repository. It must be used by one goroutine at a time.
type Resolver struct {
	tree      *tree
	read      func(path string) ([]byte, error)
	languages []language
}

// language is how one family of languages resolves.
type language interface {
	// extensions of its files.
	extensions() []string
	// resolve returns what an import of a file leads to, nothing if that is external.
	resolve(q *query) []Target
	// manifest reports whether a file says how imports are resolved.
	manifest(path string) bool
	// changed is told that a manifest is new, gone or another, and reports whether imports may
	// lead elsewhere now.
	changed(path string) bool
}

// New returns a resolver for files, by their paths from the root. read returns the content of
// one; it is called for manifests only, when they are needed, and may be called again after
// they changed.
func New(paths []string, read func(path string) ([]byte, error)) *Resolver {
	r := &Resolver{tree: newTree(), read: read}
	for _, p := range paths {
		r.tree.add(p)
	}
	r.languages = []language{newJavaScript(r), newGolang(r), newPython(r), newJava(r), newRust(r), newIncludes(r)}
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

// Resolve returns what an import of a file leads to, each target once, never the file itself;
// nothing if it is external. asked are the keys of all that was looked for, found or not: as
// long as Add, Remove and Rewrite return none of them, the answer stays the same.
func (r *Resolver) Resolve(file string, i source.Import) (targets []Target, asked []string) {
	l := r.languageOf(file)
	if l == nil || i.From == "" || len(i.From) > maxSpecifier || strings.ContainsAny(i.From, "\x00\n") {
		return nil, nil
	}
	q := &query{Resolver: r, Import: i, file: file, dir: parent(file)}
	targets = l.resolve(q)
	return slices.DeleteFunc(targets, func(t Target) bool { return t.Path == file }), q.asked
}

// maxSpecifier is how long what is imported may be, in bytes: longer ones are data.
const maxSpecifier = 1024

// languageOf is the language of a file, nil if its imports cannot be resolved.
func (r *Resolver) languageOf(file string) language {
	extension := path.Ext(file)
	for _, l := range r.languages {
		if slices.Contains(l.extensions(), extension) {
			return l
		}
	}
	return nil
}

// Add is told of a new file. keys are those of lookups that may now find something else; all
// says that any lookup may.
func (r *Resolver) Add(file string) (keys []string, all bool) {
	if r.tree.files[file] {
		return nil, r.Rewrite(file)
	}
	return r.tree.add(file), r.Rewrite(file)
}

// Remove is told that a file is gone, and returns what Add does.
func (r *Resolver) Remove(file string) (keys []string, all bool) {
	if !r.tree.files[file] {
		return nil, false
	}
	return r.tree.remove(file), r.Rewrite(file)
}

// Rewrite is told that a file has another content, and reports whether any lookup may now find
// something else: only where it is a manifest.
func (r *Resolver) Rewrite(file string) (all bool) {
	for _, l := range r.languages {
		if l.manifest(file) && l.changed(file) {
			all = true
		}
	}
	return all
}

// Members are the files that a folder as a target stands for, sorted: those of Go but tests, or
// those of Java and Kotlin.
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
	return extension == ".go" && !strings.HasSuffix(file, "_test.go") || extension == ".java" || extension == ".kt"
}

// found is the only target of an import, with all of its names.
func (q *query) found(path string) []Target { return []Target{{Path: path, Names: q.Names}} }
