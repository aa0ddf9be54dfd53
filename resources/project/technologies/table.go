package technologies

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// rows lists the technologies, one per line: a name, a category and patterns, separated by
// tabs. Patterns are separated by spaces. A pattern consists of an ecosystem and a name.
// The ecosystems are npm, pypi, go, cargo, maven (including the IDs of Gradle plugins),
// nuget, gem, composer, runtime (a required runtime), image (of a container), action (of a
// workflow), source (a file extension) and file (the end of a path). Except for files, a
// name may end with * to match any rest. A ~ before the name means that the package has its
// own version, such as the driver of a database. The version of a technology comes from its
// first matching pattern with a version.
//
//go:embed table.tsv
var rows string

// row is a technology in the table, with the patterns that indicate it.
type row struct {
	name, category string
}

// match is a pattern of a row.
type match struct {
	row   *row
	order int  // index in the row; the version of the lowest one has precedence
	apart bool // its version is not the version of the technology
}

// prefix is a pattern that ends with a star.
type prefix struct {
	text string
	match
}

// index finds rows by pattern.
type index struct {
	exact    map[string][]match  // by ecosystem:name
	prefixes map[string][]prefix // by ecosystem
	files    map[string][]string // ends of paths by base name
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

// canonical normalizes a name as its registry does.
func canonical(ecosystem, name string) string {
	switch ecosystem {
	case "pypi":
		return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
	case "nuget", "composer", "image", "action":
		return strings.ToLower(name)
	}
	return name
}

// packages returns the matches of a package: exact patterns, then star patterns of other
// rows. An image matches by its full name, by its name without the registry, or by its base
// name if that is the name of an official image.
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

// withoutMajor returns the path of a Go module without its major version: /v2, .v2.
func withoutMajor(module string) string {
	for _, mark := range []string{"/v", ".v"} {
		if i := strings.LastIndex(module, mark); i > 0 && strings.Trim(module[i+2:], "0123456789") == "" && i+2 < len(module) {
			return module[:i]
		}
	}
	return module
}
