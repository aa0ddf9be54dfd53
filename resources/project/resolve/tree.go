package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// tree is the set of files and directories of a repository. "" is the root.
type tree struct {
	files   map[string]bool
	folders map[string]*folder
	// named contains the paths of all directories, and of files that are looked up by name,
	// by their base name. Names of directories end with a slash.
	named map[string][]string
}

// folder is a directory with files, directly or below.
type folder struct {
	files   []string // names
	folders int      // number of direct subdirectories
}

// parent returns the directory of a path, "" for the root.
func parent(p string) string {
	dir, _ := path.Split(p)
	return strings.TrimSuffix(dir, "/")
}

// join joins a path to a directory. It returns false if the result is outside of the
// repository.
func join(dir, rest string) (string, bool) {
	p := path.Join(dir, rest)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

// below joins two clean paths.
func below(dir, rest string) string {
	switch {
	case dir == "":
		return rest
	case rest == "":
		return dir
	}
	return dir + "/" + rest
}

// isFoundByName reports whether a file is looked up by base name in all directories: a Java
// class or a header.
func isFoundByName(name string) bool {
	return slices.Contains([]string{".java", ".h", ".hh", ".hpp", ".hxx"}, path.Ext(name))
}

// add adds a new file, and returns the keys of lookups that it may affect.
func (t *tree) add(file string) (keys []string) {
	dir, name := parent(file), path.Base(file)
	keys = keysOf(file)
	t.files[file] = true
	if isFoundByName(name) {
		t.named[name] = append(t.named[name], file)
	}
	var made []string
	for at := dir; t.folders[at] == nil; at = parent(at) {
		t.folders[at] = &folder{}
		last := path.Base(at) + "/"
		t.named[last] = append(t.named[last], at)
		keys = append(keys, at+"/", anyPrefix+last)
		made = append(made, at)
	}
	for _, at := range made {
		t.folders[parent(at)].folders++
	}
	f := t.folders[dir]
	if !f.holds(path.Ext(name)) {
		keys = append(keys, dir+"/")
	}
	f.files = append(f.files, name)
	return keys
}

// remove removes a file, and returns the keys of lookups that this may affect.
func (t *tree) remove(file string) (keys []string) {
	dir, name := parent(file), path.Base(file)
	keys = keysOf(file)
	delete(t.files, file)
	t.forget(name, file)
	f := t.folders[dir]
	f.files = slices.DeleteFunc(f.files, func(other string) bool { return other == name })
	if !f.holds(path.Ext(name)) {
		keys = append(keys, dir+"/")
	}
	for at := dir; at != "" && len(f.files) == 0 && f.folders == 0; f = t.folders[at] {
		last := path.Base(at) + "/"
		delete(t.folders, at)
		t.forget(last, at)
		keys = append(keys, at+"/", anyPrefix+last)
		at = parent(at)
		t.folders[at].folders--
	}
	return keys
}

// forget removes a path from the paths with a base name.
func (t *tree) forget(name, p string) {
	if left := slices.DeleteFunc(t.named[name], func(other string) bool { return other == p }); len(left) > 0 {
		t.named[name] = left
		return
	}
	delete(t.named, name)
}

// holds reports whether a directory contains files with an extension. It ignores Go tests,
// because a directory with only tests is not a package.
func (f *folder) holds(extension string) bool {
	return slices.ContainsFunc(f.files, func(name string) bool {
		return path.Ext(name) == extension && (extension != ".go" || IsMember(name))
	})
}

// anyPrefix begins the keys of lookups by base name.
const anyPrefix = "*/"

// keysOf returns the keys of lookups that find a file: its path, its path without
// extensions, and its base name.
func keysOf(file string) []string {
	keys := []string{file}
	name := path.Base(file)
	for at := len(name) - 1; at > 0; at-- {
		if name[at] == '.' {
			keys = append(keys, file[:len(file)-len(name)+at])
		}
	}
	return append(keys, anyPrefix+name)
}

// has reports whether a file exists, and records the lookup.
func (q *query) has(file string) bool {
	q.lookups = append(q.lookups, file)
	return q.tree.files[file]
}

// first returns the first existing file among stem with each of the extensions.
func (q *query) first(stem string, extensions ...string) (string, bool) {
	q.lookups = append(q.lookups, stem)
	dir, base := parent(stem), path.Base(stem)
	if q.tree.folders[dir] == nil || base == "." || base == "/" {
		return "", false
	}
	for _, extension := range extensions {
		if q.tree.files[stem+extension] {
			return stem + extension, true
		}
	}
	return "", false
}

// hasFolder reports whether a directory exists.
func (q *query) hasFolder(dir string) bool {
	q.lookups = append(q.lookups, dir+"/")
	return q.tree.folders[dir] != nil
}

// called returns the files or, if name ends with a slash, the directories with a base name.
func (q *query) called(name string) []string {
	q.lookups = append(q.lookups, anyPrefix+name)
	return q.tree.named[name]
}

// upwards returns the nearest directory, from dir to the root, for which holds returns
// true.
func upwards(dir string, holds func(dir string) bool) (string, bool) {
	for {
		if holds(dir) {
			return dir, true
		}
		if dir == "" {
			return "", false
		}
		dir = parent(dir)
	}
}

// nearest returns the path of the nearest file with a name, from a directory to the root.
func (t *tree) nearest(dir, name string) (string, bool) {
	at, found := upwards(dir, func(dir string) bool { return t.files[below(dir, name)] })
	return below(at, name), found
}

// pathsOf returns the files with a base name, sorted. It searches all directories.
func (t *tree) pathsOf(name string) (paths []string) {
	for dir := range t.folders {
		if p := below(dir, name); t.files[p] {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// deepestFirst sorts by directory depth, deepest first, then by name.
func deepestFirst[T any](all []T, dir func(T) string) {
	slices.SortFunc(all, func(a, b T) int {
		return cmp.Or(cmp.Compare(strings.Count(dir(b), "/"), strings.Count(dir(a), "/")), cmp.Compare(len(dir(b)), len(dir(a))), cmp.Compare(dir(a), dir(b)))
	})
}
