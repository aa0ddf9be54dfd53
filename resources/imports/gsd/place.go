package gsd

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// place is what a file is, by its path from .planning.
type place struct {
	kind   string // one of the constants below; "" for a file that is not read
	stream string // the workstream; "" for the project itself
	folder string // of the phase
	stem   string // of a plan or its summary: 06-01; "" for a PLAN.md that is the only one; of a todo its folder: pending
	label  string // the milestone that was shipped, v1.0; "" for the one at work
}

// Kinds of files.
const (
	roadmapFile      = "roadmap"
	requirementsFile = "requirements"
	planFile         = "plan"
	summaryFile      = "summary"
	todoFile         = "todo"
)

// Names of plans that are no phases.
const (
	quick = "quick"
	todos = "todos"
)

// shipped is what the files of a milestone that was shipped are called.
var shipped = migrate.Pattern(`^(v\d[\w.]*)-(phases|ROADMAP\.md|REQUIREMENTS\.md)$`)

// Wanted reports whether Convert reads a file.
func Wanted(file string) bool { return placeOf(file).kind != "" }

func placeOf(file string) (p place) {
	parts := strings.Split(file, "/")
	if len(parts) > 2 && parts[0] == "workstreams" {
		p.stream, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 && parts[0] == "milestones" {
		m := shipped().FindStringSubmatch(parts[1])
		if m == nil {
			return p
		}
		p.label, parts = m[1], append([]string{m[2]}, parts[2:]...)
	}
	base := path.Base(file)
	switch {
	case len(parts) == 1 && strings.HasSuffix(base, "ROADMAP.md"):
		p.kind = roadmapFile
	case len(parts) == 1 && strings.HasSuffix(base, "REQUIREMENTS.md"):
		p.kind = requirementsFile
	case len(parts) > 2 && parts[0] == todos && strings.HasSuffix(base, ".md"):
		p.kind, p.folder, p.stem = todoFile, todos, parts[1]
	case len(parts) > 2 && (parts[0] == "phases" || parts[0] == quick):
		p.kind, p.stem = kindOf(base)
		if p.folder = parts[1]; parts[0] == quick {
			p.folder, p.stem = quick, parts[1]
		}
	}
	return p
}

// kindOf tells plans and summaries from other files of a phase, as GSD does: by how their names end.
func kindOf(base string) (kind, stem string) {
	for kind, end := range map[string]string{planFile: "PLAN.md", summaryFile: "SUMMARY.md"} {
		if stem, ok := strings.CutSuffix(base, end); ok && (stem == "" || strings.HasSuffix(stem, "-")) {
			return kind, strings.TrimSuffix(stem, "-")
		}
	}
	return "", ""
}

// numbered takes the name of a phase's folder apart: 06-launch, 08.1-fix, CP-ST-04-rewrite.
var numbered = migrate.Pattern(`^((?:[A-Za-z]+-)*[A-Za-z]*\d+[A-Za-z]?(?:\.\d+)*)(?:-(.*))?$`)

// numberOf is the number of a phase in the name of its folder, as it is written there, and its name; without a number all is
// its name.
func numberOf(folder string) (number, name string) {
	if m := numbered().FindStringSubmatch(folder); m != nil {
		return m[1], m[2]
	}
	return "", folder
}

// zeros are those before a number.
var zeros = migrate.Pattern(`(^|[^0-9])0+([0-9])`)

// fold makes numbers equal that mean the same phase or plan: 06-01 is 6-1.
func fold(number string) string {
	return zeros().ReplaceAllString(strings.ToLower(strings.TrimSpace(number)), "$1$2")
}

// other is what the name of a phase has no room for in a folder.
var other = migrate.Pattern(`[^a-z0-9]+`)

// slug is a name as GSD writes it in a folder's.
func slug(name string) string {
	return strings.Trim(other().ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// sameName reports whether one name is the other or what it was cut to.
func sameName(a, b string) bool {
	const enough = 12
	a, b = slug(a), slug(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= enough && strings.HasPrefix(b, a)
}
