package technologies

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
)

// chart reads what a Helm chart depends on: the version of a chart is not that of what it runs.
func (s *scan) chart(file string) []dependency { return s.charts(file, "dependencies", "name") }

// helmfile reads the charts that a helmfile releases.
func (s *scan) helmfile(file string) []dependency { return s.charts(file, "releases", "chart") }

// charts are those of a list in a file, by the key that has their names.
func (s *scan) charts(file, list, key string) []dependency {
	var all []dependency
	for _, n := range s.tree(file).Get(list).List() {
		if name := chartName(n.Text(key)); name != "" {
			all = append(all, s.infra(dependency{ecosystem: "chart", name: name, version: n.Text("version")}, file, n.Line))
		}
	}
	return all
}

// kustomization reads the charts of a kustomization, and the manifests beside it that it lists.
func (s *scan) kustomization(file string) []dependency {
	all := s.charts(file, "helmCharts", "name")
	for _, n := range s.tree(file).Get("resources").List() {
		if beside := path.Join(dirOf(file), path.Clean("/"+n.Value)); s.has[beside] && strings.HasSuffix(beside, "ml") && !project.IsFixture(beside) {
			all = append(all, s.kubernetes(beside)...)
		}
	}
	return all
}

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
