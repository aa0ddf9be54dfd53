package admission

import (
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// triedText returns the start of a denial text.
func triedText(c Call) string {
	if len(c.Paths) == 0 || c.Action == Other {
		return "You tried to use " + quote(c.Tool)
	}
	names := make([]string, 0, len(c.Paths))
	for _, p := range firstFew(c.Paths) {
		names = append(names, p.name())
	}
	return "You tried to use " + quote(c.Tool) + " on " + strings.Join(names, ", ")
}

// quote puts a name in double quotes, as in kubectl messages.
func quote(s string) string { return `"` + clean(s) + `"` }

// list joins some names with quotes and commas.
func list(names []string) string { return joined(names, ", ") }

// orList joins names as alternatives, with "or".
func orList(names []string) string { return joined(names, " or ") }

// joined quotes up to maxNamed names and joins them with a separator.
func joined(names []string, separator string) string {
	quoted := make([]string, 0, len(names))
	for _, name := range names {
		quoted = append(quoted, quote(name))
	}
	return resources.Listed(quoted, maxNamed, separator)
}

// maxNamed is the maximum number of list items in a denial.
const maxNamed = 8

// firstFew returns the first maxNamed items.
func firstFew[T any](all []T) []T { return all[:min(len(all), maxNamed)] }

// count formats a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// digits formats a number in decimal.
func digits(n int) string { return strconv.Itoa(n) }

// titled returns the title of a task in parentheses if it differs from the name.
func titled(t *resources.Task) string {
	if t.Spec.Title == "" || t.Spec.Title == t.Metadata.Name {
		return ""
	}
	return " (" + clean(t.Spec.Title) + ")"
}

// phaseText formats a phase for a sentence.
func phaseText(phase string) string {
	if phase == resources.TaskReview {
		return "in review"
	}
	return phase
}
