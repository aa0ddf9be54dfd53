package technologies

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// maxLock limits the bytes of a lock file that are read.
const maxLock = 32 << 20

// lock contains exact versions. The format of the lock file determines the keys.
type lock map[string]exact

// exact is a version with its position.
type exact struct {
	version, file string
	line          int
}

// lockReader calls put for each version in a lock file.
type lockReader = func(r io.Reader, put func(key, version string, line int))

// lockOf reads a lock file and caches the result. The first version of a key has
// precedence.
func (s *scan) lockOf(file string, read lockReader) lock {
	if l, known := s.locks[file]; known {
		return l
	}
	l := lock{}
	s.locks[file] = l
	if r := s.open(file); r != nil {
		read(io.LimitReader(r, maxLock), func(key, version string, line int) {
			if _, known := l[key]; !known && version != "" {
				l[key] = exact{version, file, line}
			}
		})
		_ = r.Close() // only read, so the error is irrelevant
	}
	return l
}

// open opens a file for reading to its end if the files are an Opener.
// Otherwise it provides what Read returns, nothing for a file longer than
// MaxRead. It returns nil if the file cannot be opened.
func (s *scan) open(file string) io.ReadCloser {
	if opener, can := s.files.(project.Opener); can {
		r, err := opener.Open(file)
		if err != nil {
			return nil
		}
		return r
	}
	return io.NopCloser(bytes.NewReader(s.text(file)))
}

// pin sets the version of a dependency and its position from an entry of a lock
// file, and keeps the position of the requirement. It reports whether the entry
// exists.
func (d *dependency) pin(l lock, key string) bool {
	found, ok := l[key]
	if ok {
		d.also = placeOf(d.file, d.line)
		d.version, d.file, d.line = found.version, found.file, found.line
	}
	return ok
}

// packageTables returns a reader for TOML lock files with one table per package:
// Cargo.lock, uv.lock, poetry.lock.
func packageTables(ecosystem string) lockReader {
	return func(r io.Reader, put func(key, version string, line int)) {
		data, _ := io.ReadAll(r) // use the readable part
		for _, p := range manifest.TOML(data).List() {
			if version := p.Get("version"); p.Key == "package" && version != nil {
				name := canonical(ecosystem, p.Text("name"))
				put(name+"@"+compatible(version.Value), version.Value, version.Line)
				put(name, version.Value, version.Line)
			}
		}
	}
}

// compatible returns the common prefix of all Cargo versions that are compatible with a
// version: up to the first number that is not 0. A lock file may contain several
// versions of a crate.
func compatible(version string) string {
	version = strings.TrimLeft(version, "^~=v ")
	end := 0
	for i, part := range strings.Split(version, ".") {
		end += len(part) + min(i, 1)
		if part != "0" {
			break
		}
	}
	return version[:end]
}

// npmLocks lists the lock files of JavaScript package managers, in order of precedence.
// keys returns the possible keys of a dependency; at is the directory of the lock file. The
// lock file of npm is last, because it is often obsolete if there are several.
var npmLocks = [...]struct {
	name, manager string
	read          lockReader
	keys          func(at, dir, name, required string) []string
}{
	{"pnpm-lock.yaml", "pnpm", readPNPMLock, func(at, dir, name, _ string) []string { return []string{relativeTo(at, dir) + " " + name} }},
	{"yarn.lock", "yarn", readYarnLock, func(_, _, name, required string) []string {
		return []string{name + "@" + required, name + "@npm:" + required}
	}},
	{"bun.lock", "bun", readBunLock, func(_, _, name, _ string) []string { return []string{name} }},
	{"package-lock.json", "npm", readPackageLock, func(at, dir, name, _ string) []string {
		return []string{path.Join(relativeTo(at, dir), "node_modules", name), "node_modules/" + name}
	}},
}

// npmPin sets the version of a dependency from the nearest lock file that contains it.
func (s *scan) npmPin(d *dependency, required string) {
	name := d.name
	for dir := d.dir; ; dir = parent(dir) {
		for _, format := range npmLocks {
			if file := path.Join(dir, format.name); s.has[file] {
				for _, key := range format.keys(dir, d.dir, name, required) {
					if d.pin(s.lockOf(file, format.read), key) {
						return
					}
				}
			}
		}
		if dir == "" {
			return
		}
	}
}

// relativeTo returns a directory relative to an enclosing one, "." for the same directory.
func relativeTo(at, dir string) string {
	if at == dir {
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(dir, at), "/")
}

