package technologies

import (
	"bufio"
	"io"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// npmLocks are the lock files of JavaScript: who writes each, and how the key of a dependency is
// found in it. at is the lock's folder; keys are tried one after the other. Where a folder has
// several, the first one counts: that of npm is what is left behind, most often.
var npmLocks = [...]struct {
	name, manager string
	read          func(r io.Reader, l *lock)
	keys          func(at, dir, name, required string) []string
}{
	{"pnpm-lock.yaml", "pnpm", readPNPMLock, func(at, dir, name, _ string) []string { return []string{below(at, dir) + " " + name} }},
	{"yarn.lock", "yarn", readYarnLock, func(_, _, name, required string) []string {
		return []string{name + "@" + required, name + "@npm:" + required}
	}},
	{"bun.lock", "bun", readBunLock, func(_, _, name, _ string) []string { return []string{name} }},
	{"package-lock.json", "npm", readPackageLock, packageLockKeys},
	{"npm-shrinkwrap.json", "npm", readPackageLock, packageLockKeys},
}

// npmPin gives a dependency the version of the nearest lock file that has it.
func (s *scan) npmPin(d *dependency, required string) bool {
	name := d.name
	for dir := d.dir; ; dir = parent(dir) {
		for _, format := range npmLocks {
			file := path.Join(dir, format.name)
			if !s.has[file] {
				continue
			}
			l := s.lockOf(file, format.read)
			for _, key := range format.keys(dir, d.dir, name, required) {
				if d.pin(l, key) {
					return true
				}
			}
		}
		if dir == "" {
			return false
		}
	}
}

// below is a folder from another that it is in, "." for itself.
func below(at, dir string) string {
	if at == dir {
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(dir, at), "/")
}

func packageLockKeys(at, dir, name, _ string) []string {
	keys := []string{"node_modules/" + name}
	if own := below(at, dir); own != "." {
		keys = append([]string{own + "/node_modules/" + name}, keys...)
	}
	return keys
}

// readPackageLock reads package-lock.json of all versions.
func readPackageLock(r io.Reader, l *lock) {
	_ = manifest.StreamJSON(r, func(keys []string, value string, line int) {
		switch {
		case len(keys) != 3 || keys[2] != "version":
		case keys[0] == "packages":
			l.put(keys[1], value, line)
		case keys[0] == "dependencies": // of npm 6
			l.put("node_modules/"+keys[1], value, line)
		}
	}) // what can be read of it
}

// readPNPMLock reads what workspaces got, which stands before all packages.
func readPNPMLock(r io.Reader, l *lock) {
	data, _ := io.ReadAll(r) // what can be read of it
	var keys [5]string
	manifest.StreamYAML(data, func(level int, key, value string, line int) bool {
		if level >= len(keys) {
			return true
		}
		keys[level] = key
		version, _, _ := strings.Cut(value, "(") // what it was built against
		switch {
		case keys[0] == "importers" && level == 4 && key == "version":
			l.put(keys[1]+" "+keys[3], version, line)
		case keys[0] == "importers" && level == 3 && isVersion(version): // before pnpm 8
			l.put(keys[1]+" "+key, firstOf(version, "_"), line)
		case keys[0] == "dependencies" || keys[0] == "devDependencies": // without workspaces
			if level == 2 && key == "version" {
				l.put(". "+keys[1], version, line)
			} else if level == 1 && isVersion(version) {
				l.put(". "+key, firstOf(version, "_"), line)
			}
		}
		return level > 0 || key != "packages" && key != "snapshots"
	})
}

func isVersion(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

func firstOf(text, separator string) string {
	first, _, _ := strings.Cut(text, separator)
	return first
}

// readYarnLock reads yarn.lock of all versions: a line of what was asked, its version below.
func readYarnLock(r io.Reader, l *lock) {
	var asked []string
	eachLine(r, func(line string, number int) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#':
		case line[0] != ' ':
			asked = asked[:0]
			for one := range strings.SplitSeq(strings.TrimSuffix(text, ":"), ",") {
				asked = append(asked, strings.Trim(strings.TrimSpace(one), `"`))
			}
		case strings.HasPrefix(text, "version"):
			version := strings.Trim(strings.TrimLeft(text[len("version"):], ": "), `"`)
			for _, key := range asked {
				l.put(key, version, number)
			}
			asked = asked[:0]
		}
	})
}

// readBunLock reads bun.lock, whose packages stand one a line: "react": ["react@19.0.0", ...
func readBunLock(r io.Reader, l *lock) {
	eachLine(r, func(line string, number int) {
		key, rest, found := strings.Cut(strings.TrimSpace(line), `": ["`)
		if !found {
			return
		}
		id := firstOf(rest, `"`)
		if i := strings.LastIndexByte(id, '@'); i > 0 && isVersion(id[i+1:]) {
			l.put(strings.TrimPrefix(key, `"`), id[i+1:], number)
		}
	})
}

// longestLine is where a line that no manifest has is cut.
const longestLine = 64 << 10

// eachLine calls for each line with its number, from 1, without its end. What is longer than a
// line may be is cut.
func eachLine(r io.Reader, each func(line string, number int)) {
	lines := bufio.NewReaderSize(r, longestLine)
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
