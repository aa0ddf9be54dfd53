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
type terraformForms struct{ provider, version, terraform, resource, module, chart, backend *regexp.Regexp }

var terraformLines = sync.OnceValue(func() *terraformForms {
	return &terraformForms{
		provider:  regexp.MustCompile(`^\s*provider\s+"(?:[\w.-]+/)*([\w-]+)"|\bsource\s*=\s*"(?:registry\.[\w.]+/)?[\w-]+/([\w-]+)"`),
		version:   regexp.MustCompile(`\bversion\s*=\s*"([^"]+)"`),
		terraform: regexp.MustCompile(`^\s*required_version\s*=\s*"([^"]+)"`),
		resource:  regexp.MustCompile(`^\s*(?:resource|data)\s+"([a-z0-9]+)_(\w+)"`),
		module:    regexp.MustCompile(`\bsource\s*=\s*"(?:tfr://[\w.-]*/|[\w-]+\.[\w.-]+/)?[\w-]+/([\w-]+)/([a-z0-9]+)(?:(?://|\?)[^"]*)?"`),
		backend:   regexp.MustCompile(`^\s*backend\s+"(\w+)"`),
		chart:     regexp.MustCompile(`^\s*chart\s*=\s*"([^"]+)"`),
	}
})

// terraform reads which providers a file of Terraform has, its resources and modules, and the charts
// that it releases. The version of a provider or chart stands in its line or in the block that begins there.
func (s *scan) terraform(file string) []dependency {
	var all []dependency
	forms, open := terraformLines(), false // open while a version belongs to the last one
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return
		}
		if strings.Contains(line, `"`) { // as all forms have, and few lines
			if found, versioned := forms.read(line); len(found) > 0 {
				open = versioned
				for _, d := range found {
					all = append(all, s.infra(d, file, number))
				}
			}
			if m := forms.version.FindStringSubmatch(line); m != nil && open {
				last := &all[len(all)-1]
				last.version, last.line = m[1], number
			}
		}
		open = open && !strings.Contains(line, "}")
	})
	return all
}

// read returns what a line shows, and whether a version that follows belongs to it.
func (f *terraformForms) read(line string) (found []dependency, versioned bool) {
	if m := f.terraform.FindStringSubmatch(line); m != nil {
		return []dependency{{ecosystem: "runtime", name: "terraform", version: m[1]}}, false
	}
	if m := f.provider.FindStringSubmatch(line); m != nil {
		return []dependency{{ecosystem: "provider", name: m[1] + m[2]}}, true
	}
	if m := f.resource.FindStringSubmatch(line); m != nil {
		return resource(m[1], m[2]), false
	}
	if m := f.module.FindStringSubmatch(line); m != nil {
		return resource(m[2], strings.ReplaceAll(m[1], "-", "_")), false
	}
	if m := f.chart.FindStringSubmatch(line); m != nil && chartName(m[1]) != "" {
		return []dependency{{ecosystem: "chart", name: chartName(m[1])}}, true
	}
	if m := f.backend.FindStringSubmatch(line); m != nil {
		return []dependency{{ecosystem: "resource", name: "backend_" + m[1]}}, false
	}
	return nil, false
}

// resource is a type of a provider's; a module of the registry is one that has the module's name.
func resource(provider, name string) []dependency {
	return []dependency{{ecosystem: "provider", name: provider}, {ecosystem: "resource", name: provider + "_" + name}}
}

// infra places what a file of infrastructure shows.
func (s *scan) infra(d dependency, file string, line int) dependency {
	d.role, d.dir, d.file, d.line = Infra, s.workspaceOf(dirOf(file)), file, line
	return d
}

// chartName is the name of a chart without its repository, "" for one of the project's own and for
// one that is computed.
func chartName(text string) string {
	if text == "" || text[0] == '.' || text[0] == '/' || strings.ContainsAny(text, "${") {
		return ""
	}
	return path.Base(text)
}
