package technologies

import (
	"bytes"
	"io"
	"path"
	"regexp"
	"strings"
	"sync"
)

// mixForms are the lines of a mix.exs and a mix.lock that are read: the first is a program.
var mixForms = sync.OnceValue(func() *struct{ dependency, only, attribute, elixir, locked *regexp.Regexp } {
	return &struct{ dependency, only, attribute, elixir, locked *regexp.Regexp }{
		dependency: regexp.MustCompile(`\{:(\w+),\s*(?:"([^"]*)")?`),
		only:       regexp.MustCompile(`\bonly:\s*\[?((?:\s*:\w+,?)+)`),
		attribute:  regexp.MustCompile(`^\s*(@\w+)\s+"([^"]+)"`),
		elixir:     regexp.MustCompile(`^\s*elixir:\s*(?:"([^"]+)"|(@\w+))`),
		locked:     regexp.MustCompile(`^\s*"(\w+)":\s*\{:hex,\s*:\w+,\s*"([^"]+)"`),
	}
})

// mix reads a mix.exs, with exact versions from the mix.lock beside it.
func (s *scan) mix(file string) []dependency {
	var all []dependency
	dir, forms, attributes := dirOf(file), mixForms(), map[string]string{}
	locked := s.lockOf(path.Join(dir, "mix.lock"), readMixLock)
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		d := dependency{role: Runtime, dir: dir, file: file, line: number}
		if m := forms.attribute.FindStringSubmatch(line); m != nil {
			attributes[m[1]] = m[2]
		} else if m := forms.elixir.FindStringSubmatch(line); m != nil {
			d.ecosystem, d.name, d.version = "runtime", "elixir", m[1]+attributes[m[2]]
			all = append(all, d)
		} else if m := forms.dependency.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			d.ecosystem, d.name, d.version = "hex", m[1], m[2]
			if only := forms.only.FindStringSubmatch(line); only != nil {
				d.role = mixRole(only[1])
			}
			d.pin(locked, d.name)
			all = append(all, d)
		}
	})
	return all
}

// mixRole is what the environments of a dependency are for.
func mixRole(environments string) role {
	switch {
	case strings.Contains(environments, ":prod"):
		return Runtime
	case strings.Contains(environments, ":dev"):
		return Build
	case strings.Contains(environments, ":doc"):
		return Docs
	}
	return Test
}

// readMixLock reads the exact versions of a mix.lock, a package a line.
func readMixLock(r io.Reader, l *lock) {
	locked := mixForms().locked
	eachLine(r, func(line string, number int) {
		if m := locked.FindStringSubmatch(line); m != nil {
			l.put(m[1], m[2], number)
		}
	})
}
