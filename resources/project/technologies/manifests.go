package technologies

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// goMod reads the direct requirements of a go.mod.
func (r *reading) goMod() {
	block := ""
	r.lines(func(line string, number int) {
		text, comment, _ := strings.Cut(line, "//")
		fields := strings.Fields(text)
		switch {
		case len(fields) == 0:
			return
		case fields[0] == ")":
			block = ""
			return
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
			return
		case block != "":
			fields = append([]string{block}, fields...)
		}
		switch {
		case fields[0] == "go" && len(fields) == 2:
			r.add("runtime", "go", fields[1], Runtime, number)
		case fields[0] == "require" && len(fields) == 3 && strings.TrimSpace(comment) != "indirect":
			r.add("go", fields[1], strings.TrimSuffix(strings.TrimPrefix(fields[2], "v"), "+incompatible"), Runtime, number)
		case fields[0] == "tool" && len(fields) == 2:
			r.add("go", fields[1], "", Build, number)
		}
	})
}

// composer reads a composer.json, with exact versions from composer.lock.
func (r *reading) composer() {
	locked := r.lockOf(path.Join(r.dir, "composer.lock"), readComposerLock)
	for _, section := range (sections{{"require", Runtime}, {"require-dev", Build}}) {
		for _, n := range r.tree(r.file).Get(section.name).List() {
			d := r.add("composer", canonical("composer", n.Key), n.Value, section.role, n.Line)
			if n.Key == "php" {
				d.ecosystem = "runtime"
			}
			d.pin(locked, d.name)
		}
	}
}

// gemForms contains the patterns for lines of a Gemfile or gemspec, which are programs.
var gemForms = sync.OnceValue(func() *struct{ gem, group, ruby *regexp.Regexp } {
	return &struct{ gem, group, ruby *regexp.Regexp }{
		gem:   regexp.MustCompile(`^\s*(?:gem|\w+\.add(?:_runtime|_development)?_dependency)[\s(]+["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?`),
		group: regexp.MustCompile(`^\s*group[\s(]+(.*?)\)?\s+do\b`),
		ruby:  regexp.MustCompile(`^\s*ruby[\s(]+["']([^"']+)["']`),
	}
})

// gemfile reads a Gemfile or gemspec, with exact versions from the lock file in the same
// directory.
func (r *reading) gemfile() {
	forms, group := gemForms(), role(Runtime)
	locked := r.lockOf(path.Join(r.dir, "Gemfile.lock"), readGemLock)
	if _, has := locked[bundledWith]; has {
		r.add("runtime", "bundler", "", Build, 1).pin(locked, bundledWith)
	}
	r.lines(func(line string, number int) {
		if m := forms.group.FindStringSubmatch(line); m != nil {
			group = gemRole(m[1])
		} else if strings.TrimRight(line, " \r") == "end" {
			group = Runtime
		} else if m := forms.ruby.FindStringSubmatch(line); m != nil {
			r.add("runtime", "ruby", m[1], group, number)
		} else if m := forms.gem.FindStringSubmatch(line); m != nil {
			d := r.add("gem", m[1], m[2], group, number)
			if _, inline, has := strings.Cut(line, "group"); has {
				d.role = gemRole(inline)
			}
			if strings.Contains(line, "development_dependency") {
				d.role = Build
			}
			d.pin(locked, d.name)
		}
	})
}

// gemRole returns the role of a list of groups. The role of production has precedence.
func gemRole(groups string) role {
	for _, known := range (sections{{"production", Runtime}, {"development", Build}, {"test", Test}, {"doc", Docs}}) {
		if strings.Contains(groups, known.name) {
			return known.role
		}
	}
	return Runtime
}

// dotnet reads a .NET project, or shared properties of a directory. Versions may be in the
// nearest Directory.Packages.props.
func (r *reading) dotnet() {
	root := r.tree(r.file)
	r.addNode("runtime", "dotnet", root.Get("sdk", "version"), Build) // in global.json
	sdk, version, _ := strings.Cut(root.Text("Sdk"), "/")
	if sdk == "Microsoft.NET.Sdk.Web" {
		sdk = "Microsoft.AspNetCore.App"
	}
	r.add("nuget", sdk, version, Runtime, root.Line)
	for _, group := range root.List() {
		for _, n := range group.List() {
			switch n.Key {
			case "PackageReference", "GlobalPackageReference", "FrameworkReference":
				d := r.add("nuget", n.Text("Include"), withoutProperty(n.Text("Version")), Runtime, n.Line)
				if file, _, found := r.nearest(r.dir, "Directory.Packages.props"); found && d.version == "" {
					d.pin(r.lockOf(file, readCentral), canonical("nuget", d.name))
				}
			case "TargetFramework", "TargetFrameworks":
				version, named := strings.CutPrefix(firstOf(n.Value, ";"), "net")
				if version = firstOf(version, "-"); !named || !isVersion(version) {
					version = "" // a property
				}
				r.add("runtime", "dotnet", version, Runtime, n.Line)
				if sdk == "Microsoft.AspNetCore.App" { // ASP.NET Core is part of .NET and has its version
					r.add("nuget", sdk, version, Runtime, n.Line)
				}
			}
		}
	}
}

// versionFiles maps files that contain only a version to the runtime.
var versionFiles = map[string]string{
	".nvmrc": "nodejs", ".node-version": "nodejs", ".python-version": "python", ".ruby-version": "ruby", "rust-toolchain": "rust", ".java-version": "java", ".go-version": "go",
}

// versionFile reads a file of a version manager.
func (r *reading) versionFile() {
	r.addNode("runtime", "rust", r.tree(r.file).Get("toolchain", "channel"), Runtime)
	what := versionFiles[path.Base(r.file)]
	r.lines(func(line string, number int) {
		switch fields := strings.Fields(line); {
		case len(fields) == 0 || fields[0][0] == '#':
		case what != "" && number == 1:
			r.add("runtime", what, strings.TrimPrefix(strings.TrimPrefix(fields[0], "ruby-"), "v"), Runtime, number)
		case path.Base(r.file) == ".tool-versions" && len(fields) > 1:
			r.add("runtime", fields[0], fields[1], Runtime, number)
		}
	})
}
