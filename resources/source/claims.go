package source

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// claimed maps words for the state of a document to artifact states. Other words are
// ignored.
var claimed = map[string]string{
	"draft": resources.ArtifactDraft, "proposed": resources.ArtifactDraft, "wip": resources.ArtifactDraft,
	"active": resources.ArtifactActive, "accepted": resources.ArtifactActive, "approved": resources.ArtifactActive, "current": resources.ArtifactActive, "final": resources.ArtifactActive,
	"completed": resources.ArtifactCompleted, "complete": resources.ArtifactCompleted, "done": resources.ArtifactCompleted, "implemented": resources.ArtifactCompleted,
	"superseded": resources.ArtifactSuperseded, "deprecated": resources.ArtifactSuperseded, "obsolete": resources.ArtifactSuperseded, "replaced": resources.ArtifactSuperseded,
	"abandoned": resources.ArtifactAbandoned, "rejected": resources.ArtifactAbandoned, "withdrawn": resources.ArtifactAbandoned, "cancelled": resources.ArtifactAbandoned,
}

// claimWithin is the number of text lines that are searched for the state of a document.
const claimWithin = 15

// claimOf returns the state that a document declares: in the field status or state of its
// front matter, or in a line "Status: Superseded by ..." near its start. It returns "" if
// there is no such line.
func claimOf(lines []string) string {
	text := FrontMatter(lines)
	for i, line := range lines[:min(len(lines), text+claimWithin)] {
		name, value, found := strings.Cut(strings.TrimLeft(line, "-*_> \t"), ":")
		name = strings.ToLower(strings.Trim(name, "*_ \t"))
		if !found || name != "status" && (name != "state" || i >= text) {
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r < 'a' || r > 'z' })
		if len(words) > 0 && claimed[words[0]] != "" {
			return claimed[words[0]]
		}
	}
	return ""
}
