package technologies

import (
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// cargoSections are what a crate depends on.
var cargoSections = []struct {
	name string
	role role
}{{"dependencies", Runtime}, {"dev-dependencies", Test}, {"build-dependencies", Build}}

// cargo reads a Cargo.toml. A feature of a package is one more dependency, diesel[postgres]:
// in some that is how a database is chosen.
func (s *scan) cargo(file string) []dependency {
	root, dir := s.tree(file), dirOf(file)
	var all []dependency
	for _, section := range cargoSections {
		lists := []*manifest.Node{root.Get(section.name)}
		for _, target := range root.Get("target").List() {
			lists = append(lists, target.Get(section.name))
		}
		for _, list := range lists {
			for _, n := range list.List() {
				all = append(all, s.crate(n, section.role, dir, file)...)
			}
		}
	}
	for _, keys := range [][]string{{"package", "rust-version"}, {"workspace", "package", "rust-version"}} {
		if n := root.Get(keys...); n != nil && n.Value != "" {
			all = append(all, dependency{ecosystem: "runtime", name: "rust", version: n.Value, role: Runtime, dir: dir, file: file, line: n.Line})
		}
	}
	if root.Get("package") != nil || root.Get("workspace") != nil {
		all = append(all, dependency{ecosystem: "runtime", name: "rust", role: Runtime, dir: dir, file: file, line: 1})
	}
	return all
}

// crate reads one dependency: its version, or that of the workspace.
func (s *scan) crate(n *manifest.Node, r role, dir, file string) []dependency {
	d := dependency{ecosystem: "cargo", name: n.Key, version: n.Value, role: r, dir: dir, file: file, line: n.Line}
	features := n.Get("features").List()
	if n.Value == "" {
		d.version = n.Text("version")
	}
	if name := n.Text("package"); name != "" {
		d.name = name
	}
	if n.Text("workspace") == "true" {
		if shared, at := s.sharedCrate(dir, n.Key); shared != nil {
			d.also = evidenceOf(d)
			d.version, d.file, d.line = shared.Value+shared.Text("version"), at, shared.Line
			features = append(features[:len(features):len(features)], shared.Get("features").List()...)
			if name := shared.Text("package"); name != "" {
				d.name = name
			}
		}
	}
	if lock, _, found := s.nearest(dir, "Cargo.lock"); found {
		also := d.also
		l := s.lockOf(lock, packageTables("cargo"))
		if (d.pin(l, d.name+"@"+compatible(d.version)) || d.pin(l, d.name)) && also != "" {
			d.also = also
		}
	}
	all := []dependency{d}
	for _, feature := range features {
		one := d
		one.name = d.name + "[" + feature.Value + "]"
		all = append(all, one)
	}
	return all
}

func evidenceOf(d dependency) string { return at(d.file, d.line) }

// sharedCrate finds a dependency of the nearest workspace.
func (s *scan) sharedCrate(dir, name string) (*manifest.Node, string) {
	for {
		file, at, found := s.nearest(dir, "Cargo.toml")
		if !found {
			return nil, ""
		}
		if n := s.tree(file).Get("workspace", "dependencies", name); n != nil {
			return n, file
		}
		if at == "" {
			return nil, ""
		}
		dir = parent(at)
	}
}
