package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
	"github.com/idumb-dev/idumb/resources/source"
)

// rust resolves Rust paths by module files: "crate::a::B" from the crate root, "self" and
// "super" from the file's module, and other names from a sibling module or a crate of the
// repository.
type rust struct {
	*Resolver
	crates map[string]*crate // by directory; nil before loading
}

// ModuleDeclaration begins imports that add a module to a crate without using it.
const ModuleDeclaration = "mod "

// crate contains the relevant parts of a Cargo.toml.
type crate struct {
	dir        string
	name       string            // in the notation of code
	roots      []string          // candidates for the root file: of the library, else of the binary
	otherRoots []string          // configured root files of its other crates
	renamed    map[string]string // original names of renamed dependencies, by local name
}

// extensions returns the extension of Rust files.
func (*rust) extensions() []string { return []string{".rs"} }

// manifest reports whether a file is a Cargo.toml, which affects the resolution of imports.
func (*rust) manifest(file string) bool { return path.Base(file) == "Cargo.toml" }

// changed discards all crates if the relevant parts of a Cargo.toml changed, and returns the
// affected imports.
func (r *rust) changed(file string) Touched {
	was := r.crates[parent(file)]
	if is := r.crate(file); was != nil && is != nil && was.equal(is) {
		return Touched{}
	}
	r.crates = nil
	return Touched{Extensions: r.extensions()}
}

// equal reports whether two versions of a Cargo.toml have the same name, root files and renamed
// dependencies.
func (c *crate) equal(other *crate) bool {
	if c.name != other.name || !slices.Equal(c.roots, other.roots) || !slices.Equal(c.otherRoots, other.otherRoots) || len(c.renamed) != len(other.renamed) {
		return false
	}
	for name, theirs := range c.renamed {
		if other.renamed[name] != theirs {
			return false
		}
	}
	return true
}

// resolve returns the module files that a Rust path refers to, or nil for a path outside of the
// repository.
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
		around := strings.Split(name, "::") // inline modules have separate directories
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

// modules follows a path as far as modules exist. It starts at a module in file own with
// submodules in dir. The imported names may be modules too.
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
		return q.singleTarget(own)
	}
	var left []string
	for _, name := range q.Names {
		if name == "self" { // the module itself
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

// child returns the file of a module in a directory.
func (r *rust) child(q *query, dir, name string) (string, bool) {
	if strings.ContainsAny(name, "./") || name == "" {
		return "", false
	}
	if file, found := q.first(below(dir, name), ".rs"); found {
		return file, true
	}
	return q.first(below(dir, name+"/mod"), ".rs")
}

// moduleFolder returns the directory of the modules that a file declares, given the root
// file of its crate.
func moduleFolder(file, root string) string {
	if file == root || path.Base(file) == "mod.rs" {
		return parent(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

// fileOf returns the file of the module with submodules in dir, or the root
// file of the crate if the crate has no such file.
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

// rootOf returns the root file of the crate that contains a file. Tests, examples and
// binaries of a package are separate crates.
func (r *rust) rootOf(c *crate, q *query) string {
	file, said := q.file, ""
	for _, root := range c.otherRoots { // the one in the nearest enclosing directory
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

// root returns the first root file of a crate that exists, or the first
// candidate if none does.
func (c *crate) root(q *query) string {
	i := slices.IndexFunc(c.roots, q.has)
	return c.roots[max(i, 0)]
}

// named returns the crate of the repository that a name means inside the crate c, or nil.
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

// load reads all Cargo.toml files of the repository, once until one changes.
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

// crate parses a Cargo.toml. It returns nil for a manifest without a package.
func (r *rust) crate(file string) *crate {
	data, _ := r.readFile(file)
	n := manifest.TOML(data)
	if n.Text("package", "name") == "" {
		return nil
	}
	c := &crate{dir: parent(file), name: n.Text("package", "name"), renamed: map[string]string{}}
	if name := n.Text("lib", "name"); name != "" {
		c.name = name
	}
	c.name = strings.ReplaceAll(c.name, "-", "_")
	for _, target := range n.Children { // [[bin]], [[test]] and so on
		if root := target.Text("path"); root != "" && slices.Contains([]string{"bin", "test", "example", "bench"}, target.Key) {
			c.otherRoots = append(c.otherRoots, rooted(c.dir, root))
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

// Imports returns the imports of a file for the resolver. Paths that begin with "super" in
// an inline Rust module are rewritten relative to the file's module. Modules that an inline
// module declares are rewritten too.
func Imports(facts source.Facts) []source.Import {
	if facts.Language != "Rust" {
		return facts.Imports
	}
	imports := slices.Clone(facts.Imports)
	for n := range imports {
		var around []string // enclosing modules, outermost first
		for _, s := range facts.Symbols {
			if s.Kind == source.Module && s.From <= imports[n].Line && imports[n].Line <= s.To && s.From < s.To {
				around = append(around, s.Name)
			}
		}
		if name, found := strings.CutPrefix(imports[n].From, ModuleDeclaration); found {
			imports[n].From = ModuleDeclaration + strings.Join(append(around, name), "::")
			continue
		}
		imports[n].From = outermost(imports[n].From, len(around))
	}
	return imports
}

// outermost rewrites a Rust path for a module that is depth levels further out.
func outermost(from string, depth int) string {
	path, taken := from, 0
	for taken < depth && (path == "super" || strings.HasPrefix(path, "super::")) {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "super"), "::")
		taken++
	}
	switch {
	case taken == 0 || strings.HasPrefix(path, "super"):
		return path
	case path == "":
		return "self"
	}
	return "self::" + path
}
