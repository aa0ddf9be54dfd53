package admission

import "github.com/idumb-dev/idumb/resources"

// GoverningKind reports whether objects of a kind say how agents are governed: those are what
// agents never write, and what a person has to trust before they count. Records of
// sessions are kept out of git, and come from nobody else.
func GoverningKind(kind *resources.Kind) bool { return !kind.Local && !openKind(kind.Plural) }
