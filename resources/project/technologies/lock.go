package technologies

import (
	"bytes"
	"io"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// longestLock is how many bytes of a lock file are read, most of all.
const longestLock = 32 << 20

// lock is what a lock file says: exact versions, by a key of its format.
type lock struct {
	file     string
	versions map[string]exact
}

type exact struct {
	version string
	line    int
}

// put keeps the first version of a key.
func (l *lock) put(key, version string, line int) {
	if _, known := l.versions[key]; !known && version != "" {
		l.versions[key] = exact{version, line}
	}
}

// lockOf reads a lock file, once.
func (s *scan) lockOf(file string, read func(r io.Reader, l *lock)) *lock {
	if l := s.locks[file]; l != nil {
		return l
	}
	l := &lock{file: file, versions: map[string]exact{}}
	s.locks[file] = l
	if r := s.open(file); r != nil {
		read(io.LimitReader(r, longestLock), l)
		_ = r.Close() // it was only read
	}
	return l
}

// open opens a file to be read to its end, if that can be; else its first MaxRead bytes.
func (s *scan) open(file string) io.ReadCloser {
	if opener, can := s.files.(project.Opener); can {
		if r, err := opener.Open(file); err == nil {
			return r
		}
		return nil
	}
	return io.NopCloser(bytes.NewReader(s.text(file)))
}

// pin gives a dependency the version that a lock file has under a key, and its line.
func (d *dependency) pin(l *lock, key string) bool {
	found, ok := l.versions[key]
	if !ok {
		return false
	}
	d.also = at(d.file, d.line)
	d.version, d.file, d.line = found.version, l.file, found.line
	return true
}

// packageTables reads lock files of TOML that have a table for each package: Cargo.lock,
// uv.lock, poetry.lock, pdm.lock.
func packageTables(ecosystem string) func(r io.Reader, l *lock) {
	return func(r io.Reader, l *lock) {
		data, _ := io.ReadAll(r) // what can be read of it
		for _, p := range manifest.TOML(data).List() {
			if version := p.Get("version"); p.Key == "package" && version != nil {
				name := canonical(ecosystem, p.Text("name"))
				l.put(name+"@"+compatible(version.Value), version.Value, version.Line)
				l.put(name, version.Value, version.Line)
			}
		}
	}
}

// compatible is what versions of Cargo have in common that fulfil the same requirement: the
// first number that is not 0, with those before it. There may be several versions of a crate.
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
