package technologies

import (
	"cmp"
	"slices"
	"strings"
)

// categories are those of the table. Where not all technologies have room, those come first that say
// most of what a project is; main ones say what it is, rather than how it is made. A role is what all
// of a category are for, whatever section a package stands in.
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
	{"driver", false, ""}, {"utility", false, ""}, // a driver is told with its database: postgresql through pg 8.1.0
}

// weightOf is the place of a category among categories: a lower one says more. The last one, for one
// that the table has not.
func weightOf(category string) int {
	for i, c := range categories {
		if c.name == category {
			return i
		}
	}
	return len(categories) - 1
}

// Main reports whether technologies of this one's category say what a project is: its framework, its
// database, and no linter of it.
func (t Technology) Main() bool { return categories[weightOf(t.Category)].main }

// String is the name with the version, or with what it is shown through where nothing says one.
func (t Technology) String() string {
	if t.Version == "" && t.Through != "" {
		return t.Name + " through " + t.Through
	}
	return strings.TrimSpace(t.Name + " " + t.Version)
}

// compareWeight puts first what says most of a project.
func compareWeight(a, b Technology) int {
	return cmp.Or(weightOf(a.Category)-weightOf(b.Category), cmp.Compare(a.Name, b.Name))
}

// role is one of the constants; the section of a manifest has one, and so has a category.
type role string

// rank orders roles: of several the lowest holds.
func (r role) rank() int {
	return slices.Index([]role{Runtime, Build, Test, Infra, Docs}, r)
}

// roleOf returns the role of a technology by its category, the section that it is listed in and its workspace.
func roleOf(category string, section role, dir string) string {
	for folder := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if slices.Contains([]string{"docs", "doc", "documentation", "website"}, folder) {
			return Docs
		}
	}
	return string(cmp.Or(categories[weightOf(category)].role, section))
}
