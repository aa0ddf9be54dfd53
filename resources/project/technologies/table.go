package technologies

import (
	"embed"
	"path"
	"strings"
	"sync"
)

// The table, a row a technology: its name, its category and the patterns that show it,
// separated by tabs, patterns by blanks. A pattern is an ecosystem and a name: npm, pypi, go,
// cargo, maven (also plugins of Gradle, by their id), nuget, gem, composer; runtime (what a
// manifest says that it runs on), image (of a container), action (of a workflow), file (a name
// in any folder of a workspace, or with a slash a path in it). A name may end with * for any
// rest; those of files may hold stars anywhere. With ~ before the name it shows the technology
// but has a version of its own: the driver of a database. The version comes from the first
// pattern of the row that has one.
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
	paths    []prefix            // patterns of files with marks or slashes
}

var table = sync.OnceValue(func() *index {
	x := &index{exact: map[string][]match{}, prefixes: map[string][]prefix{}, names: map[string][]match{}}
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
		case ecosystem == "file" && strings.ContainsAny(name, "*/"):
			x.paths = append(x.paths, prefix{name, m})
		case ecosystem == "file":
			x.names[name] = append(x.names[name], m)
		case open:
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
	case "nuget", "composer", "image", "action":
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
	found = x.names[name]
	for _, p := range x.paths {
		at, ok := fileMatches(p.text, dir, name)
		if ok && !hasRow(found, p.row) {
			found, dir = append(found[:len(found):len(found)], p.match), at
		}
	}
	return found, dir
}

// fileMatches compares a pattern with the last names of a path, and returns the folder before.
func fileMatches(pattern, dir, name string) (before string, ok bool) {
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
