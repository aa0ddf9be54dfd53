package technologies

import (
	"cmp"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// cargo reads a Cargo.toml. Each feature of a dependency is an additional dependency, such
// as diesel[postgres], because features of some crates select a database.
func (r *reading) cargo() {
	root := r.tree(r.file)
	for _, section := range (sections{{"dependencies", Runtime}, {"dev-dependencies", Test}, {"build-dependencies", Build}}) {
		for _, part := range append([]*manifest.Node{root}, root.Get("target").List()...) {
			for _, n := range part.Get(section.name).List() {
				r.crate(n, section.role)
			}
		}
	}
	r.addNode("runtime", "rust", root.Get("package", "rust-version"), Runtime)
	r.addNode("runtime", "rust", root.Get("workspace", "package", "rust-version"), Runtime)
	if root.Get("package") != nil || root.Get("workspace") != nil {
		r.add("runtime", "rust", "", Runtime, 1)
	}
}

// crate reads one dependency with its version, or the version in the workspace.
func (r *reading) crate(n *manifest.Node, role role) {
	d := r.add("cargo", cmp.Or(n.Text("package"), n.Key), cmp.Or(n.Value, n.Text("version")), role, n.Line)
	features := n.Get("features").List()
	if n.Text("workspace") == "true" {
		if shared, file := r.sharedCrate(n.Key); shared != nil {
			d.name = cmp.Or(shared.Text("package"), d.name)
			d.pin(lock{"": {shared.Value + shared.Text("version"), file, shared.Line}}, "")
			features = append(features[:len(features):len(features)], shared.Get("features").List()...)
		}
	}
	if file, _, found := r.nearest(r.dir, "Cargo.lock"); found {
		also, l := d.also, r.lockOf(file, packageTables("cargo"))
		if d.pin(l, d.name+"@"+compatible(d.version)) || d.pin(l, d.name) {
			d.also = cmp.Or(also, d.also)
		}
	}
	crate := *d
	for _, feature := range features {
		one := crate
		one.name += "[" + feature.Value + "]"
		r.found = append(r.found, one)
	}
}

// sharedCrate returns a dependency of the nearest workspace that has it.
func (r *reading) sharedCrate(name string) (*manifest.Node, string) {
	for dir := r.dir; ; dir = parent(dir) {
		file, at, found := r.nearest(dir, "Cargo.toml")
		if !found {
			return nil, ""
		}
		if n := r.tree(file).Get("workspace", "dependencies", name); n != nil || at == "" {
			return n, file
		}
		dir = at
	}
}
