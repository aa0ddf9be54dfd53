package resolve

import (
	"slices"
	"strings"
)

// java resolves imports of Java: a class stands in the file of its name, in a folder that ends with its
// package. Kotlin keeps to neither, so its imports lead nowhere.
type java struct{ *Resolver }

func (java) extensions() []string { return []string{".java"} }

func (java) manifest(string) bool { return false }

func (java) changed(string) Touched { return Touched{} }

// resolve looks for the longest part of a name that is a class: what stands behind is in it. The class is taken
// as well.
func (j java) resolve(q *query) []Target {
	name := strings.TrimPrefix(q.From, "static ")
	name, all := strings.CutSuffix(name, ".*")
	parts := strings.Split(name, ".")
	if len(parts) > maxNesting || slices.Contains(parts, "") {
		return nil
	}
	if all || slices.Contains(q.Names, "*") {
		if dir, found := j.folder(q, parts); found {
			return q.found(dir + "/")
		}
	}
	for n := len(parts); n > 1; n-- {
		if file, found := j.class(q, parts[:n]); found {
			return []Target{{Path: file, Names: slices.Concat(parts[n-1:], q.Names)}}
		}
	}
	return nil
}

// maxNesting is of how many parts a name may be made.
const maxNesting = 64

// class finds the file of a class, by its whole name.
func (j java) class(q *query, parts []string) (string, bool) {
	return q.closest(q.called(parts[len(parts)-1]+".java"), strings.Join(parts, "/")+".")
}

// folder finds the folder of a package that holds some files.
func (j java) folder(q *query, parts []string) (string, bool) {
	var all []string
	for _, dir := range q.called(parts[len(parts)-1] + "/") {
		if f := j.tree.folders[dir]; f.holds(".java") {
			all = append(all, dir+"/")
		}
	}
	dir, found := q.closest(all, strings.Join(parts, "/")+"/")
	return strings.TrimSuffix(dir, "/"), found
}

// closest is the path among several that ends, after a slash or as a whole, with what begins
// with end, and has most folders in common with the query's file.
func (q *query) closest(all []string, end string) (best string, found bool) {
	most := -1
	for _, p := range all {
		i := strings.LastIndex(p, end)
		if i < 0 || i > 0 && p[i-1] != '/' || strings.Contains(p[i+len(end):], "/") || isInPackage(p[:i]) {
			continue
		}
		if n := common(p, q.file); n > most || n == most && p < best {
			best, most, found = p, n, true
		}
	}
	return best, found
}

// common is how many folders two paths have in common.
func common(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// isInPackage reports whether a folder cannot be one that packages begin in, because in the
// layout of Maven one around it is: src/main/java.
func isInPackage(dir string) bool {
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i := 2; i < len(parts)-1; i++ {
		if parts[i-2] == "src" && parts[i] == "java" {
			return true
		}
	}
	return false
}
