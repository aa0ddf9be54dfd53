package packages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// pythonLists lists the keys of pyproject.toml with requirements, either in one list or in a list for
// each group.
var pythonLists = [...]string{"project.dependencies", "project.optional-dependencies", "dependency-groups", "tool.uv.dev-dependencies"}

// inTOML returns the packages in a pyproject.toml or Cargo.toml.
func inTOML(text []byte) []Package { return inTables(manifest.TOML(text), "") }

// inTables returns the packages of the dependency tables and requirement lists below a table.
func inTables(table *manifest.Node, path string) (found []Package) {
	for _, n := range table.List() {
		switch {
		case slices.Contains(pythonLists[:], path+n.Key):
			for _, group := range append([]*manifest.Node{n}, n.List()...) {
				for _, item := range group.List() {
					if p := pythonPackage(item.Value); item.Key == "" && p.Name != "" {
						found = append(found, p)
					}
				}
			}
		case strings.HasSuffix(n.Key, "dependencies"):
			for _, d := range n.List() {
				if d.Key != "" {
					found = append(found, Package{cmp.Or(d.Text("package"), d.Key), cmp.Or(d.Value, d.Text("version"))})
				}
			}
		default:
			found = append(found, inTables(n, path+n.Key+".")...)
		}
	}
	return found
}
