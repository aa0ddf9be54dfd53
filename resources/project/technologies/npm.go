package technologies

import (
	"cmp"
	"strings"
)

// sections lists the parts of a manifest with dependencies. It excludes npm's peer
// dependencies, which dependents must provide.
type sections []struct {
	name string
	role role
}

// packageJSON reads a package.json, including its requirements on Node.js and on the
// package manager.
func (r *reading) packageJSON() {
	root := r.tree(r.file)
	for _, section := range (sections{{"dependencies", Runtime}, {"optionalDependencies", Runtime}, {"devDependencies", Build}}) {
		for _, n := range root.Get(section.name).List() {
			d := r.add("npm", n.Key, n.Value, section.role, n.Line)
			if strings.ContainsAny(n.Value, ":/") && !strings.HasPrefix(n.Value, "npm:") || n.Value == "*" || n.Value == "latest" {
				d.version = "" // a directory, a URL, a catalog entry or any version
			}
			r.npmPin(d, n.Value)
			required := strings.TrimPrefix(d.version, "npm:")
			if i := strings.LastIndexByte(required, '@'); i > 0 { // "vite": "npm:rolldown-vite@7"
				d.name, d.version = required[:i], required[i+1:]
			}
		}
	}
	for _, engine := range []string{"node", "bun", "deno", "npm", "pnpm", "yarn"} {
		r.addNode("runtime", cmp.Or(map[string]string{"node": "nodejs"}[engine], engine), root.Get("engines", engine), Runtime)
	}
	if n := root.Get("packageManager"); n != nil {
		name, version, _ := strings.Cut(n.Value, "@")
		r.add("runtime", name, firstOf(version, "+"), Build, n.Line) // omits the checksum
	}
}
