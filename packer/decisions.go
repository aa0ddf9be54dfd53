package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// decisionLines returns a line for each decision in effect that a task depends on, or that
// superseded one, and for each that covers the task's paths.
func decisionLines(s Source, t *resources.Task) (lines []string) {
	linked := map[string]bool{}
	for _, name := range t.Spec.Decisions {
		if d, ok := s.Decision(name); ok {
			linked[status.DecisionHead(d, s).Metadata.Name] = true
		}
	}
	for _, key := range s.List(resources.Decisions) {
		d, ok := s.Decision(key.Name)
		if !ok || !linked[key.Name] && !sharesPaths(d, t) || status.DecisionPhase(d, s) != resources.DecisionResolved {
			continue
		}
		doubt := decisionDoubt(s, d)
		text := shorten(decisionText(&d.Spec), maxExcerpt-len(doubt)) + doubt
		lines = append(lines, knownLine(date(d.Spec.DecidedAt.Time), text, key.String()))
	}
	return lines
}

// decisionDoubt returns a short text with the first objection to a resolved decision, empty if none.
func decisionDoubt(s Source, d *resources.Decision) string {
	const most = 80
	for _, c := range status.DecisionConditions(d, resources.DecisionResolved, s) {
		what, _, _ := strings.Cut(c.Message, "; ")
		return " BUT " + shorten(what, most)
	}
	return ""
}

// maxCovering is the maximal number of decisions for one file.
const maxCovering = 2

// decisionsAbout returns the decisions whose paths match a file, without those that are known. If the
// mem that was derived from a decision is known or in beside, only the name is rendered.
func decisionsAbout(s Source, file string, beside []*fact, known func(Snippet) bool) (all []Snippet) {
	for _, key := range s.List(resources.Decisions) {
		d, ok := s.Decision(key.Name)
		if !ok || !resources.MatchesAny(file, d.Spec.Paths) || status.DecisionPhase(d, s) != resources.DecisionResolved {
			continue
		}
		told := Snippet{ID: key.String(), Truncated: true}
		if known(told) {
			continue
		}
		mem := memIDs + memory.DerivedName("decision", key.Name)
		told.Text = "Decision " + key.Name
		if !known(Snippet{ID: mem, Truncated: true}) && !slices.ContainsFunc(beside, func(f *fact) bool { return f.id == mem }) {
			doubt := decisionDoubt(s, d)
			told.Text += ": " + shorten(decisionText(&d.Spec), maxExcerpt-len(told.Text)-len(doubt)) + doubt
		}
		told.Text = line(told.Text) + "."
		if all = append(all, told); len(all) == maxCovering {
			break
		}
	}
	return all
}

// decisionText renders a decision as a line.
func decisionText(spec *resources.DecisionSpec) string {
	parts := []string{strings.TrimSuffix(spec.Title, ".")}
	for _, part := range [...][2]string{{"chosen: ", spec.Chosen}, {"uses ", strings.Join(spec.Uses, ", ")}, {"avoids ", strings.Join(spec.Avoids, ", ")}, {"because ", spec.Because}} {
		if part[1] != "" {
			parts = append(parts, part[0]+part[1])
		}
	}
	return strings.Join(parts, "; ")
}

// sharesPaths reports whether a decision that is limited to paths may cover a
// task's files: the directories of a pattern of each contain one another.
func sharesPaths(d *resources.Decision, t *resources.Task) bool {
	files := slices.Concat(t.Spec.Paths, t.Spec.FileLocks)
	if t.Spec.Source != nil {
		files = append(files, t.Spec.Source.File)
	}
	return slices.ContainsFunc(d.Spec.Paths, func(glob string) bool {
		root := resources.GlobRoot(glob)
		return slices.ContainsFunc(files, func(file string) bool {
			other := resources.GlobRoot(file)
			return resources.IsBelow(root, other) || resources.IsBelow(other, root)
		})
	})
}
