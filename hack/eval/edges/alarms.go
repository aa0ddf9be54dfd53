package edges

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// alarms counts the names that are imported from files of the repository, and the imported names
// that no file seems to export. If all code compiles, these are false alarms.
type alarms struct {
	g        *project.Graph
	resolver *resolve.Resolver
	exported map[string]project.Names

	names, unknown, false int
}

// file checks the imports of one file.
func (a *alarms) file(path string, imports []source.Import, show func(how, path, from, to string, instead []string)) {
	for _, i := range imports {
		targets, _ := a.resolver.Resolve(path, i)
		for _, t := range targets {
			given := a.exportedNames(t.Path)
			for _, name := range t.Names {
				switch {
				case name == "*":
				case !given.Complete:
					a.unknown++
				case given.All[name]:
					a.names++
				default:
					a.names++
					a.false++
					show("gone", path, i.From, t.Path, []string{name})
				}
			}
		}
	}
}

// exportedNames returns the exported names of a file, or of all files of a package.
func (a *alarms) exportedNames(path string) project.Names {
	if n, known := a.exported[path]; known {
		return n
	}
	members := []string{path}
	if strings.HasSuffix(path, "/") {
		members = a.resolver.Members(path)
	}
	all := project.Names{All: map[string]bool{}, Complete: true}
	for _, m := range members {
		n := a.g.Exports(m)
		all.Complete = all.Complete && n.Complete
		for name := range n.All {
			all.All[name] = true
		}
	}
	a.exported[path] = all
	return all
}
