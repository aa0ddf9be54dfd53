package technologies

import (
	"path"
	"strings"
)

// hooks reads the repositories of a .pre-commit-config.yaml: the revision of one is the version
// of the tool that it runs.
func (s *scan) hooks(file string) []dependency {
	var all []dependency
	for _, n := range s.tree(file).Get("repos").List() {
		repo := strings.TrimSuffix(strings.TrimSuffix(n.Text("repo"), "/"), ".git")
		name := path.Join(path.Base(path.Dir(repo)), path.Base(repo))
		version := tagVersion(n.Text("rev"))
		if name == "pre-commit/pre-commit-hooks" || !strings.Contains(repo, "://") {
			continue
		}
		d := dependency{ecosystem: "hook", name: name, version: version, role: Build, dir: s.workspaceOf(dirOf(file)), file: file, line: n.Line, source: fromWorkflow}
		all = append(all, d)
		for _, hook := range n.Get("hooks").List() { // several tools may share a repository
			d.name, d.line = name+"/"+hook.Text("id"), hook.Line
			all = append(all, d)
		}
	}
	return all
}
