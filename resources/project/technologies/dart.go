package technologies

import (
	"io"
	"path"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// pubspec reads a pubspec.yaml, with exact versions from the pubspec.lock beside it.
func (s *scan) pubspec(file string) []dependency {
	var all []dependency
	root, dir := s.tree(file), dirOf(file)
	locked := s.lockOf(path.Join(dir, "pubspec.lock"), readPubLock)
	for _, section := range []struct {
		name string
		role role
	}{{"dependencies", Runtime}, {"dev_dependencies", Build}} {
		for _, n := range root.Get(section.name).List() {
			d := dependency{ecosystem: "pub", name: n.Key, version: n.Value + n.Text("version"), role: section.role, dir: dir, file: file, line: n.Line}
			if d.version == "any" {
				d.version = ""
			}
			d.pin(locked, d.name)
			all = append(all, d)
		}
	}
	for _, n := range root.Get("environment").List() {
		name := map[string]string{"sdk": "dart", "flutter": "flutter"}[n.Key]
		all = append(all, dependency{ecosystem: "runtime", name: name, version: n.Value, role: Runtime, dir: dir, file: file, line: n.Line})
	}
	return all
}

// readPubLock reads a pubspec.lock: packages, each with a version. What comes with the SDK has
// 0.0.0, which is none.
func readPubLock(r io.Reader, l *lock) {
	data, _ := io.ReadAll(r) // what can be read of it
	inside, name := false, ""
	manifest.StreamYAML(data, func(level int, key, value string, line int) bool {
		switch {
		case level == 0:
			inside = key == "packages"
		case inside && level == 1:
			name = key
		case inside && level == 2 && key == "version" && value != "0.0.0":
			l.put(name, value, line)
		}
		return true
	})
}
