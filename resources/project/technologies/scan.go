package technologies

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// source says where a version is from: of several the lowest holds.
type source int

const (
	fromVersionFile source = iota - 1
	fromManifest
	fromCompose
	fromDockerfile
	fromWorkflow
	fromFile
)

// dependency is what a manifest says that its workspace needs.
type dependency struct {
	ecosystem, name string
	version         string
	role            role
	dir             string // of the workspace, "" for the root
	file            string // that has the version
	line            int
	also            string // file:line of the requirement, where a lock file has the version
	source          source
}

func (d dependency) sightings() []sighting {
	var all []sighting
	for _, m := range table().packages(d.ecosystem, d.name) {
		if d.ecosystem == "action" {
			m.apart = true // the version of an action is not that of the tool
		}
		all = append(all, sighting{m, d})
	}
	return all
}

// evidence are the lines that show it, the version's first.
func (d dependency) evidence() []string {
	lines := []string{at(d.file, d.line)}
	if d.also != "" {
		lines = append(lines, d.also)
	}
	return lines
}

func at(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// scan is one look at the files. It keeps what it has read of them.
type scan struct {
	files      project.Files
	paths      []string // that count
	has        map[string]bool
	trees      map[string]*manifest.Node
	locks      map[string]*lock
	catalogs   map[string]*catalog
	read       string // the file whose lines were asked for last
	split      []string
	workspaces map[string]string // by folder
}

func newScan(files project.Files) *scan {
	s := &scan{files: files, has: map[string]bool{}, trees: map[string]*manifest.Node{}, locks: map[string]*lock{}, catalogs: map[string]*catalog{}, workspaces: map[string]string{}}
	vendored := project.Vendored(files)
	for _, p := range files.Paths() {
		s.has[p] = true
		if !project.IsFixture(p) && !vendored(p) && !project.Installed(files, p) {
			s.paths = append(s.paths, p)
		}
	}
	return s
}

// reader finds dependencies in files of one name.
type reader struct {
	patterns []string // of the file's name, or with a slash of its path's end
	read     func(s *scan, file string) []dependency
}

// readers is the one table of the manifests that are read.
var readers = [...]reader{
	{[]string{"package.json"}, (*scan).packageJSON},
	{[]string{"go.mod"}, (*scan).goMod},
	{[]string{"pyproject.toml"}, (*scan).pyproject},
	{[]string{"Pipfile"}, (*scan).pipfile},
	{[]string{"setup.cfg"}, (*scan).setupCfg},
	{[]string{"setup.py"}, (*scan).setupPy},
	{[]string{"requirements*.txt", "requirements*.in", "*requirements.txt", "requirements/*.txt", "requirements/*.in"}, (*scan).requirements},
	{[]string{"Cargo.toml"}, (*scan).cargo},
	{[]string{"pom.xml"}, (*scan).pom},
	{[]string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}, (*scan).gradle},
	{[]string{"Gemfile", "gems.rb"}, (*scan).gemfile},
	{[]string{"*.gemspec"}, (*scan).gemfile},
	{[]string{"composer.json"}, (*scan).composer},
	{[]string{"*.csproj", "*.fsproj", "*.vbproj", "Directory.Build.props", "global.json"}, (*scan).dotnet},
	{[]string{".config/dotnet-tools.json", "dotnet-tools.json"}, (*scan).dotnetTools},
	{[]string{"Dockerfile", "dockerfile", "Dockerfile.*", "*.Dockerfile", "Containerfile"}, (*scan).dockerfile},
	{[]string{"compose.yml", "compose.yaml", "compose.*.yml", "compose.*.yaml", "docker-compose*.yml", "docker-compose*.yaml", "docker-compose/*.yml", "podman-compose*.yml"}, (*scan).compose},
	{[]string{".github/workflows/*.yml", ".github/workflows/*.yaml"}, (*scan).workflow},
	{[]string{".gitlab-ci.yml"}, (*scan).pipeline},
	{[]string{"Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", ".justfile"}, (*scan).makefile},
	{[]string{"gradle-wrapper.properties", "maven-wrapper.properties", "Podfile.lock"}, (*scan).writer},
	{[]string{".github/actions/*/action.yml", ".github/actions/*/action.yaml"}, (*scan).compositeAction},
	{[]string{"mix.exs"}, (*scan).mix},
	{[]string{"pubspec.yaml"}, (*scan).pubspec},
	{[]string{".pre-commit-config.yaml"}, (*scan).hooks},
	{[]string{".nvmrc", ".node-version", ".python-version", ".ruby-version", ".tool-versions", "rust-toolchain", "rust-toolchain.toml", ".java-version", ".go-version"}, (*scan).versionFile},
}

