package technologies

import (
	"bytes"
	"io"
	"path"
	"regexp"
	"strings"
	"sync"
)

// gemForms are the lines of a Gemfile or gemspec that are read: both are programs.
var gemForms = sync.OnceValue(func() *struct{ gem, group, ruby *regexp.Regexp } {
	return &struct{ gem, group, ruby *regexp.Regexp }{
		gem:   regexp.MustCompile(`^\s*(?:gem|\w+\.add(?:_runtime|_development)?_dependency)[\s(]+["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?`),
		group: regexp.MustCompile(`^\s*group[\s(]+(.*?)\)?\s+do\b`),
		ruby:  regexp.MustCompile(`^\s*ruby[\s(]+["']([^"']+)["']`),
	}
})

// gemfile reads a Gemfile or gemspec, with exact versions from the lock beside it.
func (s *scan) gemfile(file string) []dependency {
	var all []dependency
	dir, group := dirOf(file), role(Runtime)
	locked := s.lockOf(path.Join(dir, "Gemfile.lock"), readGemLock)
	forms := gemForms()
	if d := (dependency{ecosystem: "runtime", name: "bundler", role: Build, dir: dir, file: file, line: 1}); d.pin(locked, bundledWith) {
		all = append(all, d)
	}
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		d := dependency{ecosystem: "gem", role: group, dir: dir, file: file, line: number}
		if m := forms.group.FindStringSubmatch(line); m != nil {
			group = gemRole(m[1])
		} else if strings.TrimRight(line, " \r") == "end" {
			group = Runtime
		} else if m := forms.ruby.FindStringSubmatch(line); m != nil {
			d.ecosystem, d.name, d.version = "runtime", "ruby", m[1]
			all = append(all, d)
		} else if m := forms.gem.FindStringSubmatch(line); m != nil {
			d.name, d.version = m[1], m[2]
			if _, inline, has := strings.Cut(line, "group"); has {
				d.role = gemRole(inline)
			}
			if strings.Contains(line, "development_dependency") {
				d.role = Build
			}
			d.pin(locked, d.name)
			all = append(all, d)
		}
	})
	return all
}

// gemRole is what a group is for: test alone is for tests, production for all.
func gemRole(groups string) role {
	switch {
	case strings.Contains(groups, "production"):
		return Runtime
	case strings.Contains(groups, "development"):
		return Build
	case strings.Contains(groups, "test"):
		return Test
	case strings.Contains(groups, "doc"):
		return Docs
	}
	return Runtime
}

// bundledWith is the line of a Gemfile.lock below which the version of Bundler stands.
const bundledWith = "BUNDLED WITH"

// readGemLock reads the exact versions of a Gemfile.lock: lines of four blanks.
func readGemLock(r io.Reader, l *lock) {
	before := ""
	eachLine(r, func(line string, number int) {
		if before == bundledWith {
			l.put(before, strings.TrimSpace(line), number)
		}
		before = line
		text, indented := strings.CutPrefix(line, "    ")
		if !indented || strings.HasPrefix(text, " ") {
			return
		}
		if name, version, found := strings.Cut(text, " ("); found && isVersion(version) {
			version, _, _ = strings.Cut(strings.TrimSuffix(version, ")"), "-") // the platform
			l.put(name, version, number)
		}
	})
}
