package resolve

import (
	"path"
	"strings"
)

// pathImports resolves path imports of C, C++, Objective-C, PHP and Ruby. It searches the
// file's directory, its parent directories and common subdirectories of them. The include
// paths of the build are unknown. A header that matches only one file resolves to that
// file.
type pathImports struct{ *Resolver }

// extensions returns the extensions of C, C++, Objective-C, PHP and Ruby files.
func (pathImports) extensions() []string {
	return []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".m", ".mm", ".php", ".rb"}
}

// manifest returns false, because no file affects these imports.
func (pathImports) manifest(string) bool { return false }

// changed returns nothing, because no file affects these imports.
func (pathImports) changed(string) Touched { return Touched{} }

// resolve searches for the imported file near the importing file; see pathImports. It returns nil
// if it finds none.
func (i pathImports) resolve(q *query) []Target {
	from := strings.Trim(q.From, `<>"`)
	extension := path.Ext(q.file)
	roots := []string{"", "include", "src"}
	switch installed := strings.HasPrefix(q.From, "<"); {
	case installed && !strings.Contains(from, "/"):
		roots = []string{"include"} // <string.h> does not mean a local file of that name
	case extension == ".rb":
		roots = []string{"lib", ""}
	case extension == ".php":
		roots = []string{"", "src"}
		from = strings.TrimPrefix(from, "/") // __DIR__ . "/x.php"
	}
	if from == "" || from[0] == '/' || strings.ContainsAny(from, `\:`) {
		return nil
	}
	var targets []Target
	upwards(q.dir, func(dir string) bool {
		for _, root := range roots {
			p, inside := join(below(dir, root), from)
			if !inside {
				continue
			}
			if q.has(p) {
				targets = q.singleTarget(p)
				return true
			}
			if file, found := q.first(p, extension); found && extension == ".rb" {
				targets = q.singleTarget(file)
				return true
			}
		}
		return strings.HasPrefix(from, ".") // a relative path has only one location
	})
	if targets == nil && extension != ".rb" && extension != ".php" && len(roots) > 1 && !strings.HasPrefix(from, ".") {
		return q.onlyHeader(from)
	}
	return targets
}

// onlyHeader returns the only header with a path that ends with end, or nil.
func (q *query) onlyHeader(end string) []Target {
	var found []string
	for _, p := range q.called(path.Base(end)) {
		if isFoundByName(p) && strings.HasSuffix("/"+p, "/"+end) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return q.singleTarget(found[0])
}
