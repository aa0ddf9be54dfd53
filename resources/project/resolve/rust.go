package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// rust resolves paths of Rust by the files that modules stand in: "crate::a::B" from the root of
// the file's crate, "self" and "super" from its module, other names from a module beside it or
// from a crate of the repository.
type rust struct {
	*Resolver
	crates map[string]*crate // by folder; nil: not read
}

// ModuleDeclaration begins the imports by which a file of Rust makes others part of its crate,
// without using them.
const ModuleDeclaration = "mod "

// crate is what counts of a Cargo.toml.
type crate struct {
	dir     string
	name    string            // as code spells it
	roots   []string          // files that it may begin with: of its library, else of its binary
	others  []string          // files that its other crates begin with, as far as it says so
	renamed map[string]string // dependencies with another name here: theirs
}

func (*rust) extensions() []string { return []string{".rs"} }

func (*rust) manifest(file string) bool { return path.Base(file) == "Cargo.toml" }

func (r *rust) changed(file string) Touched {
	was := r.crates[parent(file)]
	if is := r.crate(file); was != nil && is != nil && was.same(is) {
		return Touched{}
	}
	r.crates = nil
	return Touched{Extensions: r.extensions()}
}

func (c *crate) same(other *crate) bool {
	if c.name != other.name || !slices.Equal(c.roots, other.roots) || !slices.Equal(c.others, other.others) || len(c.renamed) != len(other.renamed) {
		return false
	}
	for name, theirs := range c.renamed {
		if other.renamed[name] != theirs {
			return false
		}
	}
	return true
}

func (r *rust) resolve(q *query) []Target {
	r.load()
	at, found := upwards(q.dir, func(dir string) bool { return r.crates[dir] != nil })
	if !found {
		return nil
	}
	c := r.crates[at]
	root := r.rootOf(c, q)
	own, dir := q.file, moduleFolder(q.file, root)
	if name, found := strings.CutPrefix(q.From, ModuleDeclaration); found {
		around := strings.Split(name, "::") // modules in the file itself have folders of their own
		last := len(around) - 1
		return q.maybe(r.child(q, below(dir, strings.Join(around[:last], "/")), around[last]))
	}
	parts := strings.Split(strings.TrimPrefix(q.From, "::"), "::")
	if len(parts) > maxNesting || slices.Contains(parts, "") {
		return nil
	}
	switch parts[0] {
	case "crate":
		return r.modules(q, root, parent(root), parts[1:])
	case "self", "super":
		for len(parts) > 0 && (parts[0] == "self" || parts[0] == "super") {
			if parts[0] == "super" {
				dir = parent(dir)
				own = r.fileOf(q, dir, root)
			}
			parts = parts[1:]
		}
		return r.modules(q, own, dir, parts)
	default:
		if _, found := r.child(q, dir, parts[0]); found {
			return r.modules(q, own, dir, parts)
		}
		if other := r.named(c, parts[0]); other != nil {
			root := other.root(q)
			return r.modules(q, root, parent(root), parts[1:])
		}
	}
	return nil
}

