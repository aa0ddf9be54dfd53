package onboarding

import (
	"cmp"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// rank returns the position of a class of documents in the chain from requirements to tasks. It
// returns false for classes outside the chain.
func rank(class string) (int, bool) {
	at := slices.Index([]string{documents.PRD, documents.Spec, documents.Architecture, documents.Roadmap, documents.Plan, documents.Tasks}, class)
	return at, at >= 0
}

// inChainOrder sorts documents so that sources precede the documents derived from them.
func inChainOrder(all []documents.Document) []documents.Document {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b documents.Document) int {
		first, _ := rank(a.Class)
		second, _ := rank(b.Class)
		return cmp.Compare(first, second)
	})
	return all
}

// adoption returns the step that adopts a document as an artifact. Only a user can add the
// documents that it derives from.
func adoption(d documents.Document) Step {
	s := Step{Action: "adopt", Subject: d.Path, Reason: d.Class, Adoption: &artifacts.Adoption{Path: d.Path, Type: d.Class}}
	switch {
	case d.State == "draft" || d.State == "proposed":
		s.Adoption.Draft = true
	case d.State == "completed":
		s.State = resources.ArtifactCompleted
	case d.State == "superseded":
		s.State = resources.ArtifactSuperseded
	case slices.Contains([]string{"superseded", "abandoned", "rejected", "deprecated"}, d.State):
		s.State = resources.ArtifactAbandoned
	}
	if d.State != "" {
		s.Reason += ", " + d.State
	}
	return s
}
