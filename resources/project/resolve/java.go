package resolve

import (
	"slices"
	"strings"
)

// java resolves Java imports: the file name of a class is its name, and its directory ends
// with its package. Kotlin follows neither rule, so its imports are not resolved.
type java struct{ *Resolver }

// extensions returns the extension of Java files.
func (java) extensions() []string { return []string{".java"} }

// manifest returns false, because no file affects Java imports.
func (java) manifest(string) bool { return false }

// changed returns nothing, because no file affects Java imports.
func (java) changed(string) Touched { return Touched{} }

// resolve finds the longest prefix of a name that is a class. The rest are members of the
// class. The target's names also contain the class.
func (j java) resolve(q *query) []Target {
	name := strings.TrimPrefix(q.From, "static ")
	name, all := strings.CutSuffix(name, ".*")
	parts := strings.Split(name, ".")
	if len(parts) > maxNesting || slices.Contains(parts, "") {
		return nil
	}
	if all || slices.Contains(q.Names, "*") {
		if dir, found := j.folder(q, parts); found {
			return q.singleTarget(dir + "/")
		}
	}
	for n := len(parts); n > 1; n-- {
		if file, found := j.class(q, parts[:n]); found {
			return []Target{{Path: file, Names: slices.Concat(parts[n-1:], q.Names)}}
		}
	}
	return nil
}

// maxNesting limits the parts of a name.
const maxNesting = 64

// class finds the file of a class by its qualified name.
func (j java) class(q *query, parts []string) (string, bool) {
	return q.closest(q.called(parts[len(parts)-1]+".java"), strings.Join(parts, "/")+".")
}

// folder finds the directory of a package with Java files.
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

// closest returns the path that ends with a name starting with end and shares most
// directories with the query's file.
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

// common returns the number of leading directories that two paths share.
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

// isInPackage reports whether a directory is inside of a Maven source root (src/main/java),
// so that it cannot be a source root.
func isInPackage(dir string) bool {
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i := 2; i < len(parts)-1; i++ {
		if parts[i-2] == "src" && parts[i] == "java" {
			return true
		}
	}
	return false
}
