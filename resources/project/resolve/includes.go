package resolve

import (
	"path"
	"strings"
)

// includes resolves what C, C++, Objective-C, PHP and Ruby import by paths: from the file's own
// folder, then from the folders around it and those that such files stand in there.
type includes struct{ *Resolver }

func newIncludes(r *Resolver) includes { return includes{r} }

func (includes) extensions() []string {
	return []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm", ".php", ".rb"}
}

func (includes) manifest(string) bool { return false }

func (includes) changed(string) Touched { return Touched{} }

func (i includes) resolve(q *query) []Target {
	from := strings.Trim(q.From, `<>"`)
	extension := path.Ext(q.file)
	roots := []string{"", "include", "src"}
	switch extension {
	case ".rb":
		roots = []string{"lib", ""}
	case ".php":
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
				targets = q.found(p)
				return true
			}
			if file, found := q.first(p, extension); found && extension == ".rb" {
				targets = q.found(file)
				return true
			}
		}
		return strings.HasPrefix(from, ".") // a relative path means one place
	})
	return targets
}
