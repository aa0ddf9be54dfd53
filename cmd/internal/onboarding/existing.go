package onboarding

import "github.com/idumb-dev/idumb/resources"

// Objects gives access to the objects of a repository. It is implemented by graph.Graph.
type Objects interface {
	Exists(key resources.Key) bool
	Archived(key resources.Key) bool
	Names(kind string) []string
	Get(key resources.Key) (resources.Object, bool)
	ArtifactsAt(path string) []*resources.Artifact
}

// ExistingOf returns the existing objects. Archived objects are included, because a user archived them
// on purpose.
func ExistingOf(objects Objects) Existing {
	k := existing{Objects: objects, records: map[string]bool{}}
	for _, name := range objects.Names(resources.Decisions) {
		if o, ok := objects.Get(resources.Key{Kind: resources.Decisions, Name: name}); ok {
			k.records[o.(*resources.Decision).Spec.Artifact] = true
		}
	}
	return k
}

// existing implements Existing.
type existing struct {
	Objects
	records map[string]bool // documents that are records of decisions
}

// Exists reports whether an object exists or is archived.
func (k existing) Exists(key resources.Key) bool { return k.Objects.Exists(key) || k.Archived(key) }

// DecisionAt reports whether a decision names the document at a path as its record.
func (k existing) DecisionAt(path string) bool { return k.records[path] }
