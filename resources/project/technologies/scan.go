package technologies

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// source is the type of file that contains a version; the lowest value has precedence.
type source int

const (
	fromVersionFile source = iota - 1
	fromManifest
	fromCompose
	fromDockerfile
	fromWorkflow
	fromFile
)

// dependency is a dependency of a workspace in a manifest.
type dependency struct {
	ecosystem, name string
	version         string
	role            role
	dir             string // workspace directory, "" for the root
	file            string // file with the version
	line            int
	also            string // file:line of the requirement if the version is in a lock file
	source          source
}

// sightings returns the technologies that a dependency indicates, by the table of technologies.
func (d dependency) sightings() []sighting {
	var all []sighting
	for _, m := range table().packages(d.ecosystem, d.name) {
		m.apart = m.apart || d.ecosystem == "action" // an action has its own version
		all = append(all, sighting{m, d})
	}
	return all
}

// evidence returns the file:line positions, first the one of the version.
func (d dependency) evidence() []string {
	lines := []string{placeOf(d.file, d.line)}
	if d.also != "" {
		lines = append(lines, d.also)
	}
	return lines
}

// placeOf returns a position as file:line.
func placeOf(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// scan is one pass over the files. It caches parsed files.
type scan struct {
	files      project.Files
	paths      []string // without ignored paths
	has        map[string]bool
	trees      map[string]*manifest.Node
	locks      map[string]lock
	catalogs   map[string]catalog
	workspaces map[string]string // by directory
}

// newScan returns a scan of all files except fixtures, vendored files and files that iDumb
// installed.
func newScan(files project.Files) *scan {
	s := &scan{files: files, has: map[string]bool{}, trees: map[string]*manifest.Node{}, locks: map[string]lock{}, catalogs: map[string]catalog{}, workspaces: map[string]string{}}
	vendored := project.Vendored(files)
	for _, p := range files.Paths() {
		s.has[p] = true
		if !project.IsFixture(p) && !vendored(p) && !project.Installed(files, p) {
			s.paths = append(s.paths, p)
		}
	}
	return s
}

// reading is a manifest with its dependencies so far.
type reading struct {
	*scan
	file, dir string // dir is the workspace directory, "" for the root
	source    source
	found     []dependency
}

// add adds a dependency. The result may be modified until the next call.
func (r *reading) add(ecosystem, name, version string, role role, line int) *dependency {
	r.found = append(r.found, dependency{ecosystem, name, version, role, r.dir, r.file, line, "", r.source})
	return &r.found[len(r.found)-1]
}

// addNode adds a runtime or package with a version, if the manifest contains the node.
func (r *reading) addNode(ecosystem, name string, n *manifest.Node, role role) {
	if n != nil && n.Value != "" {
		r.add(ecosystem, name, n.Value, role, n.Line)
	}
}

// lines calls each for every line of the manifest.
func (r *reading) lines(each func(line string, number int)) {
	eachLine(bytes.NewReader(r.text(r.file)), each)
}

// readers lists the types of manifests: patterns for the ends of paths, and the function
// that reads them.
var readers = [...]struct {
	patterns []string
	source   source
	read     func(*reading)
}{
	{[]string{"package.json"}, fromManifest, (*reading).packageJSON},
	{[]string{"go.mod"}, fromManifest, (*reading).goMod},
	{[]string{"pyproject.toml"}, fromManifest, (*reading).pyproject},
	{[]string{"Pipfile"}, fromManifest, (*reading).pipfile},
	{[]string{"requirements*.txt", "requirements*.in", "requirements/*.txt", "requirements/*.in"}, fromManifest, (*reading).requirements},
	{[]string{"Cargo.toml"}, fromManifest, (*reading).cargo},
	{[]string{"pom.xml"}, fromManifest, (*reading).pom},
	{[]string{"build.gradle", "build.gradle.kts"}, fromManifest, (*reading).gradle},
	{[]string{"Gemfile", "*.gemspec"}, fromManifest, (*reading).gemfile},
	{[]string{"composer.json"}, fromManifest, (*reading).composer},
	{[]string{"*.csproj", "*.fsproj", "*.vbproj", "Directory.Build.props", "global.json"}, fromManifest, (*reading).dotnet},
	{[]string{"Dockerfile", "Dockerfile.*", "*.Dockerfile", "Containerfile"}, fromDockerfile, (*reading).dockerfile},
	{[]string{"compose.y*ml", "compose.*.y*ml", "docker-compose*.y*ml"}, fromCompose, (*reading).compose},
	{[]string{".github/workflows/*.y*ml"}, fromWorkflow, (*reading).workflow},
	{[]string{".nvmrc", ".node-version", ".python-version", ".ruby-version", ".tool-versions", "rust-toolchain", "rust-toolchain.toml", ".java-version", ".go-version"}, fromVersionFile, (*reading).versionFile},
}

// dependencies returns the dependencies in all manifests.
func (s *scan) dependencies() []dependency {
	var all []dependency
	for _, p := range s.paths {
		for _, r := range readers {
			if slices.ContainsFunc(r.patterns, func(pattern string) bool { return endMatches(pattern, p) }) {
				one := &reading{scan: s, file: p, dir: dirOf(p), source: r.source}
				if r.source != fromManifest {
					one.dir = s.workspaceOf(one.dir)
				}
				r.read(one)
				all = append(all, one.found...)
			}
		}
	}
	return all
}

// endMatches reports whether a pattern matches the end of a path with the same
// number of path elements.
func endMatches(pattern, file string) bool {
	start := len(file)
	for range strings.Count(pattern, "/") + 1 {
		start = strings.LastIndexByte(file[:max(0, start)], '/')
	}
	matched, _ := path.Match(pattern, file[start+1:])
	return matched
}

// fewSources is the number of source files in a language that do not indicate its use in a
// workspace.
const fewSources = 2

// configured returns technologies that file names indicate, and the languages of source
// files. It ignores configuration files and hidden directories as sources.
func (s *scan) configured() []dependency {
	type place struct{ dir, ending string }
	var all []dependency
	count := map[place]int{}
	for _, p := range s.paths {
		dir, name := s.workspaceOf(dirOf(p)), path.Base(p)
		for _, end := range table().files[name] {
			if p == end || strings.HasSuffix(p, "/"+end) {
				all = append(all, dependency{ecosystem: "file", name: end, role: Build, dir: s.workspaceOf(strings.TrimSuffix(strings.TrimSuffix(p, end), "/")), file: p, line: 1, source: fromFile})
			}
		}
		ending := path.Ext(name)
		if ending == "" || strings.HasPrefix(name, ".") || strings.HasPrefix(p, ".") || strings.Contains(name, ".config.") || strings.Contains(name, ".min.") {
			continue
		}
		at := place{dir, ending}
		if count[at]++; count[at] == fewSources+1 {
			all = append(all, dependency{ecosystem: "source", name: ending, role: Runtime, dir: dir, file: p, line: 1, source: fromFile})
		}
	}
	return all
}

// workspaceOf returns the nearest directory with a manifest, or the root.
func (s *scan) workspaceOf(dir string) string {
	if dir == "" {
		return ""
	}
	workspace, known := s.workspaces[dir]
	if !known {
		workspace = dir
		if !slices.ContainsFunc(kinds[:], func(k kind) bool { return s.has[dir+"/"+k.manifest] }) {
			workspace = s.workspaceOf(parent(dir))
		}
		s.workspaces[dir] = workspace
	}
	return workspace
}

// text returns the content of a file, or nil if it is unreadable.
func (s *scan) text(file string) []byte {
	if !s.has[file] {
		return nil
	}
	data, _ := s.files.Read(file) // may be deleted in the meantime
	return data
}

// tree parses a file by its extension, and returns the readable part.
func (s *scan) tree(file string) *manifest.Node {
	n := s.trees[file]
	if n == nil {
		n = parse(file, s.text(file))
		s.trees[file] = n
	}
	return n
}

// parse parses a manifest by its extension. It returns the part before the first error.
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

// nearest finds a file in a directory or its parents.
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

// parent returns the parent of a directory, "" for the root.
func parent(dir string) string { return dir[:max(0, strings.LastIndexByte(dir, '/'))] }

// dirOf returns the directory of a file, "" for the root.
func dirOf(file string) string { return parent(file) }

// isVersion reports whether a text starts with a digit.
func isVersion(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// firstOf returns the text before a separator, or the whole text.
func firstOf(text, separator string) string {
	first, _, _ := strings.Cut(text, separator)
	return first
}

// maxLine is the maximum length of a line; longer lines are truncated.
const maxLine = 64 << 10

// eachLine calls each for every line without its end. number counts from 1.
func eachLine(r io.Reader, each func(line string, number int)) {
	lines := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		text := string(line)
		for more && err == nil {
			_, more, err = lines.ReadLine()
		}
		each(text, number)
	}
}
