package resolve

import (
	"path"
	"strings"
)

// javascript resolves imports of TypeScript, JavaScript and component files as TypeScript
// does for a bundler, but only to files of the repository.
type javascript struct {
	*Resolver
	packages   map[string]*packageJSON // by path, read on demand
	configs    map[string]*tsconfig    // by path, with their bases applied
	nearest    map[string]*tsconfig    // by directory
	workspaces []workspace             // workspaces with explicit members; nil before loading
}

// newJavaScript returns a resolver for JavaScript imports with empty caches.
func newJavaScript(r *Resolver) *javascript {
	return &javascript{Resolver: r, packages: map[string]*packageJSON{}, configs: map[string]*tsconfig{}, nearest: map[string]*tsconfig{}}
}

// extensions returns the extensions of TypeScript, JavaScript and component files.
func (*javascript) extensions() []string {
	return []string{".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", ".astro"}
}

// manifest accepts any JSON file, because a tsconfig may extend it.
func (*javascript) manifest(file string) bool {
	return path.Ext(file) == ".json" || path.Base(file) == "pnpm-workspace.yaml"
}

// resolve tries the possible meanings of a module name in the order of TypeScript and Node.
func (j *javascript) resolve(q *query) []Target {
	from, _, asked := strings.Cut(q.From, "?")
	if asked { // a bundler query changes the exports of the file
		q.Names = nil
	}
	switch {
	case from == "." || from == ".." || strings.HasPrefix(from, "./") || strings.HasPrefix(from, "../"):
		return q.maybe(j.relative(q, q.dir, from))
	case from == "" || strings.Contains(from, ":") || from[0] == '/':
		return nil
	}
	for _, way := range []func(*query, string) (string, bool){j.private, j.mapped, j.member} {
		if file, found := way(q, from); found {
			return q.singleTarget(file)
		}
	}
	return nil
}

// maybe returns the only target of an import if it was found.
func (q *query) maybe(file string, found bool) []Target {
	if !found {
		return nil
	}
	return q.singleTarget(file)
}

// relative resolves a path relative to a directory.
func (j *javascript) relative(q *query, dir, rest string) (string, bool) {
	p, inside := join(dir, rest)
	if !inside {
		return "", false
	}
	if last := path.Base(rest); p != "" && last != "." && last != ".." && !strings.HasSuffix(rest, "/") {
		if file, found := j.module(q, p); found {
			return file, true
		}
	}
	return j.folder(q, p)
}

// Source extensions for an extension in an import: "./a.js" may mean the output of a.ts.
var (
	scripts   = [...]string{".ts", ".tsx", ".d.ts", ".js", ".jsx"}
	jsxs      = [...]string{".tsx", ".ts", ".d.ts", ".jsx", ".js"}
	modules   = [...]string{".mts", ".d.mts", ".mjs"}
	commonJSs = [...]string{".cts", ".d.cts", ".cjs"}
)

// appended lists the extensions that imports may omit, in order of precedence.
var appended = [...]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".d.mts", ".mjs", ".cts", ".d.cts", ".cjs", ".vue", ".svelte", ".json"}

// replaced returns the possible extensions of a file that is imported with an extension.
func replaced(extension string) []string {
	switch extension {
	case ".js", ".ts", ".tsx":
		return scripts[:]
	case ".jsx":
		return jsxs[:]
	case ".mjs", ".mts":
		return modules[:]
	case ".cjs", ".cts":
		return commonJSs[:]
	}
	return nil
}

// module resolves a path to a file.
func (j *javascript) module(q *query, p string) (string, bool) {
	extension := path.Ext(p)
	if all := replaced(extension); all != nil {
		if q.tree.files[p] && extension != ".js" && extension != ".jsx" && extension != ".mjs" && extension != ".cjs" {
			q.has(p)
			return p, true
		}
		if file, found := q.first(strings.TrimSuffix(p, extension), all...); found {
			return file, true
		}
	}
	if q.has(p) {
		return p, true
	}
	return q.first(p, appended[:]...)
}

// folder resolves a directory by its package.json or to its index.
func (j *javascript) folder(q *query, dir string) (string, bool) {
	if !q.hasFolder(dir) {
		return "", false
	}
	if q.has(below(dir, "package.json")) {
		p := j.packageAt(below(dir, "package.json"))
		for _, entry := range p.entries {
			if file, found := j.entryFile(q, dir, entry); found {
				return file, true
			}
		}
	}
	return q.first(below(dir, "index"), appended[:]...)
}

// entryFile returns the source file for an entry point that a package.json names,
// such as the value of main: that file, the index of that directory, or the
// source from which it is built.
func (j *javascript) entryFile(q *query, dir, rest string) (string, bool) {
	p, inside := join(dir, rest)
	if !inside {
		return "", false
	}
	if p != dir {
		if file, found := j.module(q, p); found {
			return file, true
		}
	}
	if p != dir || dir != "" {
		if file, found := q.first(below(p, "index"), appended[:]...); found {
			return file, true
		}
	}
	return j.sourceOf(q, dir, rest)
}

// private resolves "#name" by the imports of the nearest package.json.
func (j *javascript) private(q *query, from string) (string, bool) {
	if from[0] != '#' {
		return "", false
	}
	at, found := j.tree.nearest(q.dir, "package.json")
	if !found {
		return "", false
	}
	return j.exported(q, parent(at), j.packageAt(at).imports, from)
}

// member resolves the name of a workspace package with an optional path.
func (j *javascript) member(q *query, from string) (string, bool) {
	name, rest := splitPackage(from)
	dir, found := j.packageNamed(q, name)
	if !found {
		return "", false
	}
	p := j.packageAt(below(dir, "package.json"))
	if file, found := j.exported(q, dir, p.exports, path.Join(".", rest)); found {
		return file, true
	}
	if rest == "" {
		if file, found := j.folder(q, dir); found {
			return file, true
		}
		rest = "index.js"
	} else if file, found := j.relative(q, dir, rest); found {
		return file, true // older tools ignore exports
	}
	if p.exports != nil {
		return "", false
	}
	return j.sourceOf(q, dir, rest)
}

// splitPackage splits "@scope/name/rest" and "name/rest" into name and rest.
func splitPackage(from string) (name, rest string) {
	parts := strings.SplitN(from, "/", 3)
	if from[0] == '@' && len(parts) > 1 {
		return parts[0] + "/" + parts[1], strings.Join(parts[2:], "/")
	}
	return parts[0], strings.Join(parts[1:], "/")
}
