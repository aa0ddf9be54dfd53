package source

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// claimed are the words by which a document says of itself how it stands, and the states that they
// mean. Any other word says nothing.
var claimed = map[string]string{
	"draft": resources.ArtifactDraft, "proposed": resources.ArtifactDraft, "wip": resources.ArtifactDraft,
	"active": resources.ArtifactActive, "accepted": resources.ArtifactActive, "approved": resources.ArtifactActive, "current": resources.ArtifactActive, "final": resources.ArtifactActive,
	"completed": resources.ArtifactCompleted, "complete": resources.ArtifactCompleted, "done": resources.ArtifactCompleted, "implemented": resources.ArtifactCompleted,
	"superseded": resources.ArtifactSuperseded, "deprecated": resources.ArtifactSuperseded, "obsolete": resources.ArtifactSuperseded, "replaced": resources.ArtifactSuperseded,
	"abandoned": resources.ArtifactAbandoned, "rejected": resources.ArtifactAbandoned, "withdrawn": resources.ArtifactAbandoned, "cancelled": resources.ArtifactAbandoned,
}

// claimWithin is how many lines of text are looked at for what a document says of itself.
const claimWithin = 15

// claimOf is the state that a document says that it has: by status or state in its front matter, or
// in a line "Status: Superseded by ..." near its beginning; "" if it says none.
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
