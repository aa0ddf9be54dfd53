package technologies

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// rows has a row a technology: its name, its category and the patterns that show it, separated by tabs,
// patterns by blanks. A pattern is an ecosystem and a name: npm, pypi, go, cargo, maven (also plugins of
// Gradle, by their id), nuget, gem, composer; runtime (what a manifest says that it runs on), image (of a
// container), action (of a workflow), source (the end of the names of a language's files), file (the end of a
// path). A name may end with * for any rest, but not those of files. With ~ before the name it shows the
// technology but has a version of its own: the driver of a database. The version comes from the first pattern
// of the row that has one.
//
//go:embed table.tsv
var rows string

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
	files    map[string][]string // ends of paths by their last name
}

var table = sync.OnceValue(func() *index {
	x := &index{exact: map[string][]match{}, prefixes: map[string][]prefix{}, files: map[string][]string{}}
	for line := range strings.Lines(rows) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		r := &row{name: fields[0], category: fields[1]}
		for order, pattern := range strings.Fields(fields[2]) {
			ecosystem, name, _ := strings.Cut(pattern, ":")
			name, apart := strings.CutPrefix(name, "~")
			name = canonical(ecosystem, name)
			m := match{r, order, apart}
			if start, open := strings.CutSuffix(name, "*"); open {
				x.prefixes[ecosystem] = append(x.prefixes[ecosystem], prefix{start, m})
				continue
			}
			x.exact[ecosystem+":"+name] = append(x.exact[ecosystem+":"+name], m)
			if base := path.Base(name); ecosystem == "file" && !slices.Contains(x.files[base], name) {
				x.files[base] = append(x.files[base], name)
			}
		}
	}
	return x
})

// canonical returns a name as its registry compares names.
func canonical(ecosystem, name string) string {
	switch ecosystem {
	case "pypi":
		return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
	case "nuget", "composer", "image", "action":
		return strings.ToLower(name)
	}
	return name
}

// packages returns what the name of a package shows: exact patterns, then those with a star, which do not
// count if the same row has an exact one. An image counts by its whole name, by the name without the
// registry, or by the last name alone if that is an official image's, which others build on.
func (x *index) packages(ecosystem, name string) []match {
	name = canonical(ecosystem, name)
	if ecosystem == "go" {
		name = withoutMajor(name)
	}
	found := x.exact[ecosystem+":"+name]
	for _, p := range x.prefixes[ecosystem] {
		if strings.HasPrefix(name, p.text) && !slices.ContainsFunc(found, func(m match) bool { return m.row == p.row }) {
			found = append(found[:len(found):len(found)], p.match)
		}
	}
	if host, rest, below := strings.Cut(name, "/"); ecosystem == "image" && below && len(found) == 0 {
		if strings.ContainsAny(host, ".:") {
			return x.packages(ecosystem, strings.TrimPrefix(rest, "library/"))
		}
		return x.exact["image:"+path.Base(name)]
	}
	return found
}

// withoutMajor returns the path of a Go module without the major version: /v2, .v2.
func withoutMajor(module string) string {
	for _, mark := range []string{"/v", ".v"} {
		if i := strings.LastIndex(module, mark); i > 0 && strings.Trim(module[i+2:], "0123456789") == "" && i+2 < len(module) {
			return module[:i]
		}
	}
	return module
}
