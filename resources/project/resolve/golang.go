package resolve

import (
	"path"
	"strings"
)

// golang resolves Go imports to package directories in modules of the repository.
type golang struct {
	*Resolver
	modules map[string]*goModule // by directory; nil before loading
	works   map[string]*goWork   // by directory
}

// goModule contains the relevant parts of a go.mod.
type goModule struct {
	dir, path string
	replaced  map[string]string // directories of replaced modules in the repository, by module path
}

// goWork contains the relevant parts of a go.work.
type goWork struct {
	modules  map[string]bool // module directories
	replaced map[string]string
}

// extensions returns the extensions of Go files.
func (*golang) extensions() []string { return []string{".go"} }

// manifest reports whether a file is a go.mod or go.work, which affect the resolution of imports.
func (*golang) manifest(file string) bool {
	name := path.Base(file)
	return name == "go.mod" || name == "go.work"
}

// changed compares the relevant parts of a go.mod, because most changes only affect
// versions.
func (g *golang) changed(file string) Touched {
	was := g.modules[parent(file)]
	if was != nil && g.tree.files[file] && path.Base(file) == "go.mod" && was.equal(g.module(file)) {
		return Touched{}
	}
	g.modules = nil
	return Touched{Extensions: g.extensions()}
}

// resolve returns the package directory of an import as the only target, or nil if it is outside of
// the repository.
func (g *golang) resolve(q *query) []Target {
	g.load()
	at, found := upwards(q.dir, func(dir string) bool { return g.modules[dir] != nil })
	if !found {
		return nil
	}
	dir, base, found := g.folderOf(g.modules[at], q.From)
	if !found {
		return nil
	}
	// records the key even if the directory does not exist yet
	if q.lookups = append(q.lookups, dir+"/"); g.tree.folders[dir] == nil || !g.tree.folders[dir].holds(".go") {
		return nil
	}
	// a nested module is not part of the outer module
	if within, _ := upwards(dir, func(dir string) bool { return g.modules[dir] != nil }); within != base {
		return nil
	}
	return q.singleTarget(dir + "/")
}

// folderOf returns the directory of a package, as seen by a module, and the directory of
// the package's module. It considers the module itself, replaced modules and modules of the
// workspace. The longest module path has precedence.
func (g *golang) folderOf(m *goModule, from string) (dir, base string, found bool) {
	longest := -1
	take := func(modulePath, at string) {
		if len(modulePath) > longest && isBelow(from, modulePath) {
			longest, base, found = len(modulePath), at, true
			dir = below(at, strings.TrimPrefix(strings.TrimPrefix(from, modulePath), "/"))
		}
	}
	take(m.path, m.dir)
	for modulePath, at := range m.replaced {
		take(modulePath, at)
	}
	if at, there := upwards(m.dir, func(dir string) bool { return g.works[dir] != nil }); there && g.works[at].modules[m.dir] {
		for used := range g.works[at].modules {
			if other := g.modules[used]; other != nil {
				take(other.path, used)
			}
		}
		for modulePath, at := range g.works[at].replaced {
			take(modulePath, at)
		}
	}
	return dir, base, found
}

// isBelow reports whether a path is another path or below it.
func isBelow(p, top string) bool {
	rest, found := strings.CutPrefix(p, top)
	return found && top != "" && (rest == "" || rest[0] == '/')
}

// load reads all modules and workspaces once.
func (g *golang) load() {
	if g.modules != nil {
		return
	}
	g.modules, g.works = map[string]*goModule{}, map[string]*goWork{}
	for _, file := range g.tree.pathsOf("go.mod") {
		g.modules[parent(file)] = g.module(file)
	}
	for _, file := range g.tree.pathsOf("go.work") {
		g.works[parent(file)] = g.work(file)
	}
}

// module parses the relevant parts of a go.mod.
func (g *golang) module(file string) *goModule {
	m := &goModule{dir: parent(file), replaced: map[string]string{}}
	data, _ := g.readFile(file)
	eachDirective(string(data), func(verb string, words []string) {
		switch {
		case verb == "module" && len(words) > 0:
			m.path = words[0]
		case verb == "replace":
			m.replace(m.replaced, words)
		}
	})
	return m
}

// replace adds a replacement with a directory of the repository.
func (m *goModule) replace(replaced map[string]string, words []string) {
	for i, word := range words {
		if word != "=>" || i == 0 || i+1 >= len(words) || !strings.HasPrefix(words[i+1], ".") {
			continue
		}
		if dir, inside := join(m.dir, words[i+1]); inside {
			replaced[words[0]] = dir
		}
	}
}

// equal reports whether two versions of a go.mod have the same module path and the same local
// replacements.
func (m *goModule) equal(other *goModule) bool {
	if m.path != other.path || len(m.replaced) != len(other.replaced) {
		return false
	}
	for modulePath, dir := range m.replaced {
		if other.replaced[modulePath] != dir {
			return false
		}
	}
	return true
}

// work parses the relevant parts of a go.work.
func (g *golang) work(file string) *goWork {
	w := &goWork{modules: map[string]bool{}, replaced: map[string]string{}}
	at := &goModule{dir: parent(file)}
	data, _ := g.readFile(file)
	eachDirective(string(data), func(verb string, words []string) {
		switch {
		case verb == "use" && len(words) > 0:
			if dir, inside := join(at.dir, words[0]); inside {
				w.modules[dir] = true
			}
		case verb == "replace":
			at.replace(w.replaced, words)
		}
	})
	return w
}

// eachDirective calls each for every directive of a go.mod or go.work, including directives
// in blocks.
func eachDirective(text string, each func(verb string, words []string)) {
	block := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.Trim(words[i], "\"`")
		}
		switch {
		case len(words) == 0:
		case block != "" && words[0] == ")":
			block = ""
		case block != "":
			each(block, words)
		case words[len(words)-1] == "(":
			block = strings.TrimSuffix(words[0], "(")
		default:
			each(words[0], words[1:])
		}
	}
}