// dependencies are those of all manifests.
func (s *scan) dependencies() []dependency {
	var all []dependency
	for _, p := range s.paths {
		dir, name := path.Split(p)
		dir = strings.TrimSuffix(dir, "/")
		for _, r := range readers {
			if slices.ContainsFunc(r.patterns, func(pattern string) bool { _, ok := fileMatches(pattern, dir, name); return ok }) {
				all = append(all, r.read(s, p)...)
			}
		}
	}
	return all
}

// configured are technologies that configuration files show, and languages that sources are written in.
func (s *scan) configured() []sighting {
	var all []sighting
	for _, d := range s.languages() {
		all = append(all, d.sightings()...)
	}
	for _, p := range s.paths {
		found, dir := table().files(p)
		for _, m := range found {
			d := dependency{ecosystem: "file", name: path.Base(p), role: Build, dir: s.workspaceOf(dir), file: p, line: 1, source: fromFile}
			all = append(all, sighting{m, d})
		}
	}
	return all
}

// workspaceFiles are what makes a folder a workspace.
var workspaceFiles = [...]string{"package.json", "go.mod", "pyproject.toml", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "pubspec.yaml"}

// workspaceOf is the nearest folder that has a manifest, the root if none has.
func (s *scan) workspaceOf(dir string) string {
	if dir == "" {
		return ""
	}
	workspace, known := s.workspaces[dir]
	if !known {
		workspace = dir
		if !slices.ContainsFunc(workspaceFiles[:], func(name string) bool { return s.has[dir+"/"+name] }) {
			workspace = s.workspaceOf(parent(dir))
		}
		s.workspaces[dir] = workspace
	}
	return workspace
}

// text is what a file has, nothing if it cannot be read.
func (s *scan) text(file string) []byte {
	if !s.has[file] {
		return nil
	}
	data, err := s.files.Read(file)
	if err != nil {
		return nil // gone since the list was made
	}
	return data
}

// tree is a file in the format that its name says; an empty one if it cannot be read.
func (s *scan) tree(file string) *manifest.Node {
	if n := s.trees[file]; n != nil {
		return n
	}
	n := parse(file, s.text(file))
	s.trees[file] = n
	return n
}

// parse reads as much of a text as can be read.
func parse(file string, data []byte) (n *manifest.Node) {
	switch path.Ext(file) {
	case ".json":
		n, _ = manifest.JSON(data)
	case ".xml", ".csproj", ".fsproj", ".vbproj", ".props":
		n, _ = manifest.XML(data)
	case ".yml", ".yaml":
		n = manifest.YAML(data)
	default:
		n = manifest.TOML(data)
	}
	return n
}

// nearest finds a file in a folder or the ones that it is in.
func (s *scan) nearest(dir, name string) (file, at string, found bool) {
	for {
		if file = path.Join(dir, name); s.has[file] {
			return file, dir, true
		}
		if dir == "" {
			return "", "", false
		}
		dir = parent(dir)
	}
}

// dirOf is the folder of a file, "" for the root.
func dirOf(file string) string { return parent(file) }
