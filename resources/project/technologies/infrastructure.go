package technologies

import (
	"bytes"
	"path"
	"strings"
)

// chart reads what a Helm chart depends on: the version of a chart is not that of what it runs.
func (s *scan) chart(file string) []dependency {
	var all []dependency
	for _, n := range s.tree(file).Get("dependencies").List() {
		all = append(all, s.infra(dependency{ecosystem: "chart", name: n.Text("name"), version: n.Text("version")}, file, n.Line))
	}
	return all
}

// kubernetes reads the images of a file that has objects of Kubernetes; any other has none.
func (s *scan) kubernetes(file string) []dependency {
	var all []dependency
	isObject := false
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		key, value, _ := strings.Cut(strings.TrimLeft(line, " -"), ":")
		value = strings.Trim(strings.TrimSpace(firstOf(value, " #")), `"'`)
		switch {
		case key == "apiVersion" && !isObject:
			isObject = true
			all = append(all, dependency{ecosystem: "runtime", name: "kubernetes", role: Infra, dir: s.workspaceOf(dirOf(file)), file: file, line: number, source: fromFile})
		case key == "image" && isObject && value != "" && !strings.Contains(value, "{{"):
			all = append(all, s.image(value, Infra, file, number, fromCompose))
		}
	})
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
		all = append(all, dependency{ecosystem: "hook", name: name, version: version, role: Build, dir: s.workspaceOf(dirOf(file)), file: file, line: n.Line, source: fromFile})
	}
	return all
}
