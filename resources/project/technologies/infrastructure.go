package technologies

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
)

// terraformForms are the lines of Terraform, OpenTofu and Terragrunt that are read. Providers stand
// in blocks of their own, in what is required, in a lock file, and before each resource's name.
var terraformForms = sync.OnceValue(func() *struct{ provider, version, terraform, resource *regexp.Regexp } {
	return &struct{ provider, version, terraform, resource *regexp.Regexp }{
		provider:  regexp.MustCompile(`^\s*provider\s+"(?:[\w.-]+/)*([\w-]+)"|\bsource\s*=\s*"(?:registry\.[\w.]+/)?[\w-]+/([\w-]+)"`),
		version:   regexp.MustCompile(`\bversion\s*=\s*"([^"]+)"`),
		terraform: regexp.MustCompile(`^\s*required_version\s*=\s*"([^"]+)"`),
		resource:  regexp.MustCompile(`^\s*(?:resource|data)\s+"([a-z0-9]+)_\w+"`),
	}
})

// terraform reads which providers a file of Terraform has. The version of one stands in its line
// or in the block that begins there.
func (s *scan) terraform(file string) []dependency {
	var all []dependency
	forms, open := terraformForms(), false // open while a version belongs to the last provider
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		d := dependency{ecosystem: "provider", role: Infra, dir: s.workspaceOf(dirOf(file)), file: file, line: number}
		if m := forms.terraform.FindStringSubmatch(line); m != nil {
			d.ecosystem, d.name, d.version = "runtime", "terraform", m[1]
			all, open = append(all, d), false
		} else if m := forms.provider.FindStringSubmatch(line); m != nil {
			d.name = m[1] + m[2]
			all, open = append(all, d), true
		} else if m := forms.resource.FindStringSubmatch(line); m != nil {
			d.name = m[1]
			all, open = append(all, d), false
		}
		if m := forms.version.FindStringSubmatch(line); m != nil && open {
			last := &all[len(all)-1]
			last.version, last.line = m[1], number
		}
		open = open && !strings.Contains(line, "}")
	})
	return all
}

// chart reads what a Helm chart depends on: the version of a chart is not that of what it runs.
func (s *scan) chart(file string) []dependency {
	var all []dependency
	for _, n := range s.tree(file).Get("dependencies").List() {
		all = append(all, dependency{ecosystem: "chart", name: n.Text("name"), version: n.Text("version"), role: Infra, dir: s.workspaceOf(dirOf(file)), file: file, line: n.Line})
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