// modules follows a path as far as modules go, from one that stands in a file and whose own
// modules stand in dir. The names may be modules as well.
func (r *rust) modules(q *query, own, dir string, parts []string) (targets []Target) {
	if !q.has(own) {
		return nil
	}
	for len(parts) > 0 {
		file, found := r.child(q, dir, parts[0])
		if !found {
			break
		}
		own, dir, parts = file, below(dir, parts[0]), parts[1:]
	}
	if len(parts) > 0 || len(q.Names) == 0 || slices.Equal(q.Names, []string{"*"}) {
		return q.found(own)
	}
	var left []string
	for _, name := range q.Names {
		if name == "self" { // the module by its own name
			targets = append(targets, Target{own, []string{"*"}})
		} else if file, found := r.child(q, dir, name); found && name != "*" {
			targets = append(targets, Target{file, []string{"*"}})
		} else {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		targets = append(targets, Target{own, left})
	}
	return targets
}

// child is the file of a module in a folder.
func (r *rust) child(q *query, dir, name string) (string, bool) {
	if strings.ContainsAny(name, "./") || name == "" {
		return "", false
	}
	if file, found := q.first(below(dir, name), ".rs"); found {
		return file, true
	}
	return q.first(below(dir, name+"/mod"), ".rs")
}

// moduleFolder is where the modules stand that a file declares, given what its crate begins with.
func moduleFolder(file, root string) string {
	if file == root || path.Base(file) == "mod.rs" {
		return parent(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

// fileOf is the file of the module whose own modules stand in dir.
func (r *rust) fileOf(q *query, dir, root string) string {
	if dir == parent(root) {
		return root
	}
	if file, found := q.first(dir, ".rs"); found {
		return file
	}
	if file, found := q.first(below(dir, "mod"), ".rs"); found {
		return file
	}
	return root
}

// rootOf is the file that a file's crate begins with: tests, examples and binaries of a package
// are crates of their own.
func (r *rust) rootOf(c *crate, q *query) string {
	file, said := q.file, ""
	for _, root := range c.others { // the one in the nearest folder around the file
		if file == root {
			return root
		}
		if dir := parent(root); isBelow(file, dir) && dir != below(c.dir, "src") && len(dir) > len(parent(said)) {
			said = root
		}
	}
	if said != "" {
		return said
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(file, c.dir), "/")
	parts := strings.Split(rest, "/")
	own := slices.Contains([]string{"tests", "examples", "benches"}, parts[0])
	if len(parts) > 2 && parts[0] == "src" && parts[1] == "bin" {
		own, parts = true, parts[1:]
	}
	switch {
	case rest == "build.rs" || rest == "src/main.rs" || own && len(parts) == 2:
		return file
	case own:
		folder := strings.TrimSuffix(file, "/"+strings.Join(parts[2:], "/"))
		if main := below(folder, "main.rs"); q.has(main) {
			return main
		}
		return folder + ".rs"
	}
	return c.root(q)
}

// root is the file that a crate begins with, if it is there.
func (c *crate) root(q *query) string {
	i := slices.IndexFunc(c.roots, q.has)
	return c.roots[max(i, 0)]
}

// named is the crate that a name means in another one.
func (r *rust) named(c *crate, name string) *crate {
	if theirs := c.renamed[name]; theirs != "" {
		name = theirs
	}
	var best *crate
	for _, other := range r.crates {
		if other.name == name && (best == nil || common(other.dir, c.dir) > common(best.dir, c.dir) ||
			common(other.dir, c.dir) == common(best.dir, c.dir) && other.dir < best.dir) {
			best = other
		}
	}
	return best
}

func (r *rust) load() {
	if r.crates != nil {
		return
	}
	r.crates = map[string]*crate{}
	for _, file := range r.tree.pathsOf("Cargo.toml") {
		if c := r.crate(file); c != nil {
			r.crates[c.dir] = c
		}
	}
}

// crate reads a Cargo.toml; nil of one without a package.
func (r *rust) crate(file string) *crate {
	data, _ := r.read(file)
	n := manifest.TOML(data)
	if n.Text("package", "name") == "" {
		return nil
	}
	c := &crate{dir: parent(file), name: n.Text("package", "name"), renamed: map[string]string{}}
	if name := n.Text("lib", "name"); name != "" {
		c.name = name
	}
	c.name = strings.ReplaceAll(c.name, "-", "_")
	for _, target := range n.Children { // [[bin]] and its like
		if root := target.Text("path"); root != "" && slices.Contains([]string{"bin", "test", "example", "bench"}, target.Key) {
			c.others = append(c.others, rooted(c.dir, root))
		}
	}
	for _, root := range []string{n.Text("lib", "path"), "src/lib.rs", "src/main.rs", n.Text("bin", "path")} {
		if root != "" {
			c.roots = append(c.roots, rooted(c.dir, root))
		}
	}
	for _, kind := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		for _, d := range n.Get(kind).List() {
			if theirs := d.Text("package"); theirs != "" {
				c.renamed[strings.ReplaceAll(d.Key, "-", "_")] = strings.ReplaceAll(theirs, "-", "_")
			}
		}
	}
	return c
}
