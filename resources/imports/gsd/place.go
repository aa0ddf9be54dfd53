package gsd

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// place is the role of a file, determined by its path below .planning.
type place struct {
	kind   string // one of the constants below; empty for a file that is not read
	stream string // workstream; empty for the project itself
	folder string // directory of the phase
	stem   string // number of a plan or its summary: 06-01; empty for the only PLAN.md; for a todo its directory: pending
	label  string // shipped milestone, v1.0; empty for the current one
}

// Kinds of files.
const (
	roadmapFile      = "roadmap"
	requirementsFile = "requirements"
	planFile         = "plan"
	summaryFile      = "summary"
	todoFile         = "todo"
)

// Names of plans that are not phases.
const (
	quick = "quick"
	todos = "todos"
)

// shipped matches names of files of a shipped milestone.
var shipped = migrate.Pattern(`^(v\d[\w.]*)-(phases|ROADMAP\.md|REQUIREMENTS\.md)$`)

// Accepts reports whether Convert reads a file.
func Accepts(file string) bool { return placeOf(file).kind != "" }

// placeOf determines the kind and the phase of a file of GSD from its path. The kind is unset for
// other files.
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
	switch base := path.Base(file); {
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

// kindOf distinguishes plans and summaries from other files of a phase by the end of the
// name, as GSD does.
func kindOf(base string) (kind, stem string) {
	for kind, end := range map[string]string{planFile: "PLAN.md", summaryFile: "SUMMARY.md"} {
		if stem, ok := strings.CutSuffix(base, end); ok && (stem == "" || strings.HasSuffix(stem, "-")) {
			return kind, strings.TrimSuffix(stem, "-")
		}
	}
	return "", ""
}

// numbered splits the name of a phase directory: 06-launch, 08.1-fix, CP-ST-04-rewrite.
var numbered = migrate.Pattern(`^((?:[A-Za-z]+-)*[A-Za-z]*\d+[A-Za-z]?(?:\.\d+)*)(?:-(.*))?$`)

// numberOf returns the number and the name in the name of a phase directory. Without a
// number, the name is the entire text.
func numberOf(folder string) (number, name string) {
	if m := numbered().FindStringSubmatch(folder); m != nil {
		return m[1], m[2]
	}
	return "", folder
}

// zeros matches leading zeros.
var zeros = migrate.Pattern(`(^|[^0-9])0+([0-9])`)

// fold normalizes the number of a phase or plan: 06-01 becomes 6-1.
func fold(number string) string {
	return zeros().ReplaceAllString(strings.ToLower(strings.TrimSpace(number)), "$1$2")
}

// nonSlug matches characters that are replaced in directory names.
var nonSlug = migrate.Pattern(`[^a-z0-9]+`)

// slug converts a name to the notation of directory names.
func slug(name string) string {
	return strings.Trim(nonSlug().ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// sameName reports whether two names are equal, or one is a truncated version of the other.
func sameName(a, b string) bool {
	const enough = 12
	a, b = slug(a), slug(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= enough && strings.HasPrefix(b, a)
}
