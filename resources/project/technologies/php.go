package technologies

import (
	"io"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// composer reads a composer.json, with exact versions from composer.lock.
func (s *scan) composer(file string) []dependency {
	var all []dependency
	root, dir := s.tree(file), dirOf(file)
	locked := s.lockOf(path.Join(dir, "composer.lock"), readComposerLock)
	for _, section := range []struct {
		name string
		role role
	}{{"require", Runtime}, {"require-dev", Build}} {
		for _, n := range root.Get(section.name).List() {
			d := dependency{ecosystem: "composer", name: canonical("composer", n.Key), version: n.Value, role: section.role, dir: dir, file: file, line: n.Line}
			if n.Key == "php" {
				d.ecosystem = "runtime"
			}
			d.pin(locked, d.name)
			all = append(all, d)
		}
	}
	return all
}

// readComposerLock reads the list of packages: the name of each stands before its version.
func readComposerLock(r io.Reader, l *lock) {
	name := ""
	_ = manifest.StreamJSON(r, func(keys []string, value string, line int) {
		if len(keys) != 3 || keys[0] != "packages" && keys[0] != "packages-dev" {
			return
		}
		switch keys[2] {
		case "name":
			name = canonical("composer", value)
		case "version":
			l.put(name, strings.TrimPrefix(value, "v"), line)
		}
	}) // what can be read of it
}
