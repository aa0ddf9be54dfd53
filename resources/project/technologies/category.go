package technologies

import (
	"cmp"
	"slices"
	"strings"
)

// categories lists the categories of the table, the most characteristic ones first. That
// order applies if not all technologies can be shown. main means that the category
// describes the product, not the development process. role is the role of all technologies
// in the category, regardless of their section in the manifest.
var categories = [...]struct {
	name string
	main bool
	role role
}{
	{"language", true, ""}, {"runtime", true, ""}, {"framework", true, ""}, {"mobile", true, ""}, {"desktop", true, ""}, {"cms", true, ""},
	{"database", true, ""}, {"queue", true, ""}, {"cache", true, ""}, {"ai", true, ""}, {"orm", true, ""}, {"server", true, ""}, {"ui", true, ""},
	{"api", false, ""}, {"auth", false, ""}, {"payments", false, ""}, {"state", false, ""}, {"validation", false, ""}, {"cloud", false, ""}, {"http", false, ""}, {"email", false, ""},
	{"styling", false, ""}, {"template", false, ""}, {"i18n", false, ""}, {"observability", false, ""}, {"cli", false, ""}, {"di", false, ""}, {"migration", false, ""},
	{"test", false, Test}, {"build", false, Build}, {"lint", false, Build}, {"monorepo", false, Build}, {"package-manager", false, Build},
	{"container", false, Infra}, {"infra", false, Infra}, {"ci", false, Infra}, {"release", false, Build}, {"docs", false, Docs},
	{"driver", false, ""}, {"utility", false, ""}, // a driver is shown with its database: postgresql through pg 8.1.0
}

// weightOf returns the index of a category in categories. An unknown category has the last
// index.
func weightOf(category string) int {
	for i, c := range categories {
		if c.name == category {
			return i
		}
	}
	return len(categories) - 1
}

// Main reports whether the technology's category describes the product: a framework or a
// database, but not a linter.
func (t Technology) Main() bool { return categories[weightOf(t.Category)].main }

// String returns the name with the version. Without a version it returns the name with the
// driver, if any.
func (t Technology) String() string {
	if t.Version == "" && t.Through != "" {
		return t.Name + " through " + t.Through
	}
	return strings.TrimSpace(t.Name + " " + t.Version)
}

// compareWeight sorts the most characteristic technologies first.
func compareWeight(a, b Technology) int {
	return cmp.Or(weightOf(a.Category)-weightOf(b.Category), cmp.Compare(a.Name, b.Name))
}

// role is one of the role constants. Sections of manifests and categories have a role.
type role string

// rank returns the precedence of a role; the lowest rank has precedence.
func (r role) rank() int {
	return slices.Index([]role{Runtime, Build, Test, Infra, Docs}, r)
}

// roleOf returns the role of a technology, based on its category, its section in the
// manifest and its workspace.
func roleOf(category string, section role, dir string) string {
	for folder := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if slices.Contains([]string{"docs", "doc", "documentation", "website"}, folder) {
			return Docs
		}
	}
	return string(cmp.Or(categories[weightOf(category)].role, section))
}
