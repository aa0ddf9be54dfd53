package onboarding

import "github.com/idumb-dev/idumb/resources"

// Objects are those of a repository, as graph.Graph has them.
type Objects interface {
	Exists(key resources.Key) bool
	Archived(key resources.Key) bool
	Names(kind string) []string
	Get(key resources.Key) (resources.Object, bool)
	ArtifactsAt(path string) []*resources.Artifact
}

// KnownOf is what there is among objects, with what was archived: it was there, and somebody put it
// away.
func KnownOf(objects Objects) Known {
	k := known{Objects: objects, records: map[string]bool{}}
	for _, name := range objects.Names(resources.Decisions) {
		if o, ok := objects.Get(resources.Key{Kind: resources.Decisions, Name: name}); ok {
			k.records[o.(*resources.Decision).Spec.Artifact] = true
		}
	}
	return k
}

type known struct {
	Objects
	records map[string]bool // documents that decisions name
}

func (k known) Exists(key resources.Key) bool { return k.Objects.Exists(key) || k.Archived(key) }

func (k known) DecisionAt(path string) bool { return k.records[path] }
