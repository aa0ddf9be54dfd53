package technologies

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// npmSections are what a package.json depends on directly; peers are others' to bring.
var npmSections = []struct {
	name string
	role role
}{{"dependencies", Runtime}, {"optionalDependencies", Runtime}, {"devDependencies", Build}}

// packageJSON reads a package.json, with what it says of Node.js and of the package manager.
func (s *scan) packageJSON(file string) []dependency {
	root, dir := s.tree(file), dirOf(file)
	var all []dependency
	for _, section := range npmSections {
		for _, n := range root.Get(section.name).List() {
			d := dependency{ecosystem: "npm", name: n.Key, version: n.Value, role: section.role, dir: dir, file: file, line: n.Line}
			s.npmVersion(&d)
			d.unalias()
			all = append(all, d)
		}
	}
	for _, engine := range []string{"node", "bun", "deno", "npm", "pnpm", "yarn"} {
		if n := root.Get("engines", engine); n != nil {
			name := map[string]string{"node": "nodejs"}[engine]
			if name == "" {
				name = engine
			}
			all = append(all, dependency{ecosystem: "runtime", name: name, version: n.Value, role: Runtime, dir: dir, file: file, line: n.Line})
		}
	}
	for _, n := range root.Get("scripts").List() {
		all = append(all, recipe{file, dir, Build, fromFile}.script(n.Value, n.Line)...)
	}
	if n := root.Get("packageManager"); n != nil {
		name, version, _ := strings.Cut(n.Value, "@")
		version, _, _ = strings.Cut(version, "+") // the sum of it
		all = append(all, dependency{ecosystem: "runtime", name: name, version: version, role: Build, dir: dir, file: file, line: n.Line})
	}
	return all
}

// npmVersion finds the exact version of a dependency, else what is required of it: both may
// stand elsewhere.
func (s *scan) npmVersion(d *dependency) {
	required := d.version
	if name, ok := strings.CutPrefix(required, "catalog:"); ok {
		required = ""
		if n := s.catalog(d.dir, name, d.name); n != nil {
			required = n.Value
			d.also = at(d.file, d.line)
			d.version, d.file, d.line = n.Value, n.Key, n.Line
		} else {
			d.version = ""
		}
	}
	if strings.ContainsAny(required, ":/") && !strings.HasPrefix(required, "npm:") || required == "*" || required == "latest" {
		d.version = "" // a folder, an address, or anything
	}
	also := d.also
	if s.npmPin(d, required) && also != "" {
		d.also = also
	}
}

// catalog finds the entry of a catalog: in pnpm-workspace.yaml, or in the package.json of the root
// as Bun has it. The node's key is the file.
func (s *scan) catalog(dir, catalog, name string) *manifest.Node {
	for _, place := range []struct {
		file string
		keys []string
	}{{"pnpm-workspace.yaml", nil}, {"package.json", []string{"workspaces"}}, {"package.json", nil}, {".yarnrc.yml", nil}} {
		file, _, found := s.nearestCatalog(dir, place.file, place.keys)
		if !found {
			continue
		}
		root := s.tree(file).Get(place.keys...)
		n := root.Get("catalogs", catalog, name)
		if n == nil && (catalog == "" || catalog == "default") {
			n = root.Get("catalog", name)
		}
		if n != nil {
			return &manifest.Node{Key: file, Value: n.Value, Line: n.Line}
		}
	}
	return nil
}

// nearestCatalog finds the nearest file of that name that has catalogs.
func (s *scan) nearestCatalog(dir, name string, keys []string) (file, at string, found bool) {
	for {
		file, at, found = s.nearest(dir, name)
		if !found {
			return "", "", false
		}
		if root := s.tree(file).Get(keys...); root.Get("catalog") != nil || root.Get("catalogs") != nil {
			return file, at, true
		}
		if at == "" {
			return "", "", false
		}
		dir = parent(at)
	}
}

// unalias gives a dependency under another name ("vite": "npm:rolldown-vite@7") its own.
func (d *dependency) unalias() {
	required := strings.TrimPrefix(d.version, "npm:")
	if i := strings.LastIndexByte(required, '@'); i > 0 {
		d.name, d.version = required[:i], required[i+1:]
	}
}
