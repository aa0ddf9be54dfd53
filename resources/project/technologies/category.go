package technologies

import (
	"cmp"
	"slices"
)

// categories are those of the table. Where not all technologies have room, those come first that say
// most of what a project is.
var categories = [...]string{
	"language", "runtime", "framework", "mobile", "desktop", "cms", "ui", "server", "database", "orm", "queue", "cache", "ai",
	"api", "auth", "payments", "state", "validation", "cloud", "http", "email", "styling", "template", "i18n", "observability", "cli", "di", "migration",
	"test", "build", "lint", "monorepo", "package-manager", "container", "infra", "ci", "release", "docs",
	"utility",
}

// lastMain is the last category that says what a project is, rather than how it is made.
const lastMain = "ai"

// Main reports whether technologies of this one's category say what a project is: its framework, its
// database, and no linter of it.
func (t Technology) Main() bool {
	return slices.Index(categories[:], t.Category) <= slices.Index(categories[:], lastMain)
}

// compareWeight puts first what says most of a project.
func compareWeight(a, b Technology) int {
	return cmp.Or(slices.Index(categories[:], a.Category)-slices.Index(categories[:], b.Category), cmp.Compare(a.Name, b.Name))
}
