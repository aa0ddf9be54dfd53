package technologies

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// Workspace is a directory with a manifest.
type Workspace struct {
	Dir      string `json:"path"`           // from the root, "." for the root
	Name     string `json:"name,omitempty"` // name in its manifest
	Kind     string `json:"kind"`           // npm, go, cargo, maven, gradle, python, gem, composer, mix, pub
	Evidence string `json:"evidence"`       // file:line of the membership, or of its manifest
	Member   bool   `json:"member"`         // listed in the manifest of a root
}

// kind is a type of manifest that marks a workspace, and the function that returns its
// name.
type kind struct {
	kind, manifest string
	name           func(n *manifest.Node) string
}

// kinds lists the manifests that mark a workspace.
var kinds = [...]kind{
	{"npm", "package.json", func(n *manifest.Node) string { return n.Text("name") }},
	{"go", "go.mod", nil},
	{"python", "pyproject.toml", func(n *manifest.Node) string {
		return cmp.Or(n.Text("project", "name"), n.Text("tool", "poetry", "name"))
	}},
	{"cargo", "Cargo.toml", func(n *manifest.Node) string { return n.Text("package", "name") }},
	{"maven", "pom.xml", func(n *manifest.Node) string { return n.Text("artifactId") }},
	{"gradle", "build.gradle", nil},
	{"gradle", "build.gradle.kts", nil},
	{"gem", "Gemfile", nil},
	{"composer", "composer.json", func(n *manifest.Node) string { return n.Text("name") }},
	{"mix", "mix.exs", nil},
	{"pub", "pubspec.yaml", func(n *manifest.Node) string { return n.Text("name") }},
}

// Workspaces returns all directories with a manifest except fixtures, sorted by directory
// and kind.
func Workspaces(files project.Files) []Workspace {
	s := newScan(files)
	members := s.members()
	var all []Workspace
	for _, p := range s.paths {
		for _, k := range kinds {
			if path.Base(p) != k.manifest {
				continue
			}
			w := Workspace{Dir: cmp.Or(dirOf(p), "."), Kind: k.kind, Evidence: placeOf(p, 1)}
			if k.name != nil {
				w.Name = clean(k.name(s.tree(p)))
			} else if k.kind == "go" {
				w.Name, w.Evidence = s.moduleName(p)
			}
			if by := members(k.kind, dirOf(p)); by != "" {
				w.Evidence, w.Member = by, true
			}
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b Workspace) int { return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Kind, b.Kind)) })
	return slices.CompactFunc(all, func(a, b Workspace) bool { return a.Dir == b.Dir && a.Kind == b.Kind })
}

// moduleName returns the module path in a go.mod and its position.
func (s *scan) moduleName(file string) (name, evidence string) {
	evidence = placeOf(file, 1)
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" && name == "" {
			name, evidence = clean(fields[1]), placeOf(file, number)
		}
	})
	return name, evidence
}

// member is a directory pattern in the manifest of a root.
type member struct {
	root, pattern, evidence string
	not                     bool
}

// members returns a function that returns the position at which a root lists a directory as
// a member, or "". The last matching pattern of a root decides.
func (s *scan) members() func(kind, dir string) string {
	all := map[string][]member{}
	add := func(kind, root, file, pattern string, line int) {
		pattern, not := strings.CutPrefix(pattern, "!")
		pattern = path.Join(root, strings.TrimSuffix(pattern, "/"))
		all[kind] = append(all[kind], member{root: root, pattern: pattern, evidence: placeOf(file, line), not: not})
	}
	for _, p := range s.paths {
		s.membersIn(p, add)
	}
	return func(kind, dir string) (by string) {
		for _, m := range all[kind] {
			if dir != m.root && resources.MatchGlob(m.pattern, cmp.Or(dir, ".")) {
				if by = m.evidence; m.not {
					by = ""
				}
			}
		}
		return by
	}
}

// membersIn reads the members that one manifest lists.
func (s *scan) membersIn(file string, add func(kind, root, file, pattern string, line int)) {
	dir := dirOf(file)
	nodes := func(kind string, list *manifest.Node) {
		for _, n := range list.List() {
			add(kind, dir, file, n.Value, n.Line)
		}
	}
	switch path.Base(file) {
	case "package.json":
		if s.has[path.Join(dir, "pnpm-workspace.yaml")] {
			return
		}
		workspaces := s.tree(file).Get("workspaces")
		nodes("npm", workspaces)
		nodes("npm", workspaces.Get("packages"))
	case "pnpm-workspace.yaml":
		nodes("npm", s.tree(file).Get("packages"))
	case "Cargo.toml":
		nodes("cargo", s.tree(file).Get("workspace", "members"))
	case "pyproject.toml":
		nodes("python", s.tree(file).Get("tool", "uv", "workspace", "members"))
	case "pom.xml":
		nodes("maven", s.tree(file).Get("modules"))
	case "go.work":
		eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
			fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "use "))
			if len(fields) == 1 && strings.HasPrefix(fields[0], ".") {
				add("go", dir, file, fields[0], number)
			}
		})
	case "settings.gradle", "settings.gradle.kts":
		eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
			for _, m := range gradleModules().FindAllStringSubmatch(line, -1) {
				add("gradle", dir, file, strings.ReplaceAll(m[1], ":", "/"), number)
			}
		})
	}
}

// gradleModules matches the modules in an include statement, including its continuation
// lines.
var gradleModules = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']:([\w:.-]+)["']`) })

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