// readPackageLock reads package-lock.json in all versions.
func readPackageLock(r io.Reader, put func(key, version string, line int)) {
	_ = manifest.StreamJSON(r, func(keys []string, value string, line int) {
		switch {
		case len(keys) != 3 || keys[2] != "version":
		case keys[0] == "packages":
			put(keys[1], value, line)
		case keys[0] == "dependencies": // npm 6
			put("node_modules/"+keys[1], value, line)
		}
	}) // use the readable part
}

// readPNPMLock reads the versions of workspaces, which precede the packages in the file.
func readPNPMLock(r io.Reader, put func(key, version string, line int)) {
	data, _ := io.ReadAll(r) // use the readable part
	var keys [5]string
	manifest.StreamYAML(data, func(level int, key, value string, line int) bool {
		if level >= len(keys) {
			return true
		}
		keys[level] = key
		version := firstOf(value, "(") // omits peer dependencies
		switch {
		case key != "version" || strings.HasPrefix(version, "link:"):
		case keys[0] == "importers" && level == 4:
			put(keys[1]+" "+keys[3], version, line)
		case level == 2 && (keys[0] == "dependencies" || keys[0] == "devDependencies"): // without workspaces
			put(". "+keys[1], version, line)
		}
		return level > 0 || key != "packages" && key != "snapshots"
	})
}

// readYarnLock reads yarn.lock in all versions: a line of requirements, and their version
// below.
func readYarnLock(r io.Reader, put func(key, version string, line int)) {
	var asked []string
	eachLine(r, func(line string, number int) {
		switch text := strings.TrimSpace(line); {
		case text == "" || text[0] == '#':
		case line[0] != ' ':
			asked = strings.Split(strings.NewReplacer(`"`, "", ", ", ",").Replace(strings.TrimSuffix(text, ":")), ",")
		case strings.HasPrefix(text, "version"):
			for _, key := range asked {
				put(key, strings.Trim(strings.TrimLeft(text[len("version"):], ": "), `"`), number)
			}
			asked = nil
		}
	})
}

// readBunLock reads bun.lock, which has one package per line: "react": ["react@19.0.0", ...
func readBunLock(r io.Reader, put func(key, version string, line int)) {
	eachLine(r, func(line string, number int) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), `": ["`)
		id := firstOf(rest, `"`)
		if i := strings.LastIndexByte(id, '@'); i > 0 && isVersion(id[i+1:]) {
			put(strings.TrimPrefix(key, `"`), id[i+1:], number)
		}
	})
}

// bundledWith is the line before the version of Bundler in a Gemfile.lock.
const bundledWith = "BUNDLED WITH"

// readGemLock reads the exact versions in a Gemfile.lock: lines with an indentation of four
// spaces.
func readGemLock(r io.Reader, put func(key, version string, line int)) {
	before := ""
	eachLine(r, func(line string, number int) {
		if before == bundledWith {
			put(before, strings.TrimSpace(line), number)
		}
		before = line
		text, indented := strings.CutPrefix(line, "    ")
		name, version, found := strings.Cut(text, " (")
		if indented && found && !strings.HasPrefix(text, " ") && isVersion(version) {
			put(name, firstOf(strings.TrimSuffix(version, ")"), "-"), number) // omits the platform
		}
	})
}

// readComposerLock reads the packages in composer.lock. The name of a package precedes its
// version.
func readComposerLock(r io.Reader, put func(key, version string, line int)) {
	name := ""
	_ = manifest.StreamJSON(r, func(keys []string, value string, line int) {
		switch {
		case len(keys) != 3 || keys[0] != "packages" && keys[0] != "packages-dev":
		case keys[2] == "name":
			name = canonical("composer", value)
		case keys[2] == "version":
			put(name, strings.TrimPrefix(value, "v"), line)
		}
	}) // use the readable part
}

// readCentral reads the package versions in a Directory.Packages.props.
func readCentral(r io.Reader, put func(key, version string, line int)) {
	data, _ := io.ReadAll(r)      // use the readable part
	root, _ := manifest.XML(data) // up to the first error
	for _, group := range root.List() {
		for _, n := range group.List() {
			if n.Key == "PackageVersion" {
				put(canonical("nuget", n.Text("Include")), withoutProperty(n.Text("Version")), n.Line)
			}
		}
	}
}

// withoutProperty returns a version, or "" if it contains a variable.
func withoutProperty(version string) string {
	if strings.Contains(version, "$") {
		return ""
	}
	return version
}
