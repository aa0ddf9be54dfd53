package technologies

import (
	"embed"
	"path"
	"strings"
	"sync"
)

// The table, a row a technology: its name, its category and the patterns that show it, separated by tabs,
// patterns by blanks. A pattern is an ecosystem and a name: npm, pypi, go, cargo, maven (also plugins of
// Gradle, by their id), nuget, gem, composer, hex, pub; runtime (what a manifest says that it runs on),
// image (of a container), action (of a workflow), hook (of pre-commit, or with a second slash one of its
// ids), command (a program that a script, a
// workflow or a Makefile runs or a system's installer is told; of cargo and docker with the first word:
// cargo-clippy), source (the end of the names of a language's files), file (a name in any
// folder of a workspace, or with a slash a path in it). A name may end with * for any rest; those of files
// may hold stars anywhere. With ~ before the name it shows the technology but has a version of its own: the
// driver of a database. The version comes from the first pattern of the row that has one.
//
//go:embed table/*.tsv
var tables embed.FS

// row is one technology.
type row struct {
	name, category string
}

// match is a pattern of a row.
type match struct {
	row   *row
	order int  // among the row's patterns: a lower one's version holds
	apart bool // its version is not the technology's
	scope bool // it is all that one publisher has on npm, released together
}

// prefix is a pattern with a star at its end.
type prefix struct {
	text string
	match
}

// index finds rows.
type index struct {
	exact    map[string][]match  // by ecosystem:name
	prefixes map[string][]prefix // by ecosystem
	names    map[string][]match  // by a file's name
	ends     map[string][]prefix // patterns of paths by a last name without stars
	paths    []prefix            // those whose last name has some
}

var table = sync.OnceValue(func() *index {
	x := &index{exact: map[string][]match{}, prefixes: map[string][]prefix{}, names: map[string][]match{}, ends: map[string][]prefix{}}
	entries, _ := tables.ReadDir("table") // embedded: cannot fail
	for _, entry := range entries {
		data, _ := tables.ReadFile("table/" + entry.Name())
		for line := range strings.Lines(string(data)) {
			x.add(line)
		}
	}
	return x
})

// add takes a line of the table.
func (x *index) add(line string) {
	fields := strings.Split(strings.TrimSpace(line), "\t")
	if len(fields) != 3 {
		return
	}
	r := &row{name: fields[0], category: fields[1]}
	for order, pattern := range strings.Fields(fields[2]) {
		ecosystem, name, _ := strings.Cut(pattern, ":")
		name, apart := strings.CutPrefix(name, "~")
		name = canonical(ecosystem, name)
		m := match{row: r, order: order, apart: apart}
		switch start, open := strings.CutSuffix(name, "*"); {
		case ecosystem == "file" && strings.Contains(path.Base(name), "*"):
			x.paths = append(x.paths, prefix{name, m})
		case ecosystem == "file" && strings.Contains(name, "/"):
			x.ends[path.Base(name)] = append(x.ends[path.Base(name)], prefix{name, m})
		case ecosystem == "file":
			x.names[name] = append(x.names[name], m)
		case open:
			m.scope = ecosystem == "npm" && strings.HasPrefix(start, "@")
			x.prefixes[ecosystem] = append(x.prefixes[ecosystem], prefix{start, m})
		default:
			x.exact[ecosystem+":"+name] = append(x.exact[ecosystem+":"+name], m)
		}
	}
}

// canonical is a name as its registry compares names.
func canonical(ecosystem, name string) string {
	switch ecosystem {
	case "pypi":
		return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
	case "nuget", "composer", "image", "action", "hook":
		return strings.ToLower(name)
	}
	return name
}

// packages returns what the name of a package shows: exact patterns, then those with a star,
// which do not count where the same row has an exact one.
func (x *index) packages(ecosystem, name string) []match {
	name = canonical(ecosystem, name)
	if ecosystem == "go" {
		name = withoutMajor(name)
	}
	if ecosystem == "image" {
		return x.image(name)
	}
	return x.named(ecosystem, name)
}

// image returns what an image shows: by its whole name, by the name without the registry, or by
// the last name alone where that is an official image's, which others build on.
func (x *index) image(name string) []match {
	host, rest, _ := strings.Cut(name, "/")
	if found := x.named("image", name); len(found) > 0 || rest == "" {
		return found
	}
	if strings.ContainsAny(host, ".:") {
		if found := x.named("image", strings.TrimPrefix(rest, "library/")); len(found) > 0 {
			return found
		}
	}
	return x.exact["image:"+path.Base(name)]
}

// named returns what a name in an ecosystem shows.
func (x *index) named(ecosystem, name string) []match {
	found := x.exact[ecosystem+":"+name]
	for _, p := range x.prefixes[ecosystem] {
		if strings.HasPrefix(name, p.text) && !hasRow(found, p.row) {
			found = append(found[:len(found):len(found)], p.match)
		}
	}
	return found
}

func hasRow(matches []match, r *row) bool {
	for _, m := range matches {
		if m.row == r {
			return true
		}
	}
	return false
}

// files returns what the path of a file shows, and the folder of each that it belongs to.
func (x *index) files(file string) (found []match, dir string) {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	found, folder := x.names[name], dir
	for _, patterns := range [][]prefix{x.ends[name], x.paths} {
		for _, p := range patterns {
			if at, ok := fileMatches(p.text, folder, name); ok && !hasRow(found, p.row) {
				found, dir = append(found[:len(found):len(found)], p.match), at
			}
		}
	}
	return found, dir
}

// fileMatches compares a pattern with the last names of a path, and returns the folder before. Most
// files of a repository end in a letter that the pattern does not: they are told by that alone.
func fileMatches(pattern, dir, name string) (before string, ok bool) {
	if end := pattern[len(pattern)-1]; end != '*' && name != "" && name[len(name)-1] != end {
		return "", false
	}
	for folder, last := path.Split(pattern); ; folder, last = path.Split(strings.TrimSuffix(folder, "/")) {
		if matched, _ := path.Match(last, name); !matched {
			return "", false
		}
		if folder == "" {
			return dir, true
		}
		dir, name = path.Split(dir)
		dir = strings.TrimSuffix(dir, "/")
	}
}

// withoutMajor takes the major version from the path of a Go module: /v2, .v2.
func withoutMajor(module string) string {
	for _, mark := range []string{"/v", ".v"} {
		if i := strings.LastIndex(module, mark); i > 0 && strings.Trim(module[i+2:], "0123456789") == "" && i+2 < len(module) {
			return module[:i]
		}
	}
	return module
}
