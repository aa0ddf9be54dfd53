package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// python resolves imports of Python: relative ones from the package of the file, others from
// the folders that packages stand in.
type python struct {
	*Resolver
	roots   []string // of all packages of the repository; nil: not read
	library map[string]bool
}

func (*python) extensions() []string { return []string{".py", ".pyi"} }

// manifests of Python are those that say that packages stand beside them.
func pythonManifests() []string {
	return []string{"pyproject.toml", "setup.py", "setup.cfg"}
}

func (*python) manifest(file string) bool {
	return slices.Contains(pythonManifests(), path.Base(file))
}

func (p *python) changed(string) Touched {
	was := p.roots
	p.roots = nil
	if was != nil && slices.Equal(was, p.allRoots()) {
		return Touched{}
	}
	return Touched{Extensions: p.extensions()}
}

func (p *python) resolve(q *query) []Target {
	dots := len(q.From) - len(strings.TrimLeft(q.From, "."))
	name := strings.ReplaceAll(q.From[dots:], ".", "/")
	if dots > 0 {
		dir := q.dir
		for range dots - 1 {
			if dir == "" {
				return nil
			}
			dir = parent(dir)
		}
		return p.module(q, below(dir, name))
	}
	if name == "" || strings.Contains(name, "//") || path.Clean(name) != name {
		return nil
	}
	first, _, _ := strings.Cut(name, "/")
	for n, root := range p.rootsOf(q) {
		if n > 0 && p.library[first] {
			break
		}
		if targets := p.module(q, below(root, name)); targets != nil {
			return targets
		}
	}
	return nil
}

// module resolves a module: those names that are modules in it lead there, with what is used of them, all
// others to itself.
func (p *python) module(q *query, at string) (targets []Target) {
	self, there := p.file(q, at)
	if !there && !q.hasFolder(at) {
		return nil
	}
	var own []string
	used := map[string][]string{}
	for _, name := range q.Names {
		if module, of, isUse := strings.Cut(name, "."); isUse {
			used[module] = append(used[module], of)
		}
	}
	for _, name := range q.Names {
		if strings.Contains(name, ".") {
			continue
		}
		file, found := "", false
		if q.tree.folders[at] != nil && name != "*" && !strings.Contains(name, "/") {
			file, found = p.file(q, below(at, name))
		}
		if found {
			targets = append(targets, Target{file, append([]string{"*"}, used[name]...)})
		} else {
			own = append(own, name)
		}
	}
	whole := !slices.ContainsFunc(q.Names, func(name string) bool { return !strings.HasPrefix(name, ".") })
	if whole && len(used[""]) > 0 {
		own = append([]string{"*"}, used[""]...)
	}
	if there && (whole || len(own) > 0) {
		targets = append(targets, Target{self, own})
	}
	return targets
}

// file is that of a module or package, by its path: a package comes first.
func (p *python) file(q *query, at string) (string, bool) {
	if file, found := q.first(below(at, "__init__"), ".py", ".pyi"); found {
		return file, true
	}
	return q.first(at, ".py", ".pyi")
}

// rootsOf are the folders that a file's imports are looked for in, the most likely first: the
// one around its own package, or its own where that is none; those of the project around it; all.
func (p *python) rootsOf(q *query) []string {
	own, _ := upwards(q.dir, func(dir string) bool { return !q.has(below(dir, "__init__.py")) })
	roots := []string{own}
	all := p.allRoots()
	for _, root := range all { // deepest first
		if root == "" || isBelow(q.dir, root) || isBelow(q.dir, parent(root)) && path.Base(root) == "src" {
			roots = append(roots, root)
		}
	}
	for _, root := range all {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// allRoots are the folders that packages stand in: of each manifest its own, its src, and what
// it says.
func (p *python) allRoots() []string {
	if p.roots != nil {
		return p.roots
	}
	roots := map[string]bool{"": true, "src": true}
	for _, name := range pythonManifests() {
		for _, file := range p.tree.pathsOf(name) {
			dir := parent(file)
			roots[dir], roots[below(dir, "src")] = true, true
			for _, root := range p.said(file) {
				if root, inside := join(dir, root); inside {
					roots[root] = true
				}
			}
		}
	}
	p.roots = slices.Collect(maps.Keys(roots))
	deepestFirst(p.roots, func(dir string) string { return dir })
	return p.roots
}

// said are the folders that a pyproject.toml calls roots, as its tools spell it.
func (p *python) said(file string) (roots []string) {
	if path.Base(file) != "pyproject.toml" {
		return nil
	}
	data, _ := p.read(file)
	tool := manifest.TOML(data).Get("tool")
	roots = listOf(tool.Get("setuptools", "packages", "find", "where"))
	roots = append(roots, tool.Text("setuptools", "package-dir", ""))
	for _, included := range tool.Get("poetry", "packages").List() {
		roots = append(roots, included.Text("from"))
	}
	roots = append(roots, tool.Text("maturin", "python-source"), tool.Text("pdm", "build", "package-dir"))
	roots = append(roots, listOf(tool.Get("pytest", "ini_options", "pythonpath"))...)
	return slices.DeleteFunc(roots, func(root string) bool { return root == "" })
}
