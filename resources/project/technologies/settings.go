package technologies

import (
	"bytes"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// examples are files that show which settings a program is given, with no secrets in them.
var examples = [...]string{
	".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env.test", ".env.development", ".env.local.example", ".env.example.local", ".env.*.example", ".env.*.sample",
	"env.example", "example.env", "sample.env", "*.env.example",
}

// example reads the names of settings: a service that a program only talks to shows in no manifest.
func (s *scan) example(file string) []dependency {
	var all []dependency
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		name, _, found := strings.Cut(strings.TrimPrefix(strings.TrimLeft(line, "# \t"), "export "), "=")
		if found {
			all = append(all, s.setting(strings.TrimSpace(name), file, number, Runtime))
		}
	})
	return all
}

func (s *scan) setting(name, file string, line int, r role) dependency {
	return dependency{ecosystem: "setting", name: name, role: r, dir: s.workspaceOf(dirOf(file)), file: file, line: line, source: fromWorkflow}
}

// settings are the names of those that a container of a compose file, or a step of a workflow, is given.
func (s *scan) settings(environment *manifest.Node, file string, r role) []dependency {
	var all []dependency
	for _, n := range environment.List() {
		name := n.Key
		if name == "" {
			name = firstOf(n.Value, "=")
		}
		all = append(all, s.setting(name, file, n.Line, r))
	}
	return all
}
